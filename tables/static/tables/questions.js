// Questions to the pit: asked, answered, accepted, asked again. Each form says where to send it, and its fields say
// what.

import "./calls.js";
import { all, one } from "./dom.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";

for (const form of all("form[data-to]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clear(form);
    const button = one(".btn", form);
    button.disabled = true;
    const answer = await post(form.dataset.to, Object.fromEntries(new FormData(form)));
    button.disabled = false;
    if (answer.refused) return show(form, answer.refused);
    location.reload();
  });
}
