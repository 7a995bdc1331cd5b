// The list of exports: fetched anew each second while one of them is being written. And the button that copies a command.

import { fragment, one } from "./dom.js";
import { dim } from "./idle.js";

const AGAIN_MS = 1000;
const PATIENCE_MS = 4000;

async function refresh() {
  const list = one("#exports");
  const askedAt = performance.now();
  try {
    const response = await fetch(list.dataset.rows, { signal: AbortSignal.timeout(PATIENCE_MS) });
    // Logged out meanwhile: the page asks to log in, or leads to the login.
    if (response.redirected) return dim(askedAt) || location.reload();
    if (response.ok) list.replaceWith(fragment(await response.text()));
  } catch {
    // The link is down; the next try may reach the server.
  }
  wait();
}

function wait() {
  if (one("#exports").dataset.rows) setTimeout(refresh, AGAIN_MS);
}

document.addEventListener("loggedin", wait);
async function copy(button) {
  const command = button.previousElementSibling;
  try {
    await navigator.clipboard.writeText(command.textContent);
    button.textContent = "Copied";
  } catch {
    // Over plain HTTP, browsers let no page copy.
    getSelection().selectAllChildren(command);
    button.textContent = "Press Ctrl-C";
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copy]");
  if (button) copy(button);
});
wait();
