// Calls, alarms and held rounds on the pit boss's pages: fetched again when something happened at one of the tables.

import "./corner.js";
import { Tone } from "./tone.js";
import { all, fragment, one } from "./dom.js";
import { bodyOf, keep, restore } from "./forms.js";
import { dim } from "./idle.js";
import { Live } from "./live.js";
import { post } from "./send.js";

const PATIENCE_MS = 4000;
const calls = one("#calls");
const holder = calls && one("[data-holder]", calls);
let asked = 0;
const tone = new Tone(calls && one("[data-mute]", calls));
// Refusals to this person, by row: each stays as long as the row, or until they press again.
const refusals = new Map();

function tell() {
  for (const row of all("li", holder)) {
    const refused = refusals.get(row.dataset.test);
    const words = one(".wrong", row);
    words.hidden = !refused;
    words.textContent = refused ? [refused.message, refused.way_out].filter(Boolean).join(" ") : "";
  }
}

function left() {
  return all("li[data-left]", holder).map((row) => row.dataset.test);
}

async function refresh() {
  const mine = ++asked;
  const askedAt = performance.now();
  let response;
  let html;
  try {
    response = await fetch(calls.dataset.rows, { signal: AbortSignal.timeout(PATIENCE_MS) });
    html = await response.text();
  } catch {
    return;
  }
  if (response.status === 401 && !dim(askedAt)) return location.assign(response.headers.get("Location"));
  // A later request shows more.
  if (!response.ok || mine !== asked) return;
  const before = new Set(all("li", holder).map((row) => row.dataset.test));
  const begun = keep(holder);
  const fresh = fragment(html);
  // Other changed parts of the page come along.
  for (const part of all("template", fresh)) {
    part.remove();
    document.dispatchEvent(new CustomEvent("fresh", { detail: part }));
  }
  holder.replaceChildren(fresh);
  restore(holder, begun);
  tell();
  tone.ring(left());
  const news = all("li", holder).filter((row) => !before.has(row.dataset.test));
  if (news.length) one("[data-says]", calls).textContent = news.map((row) => one("b", row).textContent).join(", ");
}

// People who are not called have no such list.
if (calls) {
  tone.ring(left());
  holder.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const button = one("button", form);
    refusals.clear();
    button.disabled = true;
    const answer = await post(calls.dataset.api + form.dataset.path, bodyOf(form));
    button.disabled = false;
    if (answer.refused) refusals.set(form.closest("li").dataset.test, answer.refused);
    tell();
    await refresh();
  });

  const live = new Live(calls.dataset.live, {
    changed: refresh,
    turned: (state) => {
      document.dispatchEvent(new CustomEvent("turned", { detail: state }));
      one("[data-link]", calls).textContent = state === "lost" ? "Disconnected: calls don’t come through" : "";
      // A refused stream does not say why; a fetch does.
      if (state !== "connecting") refresh();
    },
  });
  live.open();
  document.addEventListener("leaving", () => tone.remind());
}
