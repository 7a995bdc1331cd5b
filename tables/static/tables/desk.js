// The auditor's desk: a visit is recorded with the checkpoint that the page shows, rounds are drawn, and the pit is asked.

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
    const words = Object.fromEntries(new FormData(form));
    button.disabled = true;
    const answer = await post(to, checkpoint ? { checkpoint: Number(checkpoint) } : words);
    button.disabled = false;
    if (answer.refused) return show(form, answer.refused);
    location.reload();
  });
}
