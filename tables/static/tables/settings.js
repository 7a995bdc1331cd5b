// The settings of the house: a change or a withdrawal is sent once when a second person has signed it.

import { all, one } from "./dom.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";
import { signatureOf } from "./signing.js";

// An amount typed in the currency, in its smallest unit: by its digits, never as a fraction.
function units(text, decimals) {
  const [whole, part = ""] = text.trim().split(".");
  return Number(whole + part.padEnd(decimals, "0"));
}

function bodyOf({ dataset, elements }) {
  if (!dataset.name) return {};
  const change = { name: dataset.name, version: Number(dataset.version) };
  change.value = units(elements.value.value, Number(dataset.decimals));
  if (elements.from_at.value) change.from_at = elements.from_at.value;
  return change;
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
