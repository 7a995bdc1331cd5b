// The steps of a session: one command each, and then its count or its page.

import "./calls.js";
import { all, one } from "./dom.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";

async function send(form) {
  clear(form);
  const button = one("button", form);
  const password = one("[data-password]", form);
  const signature = password && { login: one("[data-login]", form).value, password: password.value };
  if (password) password.value = "";
  button.disabled = true;
  const answer = await post(form.dataset.to, {}, signature);
  button.disabled = false;
  if (answer.refused) return show(form, answer.refused);
  const session = `/sessions/${JSON.parse(answer.text).id}/`;
  location.assign(form.dataset.then === "count" ? `${session}count/` : session);
}

for (const form of all("form[data-to]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
