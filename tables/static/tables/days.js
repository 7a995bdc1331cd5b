// A gaming day: a key for each thing that keeps it open, its closing by two people, and its form on paper.

import "./calls.js";
import { all, one } from "./dom.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";
import { signatureOf } from "./signing.js";

const isTyping = (target) => target.closest("input, textarea, select, button");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
  one(`[data-key="${CSS.escape(event.key)}"]`)?.click();
});

one("[data-print]").addEventListener("click", () => print());

for (const form of all("form[data-to]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clear(form);
    const button = one(".acts .btn", form);
    const signature = signatureOf(form);
    button.disabled = true;
    const answer = await post(form.dataset.to, {}, signature);
    button.disabled = false;
    if (answer.refused) return show(form, answer.refused);
    location.reload();
  });
}
