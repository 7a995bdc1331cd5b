// Passkeys: pass the server's request to the browser, and send the browser's answer with the form.

import "./calls.js";
import { all, one } from "./dom.js";
import { NO_PASSKEY, make, prove } from "./passkey.js";

function wire(form, bring, options) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [button, wrong] = [one("button", form), one(".wrong", form)];
    button.disabled = true;
    wrong.hidden = true;
    try {
      form.elements.passkey.value = await bring(options);
      form.submit();
    } catch (error) {
      wrong.textContent = NO_PASSKEY[error.name] ?? NO_PASSKEY.other;
      wrong.hidden = false;
      button.disabled = false;
    }
  });
}

for (const form of all("form[data-make]")) wire(form, make, form.dataset.make);
for (const form of all("form[data-prove]")) wire(form, prove, form.dataset.prove);
