// A round from paper: its number, when it was played, who sat in it. Two enter it, and its table's terminal goes on.

import "./calls.js";
import { all, one } from "./dom.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";
import { signatureOf } from "./signing.js";

const form = one("#paper");
// The two moments of a time that the clocks showed twice, as soon as the server has said so.
let times = null;

// `9.05`, `905` and `0905` are 09:05; seconds may follow.
function shown(text) {
  const digits = text.replace(/[:.]/g, "");
  return digits.padStart(digits.length + (digits.length % 2), "0").match(/../g).join(":");
}

function setTwice(found) {
  times = found;
  const part = one("[data-twice]", form);
  part.hidden = part.disabled = !found;
  for (const which of all("[name=which]", form)) which.checked = false;
}

function drawDealer() {
  for (const dealer of all("[name=dealer]", form)) {
    dealer.disabled = !one(`[name=seats][value="${dealer.value}"]`, form).checked;
    if (dealer.disabled) dealer.checked = false;
  }
}

function content() {
  const which = one("[name=which]:checked", form);
  const date = one("[name=date]:checked", form).value;
  const body = {
    paper: one("[name=number]", form).value,
    happened_at: times && which ? times[which.value] : `${date}T${shown(one("[name=time]", form).value)}`,
  };
  const seats = all("[name=seats]:checked", form).map(({ value }) => Number(value));
  const dealer = one("[name=dealer]:checked", form);
  if (seats.length) body.seats = seats;
  if (dealer) body.dealer = Number(dealer.value);
  return body;
}

async function send() {
  clear(form);
  const signature = signatureOf(form);
  const button = one("button", form);
  button.disabled = true;
  const answer = await post(form.dataset.to, content(), signature);
  button.disabled = false;
  if (!answer.refused) return location.assign(form.dataset.then);
  if (answer.refused.code === "time_twice") setTwice(answer.refused.detail.times);
  show(form, answer.refused);
}

if (form) {
  form.addEventListener("input", ({ target }) => {
    if (target.name === "time" || target.name === "date") setTwice(null);
    drawDealer();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  drawDealer();
}
