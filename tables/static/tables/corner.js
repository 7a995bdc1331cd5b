// The call for a pit boss in the corner of a croupier's pages: a press, or its key where nothing is typed, and a second
// one for the reason. Who was called, when, and who came is fetched again when something happened at the table.

import { fragment, one } from "./dom.js";
import { Live } from "./live.js";
import { post } from "./send.js";

const PATIENCE_MS = 4000;
const corner = one("[data-corner]");
let asked = 0;

async function refresh() {
  const mine = ++asked;
  let html;
  try {
    const headers = { "Accept-Language": document.documentElement.lang };
    const response = await fetch(corner.dataset.fragment, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) return;
    html = await response.text();
  } catch {
    return;
  }
  if (mine !== asked) return;
  const now = one("[data-corner]", fragment(html));
  if (now && now.textContent !== corner.textContent) corner.replaceChildren(...now.childNodes);
}

async function call(button) {
  button.disabled = true;
  const { refused } = await post(corner.dataset.corner, { reason: button.dataset.reason });
  button.disabled = false;
  one("#call", corner)?.hidePopover();
  if (!refused) return refresh();
  const wrong = one(".wrong", corner);
  wrong.hidden = false;
  wrong.textContent = [refused.message, refused.way_out].filter(Boolean).join(" ");
}

if (corner) {
  corner.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-reason]");
    if (button) call(button);
  });
  addEventListener("keydown", (event) => {
    const typed = event.target.closest?.("input, textarea, select, [contenteditable]");
    const reasons = one("#call", corner);
    if (!reasons || typed || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.key.toLowerCase() === "y") return reasons.togglePopover();
    const button = reasons.matches(":popover-open") && one(`[data-digit="${CSS.escape(event.key)}"]`, reasons);
    if (button && !button.disabled) call(button);
  });
  new Live(corner.dataset.live, { changed: refresh, turned: () => {} }).open();
}
