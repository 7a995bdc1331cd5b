// The count that opens or closes a table: its running total, and sent once when two people have signed it.

import "./calls.js";
import { all, one } from "./dom.js";
import { spell } from "./money.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";

const form = one("#count");

// What each chip comes to and all of them together; what is no number of chips counts as none.
function draw() {
  let total = 0;
  for (const input of all("[data-chip]", form)) {
    const worth = input.validity.valid ? Number(input.value) * Number(input.dataset.chip) : 0;
    one("[data-worth]", input.closest("[data-path]")).textContent = spell(worth, Number(form.dataset.decimals));
    total += worth;
  }
  one("[data-total]", form).textContent = spell(total, Number(form.dataset.decimals));
}

async function send() {
  clear(form);
  const button = one("#send");
  const password = one("[data-password]", form);
  const signature = { login: one("[data-login]", form).value, password: password.value };
  password.value = "";
  const counts = all("[data-chip]", form).map((input) => [input.dataset.chip, Number(input.value)]);
  button.disabled = true;
  const answer = await post(form.dataset.to, { denominations: Object.fromEntries(counts) }, signature);
  button.disabled = false;
  if (answer.refused) return show(form, answer.refused);
  // The same address again shows the closing form.
  location.assign(`/sessions/${JSON.parse(answer.text).id}/`);
}

if (form) {
  form.addEventListener("input", draw);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  draw();
}
