// Chips of the float for cash: the box and what it comes to. Above what the house lets pass the pit boss signs here.

import "./calls.js";
import { one } from "./dom.js";
import { spell, unitsOf } from "./money.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";

const form = one("#buy");

function draw() {
  const sum = one("#sum", form);
  const decimals = Number(form.dataset.decimals);
  const units = sum.value && sum.validity.valid ? unitsOf(sum.value, decimals) : 0;
  one("[data-sum]", form).textContent = spell(units, decimals);
  const signs = one(".sign", form);
  signs.hidden = signs.disabled = units <= Number(form.dataset.limit);
}

async function send() {
  clear(form);
  const signs = one(".sign", form);
  const password = one("[data-password]", form);
  const signature = signs.disabled ? undefined : { login: one("[data-login]", form).value, password: password.value };
  password.value = "";
  const box = Number(one("[name=box]:checked", form).value);
  const units = unitsOf(one("#sum", form).value, Number(form.dataset.decimals));
  const button = one("button", form);
  button.disabled = true;
  const answer = await post(form.dataset.to, { box, units }, signature);
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
