// The pages of slips and of drop boxes: chips are counted in a form, and list and slip are fetched again when something
// happened. Typed text survives that, unless its step is over.

import "./calls.js";
import { spell as spellLength } from "./clocks.js";
import { all, fragment, one, renew } from "./dom.js";
import { dim } from "./idle.js";
import { Live } from "./live.js";
import { spell } from "./money.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";
import { signatureOf } from "./signing.js";
import { gettext } from "./words.js";

const PATIENCE_MS = 4000;
const root = one("#slips");

// What each chip comes to, and all of a side together; text that is not a number counts as no chips.
function draw(form) {
  const decimals = Number(form.dataset.decimals);
  const sums = {};
  const pieces = {};
  for (const input of all("[data-chip]", form)) {
    const number = input.value && input.validity.valid ? Number(input.value) : 0;
    const worth = number * Number(input.dataset.chip);
    one("[data-worth]", input.closest("tr")).textContent = spell(worth, decimals);
    sums[input.dataset.of] = (sums[input.dataset.of] ?? 0) + worth;
    pieces[input.dataset.of] = (pieces[input.dataset.of] ?? 0) + number;
  }
  for (const output of all("[data-pieces]", form)) output.textContent = pieces[output.dataset.pieces] ?? 0;
  for (const output of all("[data-total]", form)) output.textContent = spell(sums[output.dataset.total] ?? 0, decimals);
  for (const output of all("[data-sum]", form)) output.textContent = spell(sums[output.dataset.sum] ?? 0, decimals);
  const kind = one("[name=kind]:checked", form)?.value;
  for (const part of all("[data-when]", form)) part.hidden = part.dataset.when !== kind;
}

function contentOf(form) {
  const content = {};
  for (const input of all("[data-chip]", form)) {
    if (input.closest("[data-when][hidden]")) continue;
    const chips = (content[input.dataset.of] ??= {});
    if (input.value) chips[input.dataset.chip] = Number(input.value);
  }
  for (const control of all("[name]", form)) if (control.type !== "radio" || control.checked) content[control.name] = control.value;
  const carrier = one("[data-carrier]", form)?.value;
  if (carrier) content.carrier = `staff:${carrier}`;
  return content;
}

const NOTHING = { message: gettext("No chips are entered."), way_out: gettext("Enter how many of each there are.") };

async function send(form) {
  clear(form);
  const chips = all("[data-chip]", form);
  if (chips.length && !chips.some((input) => Number(input.value))) return show(form, NOTHING);
  const button = one("button:not([type=button])", form);
  const signature = signatureOf(form);
  button.disabled = true;
  const answer = await post(form.dataset.to, contentOf(form), signature);
  button.disabled = false;
  if (answer.refused) return show(form, answer.refused);
  if (form.dataset.then === "paper") return location.assign(form.dataset.paper);
  if (form.dataset.then) return location.assign(`${form.dataset.then}${JSON.parse(answer.text).id}/`);
  form.reset();
  await refresh();
}

let asked = 0;

// Parts of the page that have changed come from the server; a form of the same step stays as it is.
async function refresh() {
  const mine = ++asked;
  const askedAt = performance.now();
  let response;
  let html;
  try {
    response = await fetch(location.href, { signal: AbortSignal.timeout(PATIENCE_MS) });
    html = await response.text();
  } catch {
    return;
  }
  if (response.redirected && !dim(askedAt)) return location.reload();
  if (!response.ok || mine !== asked) return;
  const page = fragment(html);
  const main = one("main", root);
  for (const name of ["sums", "list", "slip"]) {
    const before = one(`[data-fresh=${name}]`, root);
    const after = one(`[data-fresh=${name}]`, page);
    if (before && after) renew(before, after);
  }
  for (const name of ["step", "more"]) {
    const before = one(`[data-fresh=${name}]`, root);
    const after = one(`[data-fresh=${name}]`, page);
    const step = (part) => one("form[data-for]", part ?? main)?.dataset.for;
    if (before && after && step(before) === step(after)) continue;
    if (before && after) before.replaceWith(after);
    else if (before) before.remove();
    else if (after) one("[data-fresh=more]", main).before(after);
  }
  for (const form of all("form[data-decimals]", root)) draw(form);
}

root.addEventListener("input", (event) => event.target.form && draw(event.target.form));
root.addEventListener("submit", (event) => {
  if (!event.target.dataset.to) return;
  event.preventDefault();
  send(event.target);
});
for (const form of all("form[data-decimals]", root)) draw(form);
const live = new Live(root.dataset.live, { changed: refresh, turned: (state) => state === "live" && refresh() });
live.open();

// The time that a slip has waited runs on, by the server's clock.
setInterval(() => {
  const age = one("[data-since]", root);
  if (!age) return;
  age.ahead ??= Date.now() - Date.parse(age.dataset.now);
  age.textContent = spellLength(Date.now() - age.ahead - Date.parse(age.dataset.since));
}, 1000);
