// The page of a rule sheet: each of its forms is sent once, with the signature of a second person where it has one.

import "./calls.js";
import { all, one } from "./dom.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";
import { signatureOf } from "./signing.js";

function bodyOf(form) {
  const body = {};
  for (const name of ["tables", "places"]) {
    const boxes = all(`[name=${name}]`, form);
    if (boxes.length) body[name] = boxes.filter((box) => box.checked).map((box) => Number(box.value));
  }
  if (form.elements.reason) body.reason = form.elements.reason.value;
  const begins = form.elements.begins?.value;
  const from = begins === "other" ? form.elements.from_at.value : begins;
  if (from) body.from_at = from;
  return body;
}

for (const form of all("form[data-to]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clear(form);
    const button = one(".go", form);
    const signature = signatureOf(form);
    button.disabled = true;
    const answer = await post(form.dataset.to, bodyOf(form), signature);
    button.disabled = false;
    if (answer.refused) return show(form, answer.refused);
    location.reload();
  });
}
