// The form of a rule sheet's draft: compare it as it would be, save it, then show its page.

import "./calls.js";
import { all, fragment, one } from "./dom.js";
import { clear, show } from "./refusals.js";
import { ask, post } from "./send.js";

const form = one("#draft");
const preview = one("#preview");

form.addEventListener("input", ({ target }) => {
  const field = target.closest("[data-path]");
  field.classList.toggle("is-changed", target.value.trim() !== field.dataset.was);
  // What is saved is what was compared.
  for (const save of all("#save", preview)) save.remove();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  clear(form);
  const answer = await ask(form.dataset.preview, form);
  preview.replaceChildren();
  if (answer.refused) return show(form, answer.refused);
  preview.append(fragment(answer.text));
  preview.scrollIntoView({ block: "start" });
});

preview.addEventListener("submit", async (event) => {
  event.preventDefault();
  clear(form);
  const button = one("button", event.target);
  button.disabled = true;
  const answer = await post(event.target.dataset.to, JSON.parse(one("[data-command]", preview).dataset.command));
  button.disabled = false;
  if (answer.refused) return show(form, answer.refused);
  location.assign(`/sheets/${JSON.parse(answer.text).id}/`);
});
