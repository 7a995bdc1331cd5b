// The auditor's desk: a visit is recorded with the checkpoint that the page shows, and rounds are drawn.

import "./calls.js";
import { all, one } from "./dom.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";

for (const form of all("form[data-to]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clear(form);
    const button = one(".btn", form);
    const { checkpoint, to } = form.dataset;
    button.disabled = true;
    const answer = await post(to, checkpoint ? { checkpoint: Number(checkpoint) } : {});
    button.disabled = false;
    if (answer.refused) return show(form, answer.refused);
    location.reload();
  });
}
