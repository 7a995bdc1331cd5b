// The steps of a session: one command each, and then its count or its page; and its investigation, which leads to its case.

import "./calls.js";
import { all, one } from "./dom.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";
import { signatureOf } from "./signing.js";

async function send(form) {
  clear(form);
  const button = one("button", form);
  const signature = signatureOf(form);
  button.disabled = true;
  const { question } = form.elements;
  const answer = await post(form.dataset.to, question ? { question: question.value } : {}, signature);
  button.disabled = false;
  if (answer.refused) return show(form, answer.refused);
  const { id } = JSON.parse(answer.text);
  const then = { case: `/cases/${id}/`, count: `/sessions/${id}/count/` };
  location.assign(then[form.dataset.then] ?? `/sessions/${id}/`);
}

for (const form of all("form[data-to]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
