// An amount at a table: chips of the float for cash at a box, or a tip. The pit boss signs here for a buy-in above what
// the house lets pass.

import "./calls.js";
import { one } from "./dom.js";
import { spell, unitsOf } from "./money.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";
import { signatureOf } from "./signing.js";

const form = one("#amount");

function draw() {
  const sum = one("#sum", form);
  const decimals = Number(form.dataset.decimals);
  const units = sum.value && sum.validity.valid ? unitsOf(sum.value, decimals) : 0;
  one("[data-sum]", form).textContent = spell(units, decimals);
  const signs = one(".sign", form);
  if (signs) signs.hidden = signs.disabled = units <= Number(form.dataset.limit);
}

async function send() {
  clear(form);
  const signature = signatureOf(form);
  const box = one("[name=box]:checked", form);
  const units = unitsOf(one("#sum", form).value, Number(form.dataset.decimals));
  const button = one("button", form);
  button.disabled = true;
  const answer = await post(form.dataset.to, box ? { box: Number(box.value), units } : { units }, signature);
  button.disabled = false;
  if (answer.refused) return show(form, answer.refused);
  location.reload();
}

if (form) {
  form.addEventListener("input", draw);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  form.reset();
  draw();
}
