// The pages of reports: files are asked for, cancelled, pruned, and fetched each second while one is being made;
// programs get tokens; reports are printed.

import "./calls.js";
import { fragment, one, renew } from "./dom.js";
import { dim } from "./idle.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";
import { signatureOf } from "./signing.js";

const AGAIN_MS = 1000;
const PATIENCE_MS = 4000;

one("[data-print]")?.addEventListener("click", () => print());

async function refresh() {
  const askedAt = performance.now();
  try {
    const response = await fetch(one("#files").dataset.again, { signal: AbortSignal.timeout(PATIENCE_MS) });
    // Logged out meanwhile: the page asks to log in, or leads to the login.
    if (response.redirected) return dim(askedAt) || location.reload();
    // From a whole page, take only what is on this one too.
    if (response.ok) draw(fragment(await response.text()));
  } catch {
    // The link is down; the next try may reach the server.
  }
  wait();
}

// Both change together: a finished file is one more in the log.
function draw(fresh) {
  for (const name of ["#files", "#given"]) if (one(name)) renew(one(name), one(name, fresh));
}

function wait() {
  if (one("#files")?.dataset.again) setTimeout(refresh, AGAIN_MS);
}

function bodyOf({ dataset, elements }) {
  if (dataset.report) return { report: dataset.report, period: dataset.period, form: dataset.form };
  return "token" in dataset ? { name: elements.name.value.trim() } : {};
}

// A token is on the page until it was copied.
function give(form, { token }) {
  const given = one("[data-given]");
  one("[data-test=token]", given).textContent = token;
  form.hidden = true;
  given.hidden = false;
  one("[data-seen]", given).addEventListener("click", () => location.reload());
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-to]")) return;
  event.preventDefault();
  clear(form);
  const button = one("button.btn", form);
  const signature = signatureOf(form);
  button.disabled = true;
  const answer = await post(form.dataset.to, bodyOf(form), signature);
  button.disabled = false;
  if (answer.refused) return show(form, answer.refused);
  if ("token" in form.dataset) return give(form, JSON.parse(answer.text));
  location.reload();
});

document.addEventListener("loggedin", wait);
wait();
