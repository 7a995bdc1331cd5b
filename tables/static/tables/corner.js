// The call for a pit boss in the corner of a croupier's pages: a press, or its key where nothing is typed.

import { one } from "./dom.js";
import { post } from "./send.js";

const corner = one("[data-corner]");
const button = corner && one("button", corner);

async function call() {
  const wrong = one(".wrong", corner);
  button.disabled = true;
  const { refused } = await post(corner.dataset.corner, {});
  button.disabled = false;
  wrong.hidden = !refused;
  wrong.textContent = refused ? [refused.message, refused.way_out].filter(Boolean).join(" ") : "";
  if (refused) return;
  const called = document.createElement("p");
  called.className = "called";
  called.setAttribute("role", "status");
  called.append(one("svg", button), "Pit boss called");
  button.replaceWith(called);
}

if (button) {
  button.addEventListener("click", call);
  addEventListener("keydown", (event) => {
    const typed = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key.toLowerCase() !== "y" || typed || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (button.isConnected && !button.disabled) call();
  });
}
