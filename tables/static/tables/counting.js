// The count of a table, of the cage or of a drop box: by keyboard or on the keys, chip by chip, sent once; then both sign. When
// somebody else took a step the page is fetched anew, unless something is typed that would be lost.

import "./calls.js";
import { all, fragment, one } from "./dom.js";
import { Live } from "./live.js";
import { spell } from "./money.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";
import { signatureOf } from "./signing.js";
import { gettext } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const [TUBE, LINE, MOST_TUBES] = [20, 5, 10];
const PATIENCE_MS = 4000;
const root = one("#counting");
const form = one("#count") ?? one("#sign");
const chips = all("[data-chip]", form);
const decimals = Number(form.dataset.decimals);
let at = chips[0];

const fits = (input) => input.value !== "" && /^[0-9]{1,6}$/.test(input.value);
const of = (part) => chips.filter((input) => input.dataset.part === part);
const slot = of("rake").length > 0;
const worth = (input) => (fits(input) ? Number(input.value) * Number(input.dataset.chip) : 0);
const sum = (part) => of(part).reduce((total, input) => total + worth(input), 0);
const counted = (part) => Object.fromEntries(of(part).map((input) => [input.dataset.chip, Number(input.value)]));
const said = (input) => (input.dataset.part === "rake" ? ofRake(input.dataset.text) : input.dataset.text);
const ofRake = (amount) => gettext("rake {amount}", { amount });

function rect(tubes, attributes) {
  const node = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  tubes.append(node);
}

// Stacks of twenty as they lie in the tray, five in a line; at most the first two lines.
function lay(tubes, number) {
  tubes.replaceChildren();
  const lines = number > TUBE * LINE ? 2 : 1;
  for (let place = 0; place < MOST_TUBES && number > place * TUBE; place += 1) {
    const width = 2.9 * Math.min(TUBE, number - place * TUBE);
    const x = 64 * (place % LINE);
    const y = lines === 1 ? 16.5 : 33 * Math.floor(place / LINE);
    rect(tubes, { x, y, width, height: 27, rx: 2 });
    rect(tubes, { class: "stripe", x: x + 0.5, y: y + 11, width: Math.max(0, width - 1), height: 5 });
  }
}

function draw() {
  for (const input of chips) {
    const row = input.closest(".stack");
    row.classList.toggle("is-in", fits(input));
    row.classList.toggle("is-waiting", !fits(input));
    if (input.dataset.part === "rake") continue;
    one("[data-worth]", row).textContent = fits(input) ? spell(worth(input), decimals) : "";
    lay(one(".tubes", row), fits(input) ? Number(input.value) : 0);
  }
  for (const output of all("[data-total]", form)) output.textContent = spell(sum(output.dataset.total), decimals);
  one("[data-done]", form).textContent = chips.filter(fits).length;
  const next = following();
  one("[data-say]", form).textContent = next ? form.dataset.next : gettext("Hand in");
  const total = (part) => spell(sum(part), decimals);
  const sums = total("denominations") + (slot ? `, ${ofRake(total("rake"))}` : "");
  one("[data-say-what]", form).textContent = next ? said(next) : sums;
}

// The chip to count next: the first uncounted one after this, or else any.
function following() {
  const open = chips.filter((input) => !fits(input) && input !== at);
  return open.find((input) => chips.indexOf(input) > chips.indexOf(at)) ?? open[0] ?? (fits(at) ? null : at);
}

function press(key) {
  const number = fits(at) ? Number(at.value) : 0;
  if (/^[0-9]$/.test(key)) at.value = String(Number(`${at.value}${key}`.slice(0, 6)));
  else if (key === "back") at.value = at.value.slice(0, -1);
  else if (key === "clear") at.value = "";
  else at.value = String(Math.min(999999, Math.max(0, number + Number(key))));
  draw();
}

// An answer leads on by itself: a page fetched again meanwhile must not interfere.
let leaving = false;

async function send(button) {
  clear(form);
  const signature = signatureOf(form);
  const content = {};
  if (chips.length) content.denominations = counted("denominations");
  if (slot) content.rake = counted("rake");
  const place = one("[name=place]:checked", form);
  if (place) content.place = Number(place.value);
  const reason = one("[name=reason]", form);
  if (reason) content.reason = reason.value;
  if ("carry" in button.dataset) content.carry = true;
  button.disabled = leaving = true;
  const answer = await post(form.dataset.to, content, signature);
  button.disabled = leaving = !answer.refused;
  if (answer.refused) return show(form, answer.refused);
  // Both have counted, or signed: so drop the request to count again.
  location.assign(form.dataset.then ?? location.pathname);
}

function wrong(input) {
  const path = `${input.dataset.part}.${input.dataset.chip}`;
  show(form, { path, message: form.dataset.wrong, way_out: gettext("Enter a number; 0 if there are none.") });
}

if (chips.length) {
  form.addEventListener("focusin", (event) => {
    if (event.target.dataset.chip) at = event.target;
    draw();
  });
  form.addEventListener("input", draw);
  form.addEventListener("reset", () => setTimeout(() => { clear(form); chips[0].focus(); draw(); }));
  form.addEventListener("click", (event) => {
    const key = event.target.closest("[data-key]")?.dataset.key;
    if (key) press(key);
  });
  // The keys of the page keep the chip that is chosen.
  one(".pad", form).addEventListener("mousedown", (event) => event.preventDefault());
  draw();
  chips[0].focus();
}
function finish(button) {
  const typed = chips.find((input) => input.value !== "" && !fits(input));
  if (typed) return wrong(typed);
  const next = chips.length ? following() : null;
  if (next) return next.focus();
  // Whoever signs for a count fills this in last.
  const empty = all("[required]", form).find((input) => !input.checkValidity());
  if (empty) return empty.reportValidity();
  send(button);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  finish(one("#send", form));
});
one("[data-carry]", form)?.addEventListener("click", ({ currentTarget }) => finish(currentTarget));

// The kind of reason begins a sentence, which must say more.
const reason = one("[name=reason]", form);
const kinds = all("[data-kind]", form);
const saidMore = () => !kinds.some(({ dataset }) => reason.value.trim() === dataset.kind.trim());
for (const kind of kinds) {
  kind.addEventListener("click", () => {
    const rest = kinds.reduce((text, { dataset }) => (text.startsWith(dataset.kind) ? text.slice(dataset.kind.length) : text), reason.value);
    reason.value = kind.dataset.kind + rest;
    reason.dispatchEvent(new Event("input", { bubbles: true }));
    reason.focus();
  });
}
if (kinds.length) {
  form.addEventListener("input", () => {
    for (const kind of kinds) kind.setAttribute("aria-pressed", reason.value.startsWith(kind.dataset.kind));
    reason.setCustomValidity(saidMore() ? "" : "Add what you know of it: where you looked, and what you found.");
  });
}

let asked = 0;

// Keep a request to count again: the server decides whether that is still possible.
const here = () => location.pathname + location.search;

async function refresh() {
  const mine = ++asked;
  let response;
  try {
    response = await fetch(here(), { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    return;
  }
  const page = response.ok && !response.redirected ? one("#counting", fragment(await response.text())) : null;
  if (mine !== asked || leaving || page?.dataset.state === root.dataset.state) return;
  if (chips.some((input) => input.value !== "") && page) return;
  if (page || response.redirected) location.assign(here());
}

new Live(root.dataset.live, { changed: refresh, turned: () => {} }).open();
