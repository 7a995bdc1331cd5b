// The people who work here: a form that a second person signs by passkey also sends the passkey's signature of its
// fields.

import "./calls.js";
import { all, one } from "./dom.js";
import { NO_PASSKEY } from "./passkey.js";
import { byPasskey, isByPasskey } from "./signing.js";

// The signed fields: all but those of the signature and the page's token.
function bodyOf(form) {
  const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken" && !name.startsWith("second_"));
  return Object.fromEntries(fields);
}

async function sign(form) {
  const key = crypto.randomUUID();
  const { passkey, salts } = await byPasskey(one("[data-login]", form).value, { path: location.pathname, body: bodyOf(form), key });
  const { second_passkey, second_salts, second_key } = form.elements;
  second_passkey.value = passkey;
  second_salts.value = JSON.stringify(salts);
  second_key.value = key;
}

for (const form of all("form[method=post]")) {
  form.addEventListener("submit", async (event) => {
    if (!isByPasskey(form)) return;
    event.preventDefault();
    const [button, wrong] = [one(".go", form), one("[data-no-passkey]", form)];
    button.disabled = true;
    wrong.hidden = true;
    try {
      await sign(form);
      form.submit();
    } catch (error) {
      wrong.textContent = NO_PASSKEY[error.name] ?? NO_PASSKEY.other;
      wrong.hidden = false;
      button.disabled = false;
    }
  });
}
