// A case: opened about a void round, decided once, signed by a second person, or given to another owner, more time or the
// reference of its video.

import "./calls.js";
import { all, one } from "./dom.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";
import { signatureOf } from "./signing.js";

function bodyOf({ elements }) {
  if (elements.word) return elements.word.value.trim() ? { word: elements.word.value.trim() } : {};
  if (elements.question) return { question: elements.question.value };
  if (elements.outcome) return { outcome: elements.outcome.value, reason: elements.reason.value };
  const change = {};
  if (elements.owner.value) change.owner = Number(elements.owner.value);
  if (elements.due_at.value) change.due_at = elements.due_at.value;
  const { video } = elements;
  if (video.value !== video.defaultValue) change.video = video.value.trim();
  return change;
}

for (const form of all("form[data-to]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clear(form);
    const button = one(".acts .btn", form);
    const signature = signatureOf(form);
    button.disabled = true;
    const answer = await post(form.dataset.to, bodyOf(form), signature);
    button.disabled = false;
    if (answer.refused) return show(form, answer.refused);
    if (form.dataset.then === "case") location.assign(`/cases/${JSON.parse(answer.text).id}/`);
    else {
      // What was decided stands at the top.
      if (form.elements.outcome) scrollTo(0, 0);
      location.reload();
    }
  });
}
