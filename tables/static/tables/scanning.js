// A terminal's scanner: set field by field, and tried with the entered values before they are set.

import { all, one } from "./dom.js";
import { listen } from "./keys.js";
import { cardOf } from "./scanner.js";
import { post } from "./send.js";

const form = one("#scanner");
const fields = all("[data-card]", form);
const keys = fields.map(({ dataset }) => dataset);

function profile() {
  const { prefix, suffix } = form.elements;
  const codes = Object.fromEntries(fields.filter(({ value }) => value).map(({ name, value }) => [name, value]));
  return { prefix: prefix.value, suffix: suffix.value, codes };
}

const FAULTS = {
  frame: "It doesn’t begin and end as this scanner’s cards do.",
  unknown: "It isn’t a card of this deck.",
};

function show(typed) {
  const { key, fault } = cardOf(typed, keys, profile());
  const read = one("[data-read]");
  read.textContent = key ? `The ${key.name}` : FAULTS[fault];
  read.classList.toggle("wrong", !key);
  one("[data-raw]").textContent = `The scanner typed “${typed}” and Enter.`;
}

function say(refused) {
  const words = one(".wrong[role=alert]", form);
  words.hidden = !refused;
  words.textContent = refused ? [refused.message, refused.way_out].filter(Boolean).join(" ") : "";
  for (const field of form.elements) field.classList?.toggle("bad", Boolean(refused) && refused.path?.split(".").at(-1) === field.name);
}

// A scan into a card's field leaves its code, without prefix and suffix, and moves on to the next card.
form.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || field.tagName !== "INPUT") return;
  event.preventDefault();
  const at = fields.indexOf(field);
  if (at < 0) return;
  const { prefix, suffix } = profile();
  const { value } = field;
  if (value.length > prefix.length + suffix.length && value.startsWith(prefix) && value.endsWith(suffix)) {
    field.value = value.slice(prefix.length, value.length - suffix.length);
  }
  const next = fields[at + 1];
  if (next) next.focus();
  else field.blur();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = one(".go", form);
  button.disabled = true;
  const answer = await post(form.dataset.path, { game: form.dataset.game, ...profile() });
  button.disabled = false;
  say(answer.refused);
  one("[data-done]", form).textContent = answer.refused ? "" : "Set. The terminal reads cards like this from its next step on.";
});

const no = () => false;
listen({ enter: no, back: no, remove: no, arrow: no, letter: no, question: no, dot: no, escape: no, scan: show });
