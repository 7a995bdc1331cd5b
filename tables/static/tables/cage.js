// The pages of the cage: chips are sold, cashed, issued and taken out of use by one form, which two people sign. When
// somebody else took a step the page is fetched anew, unless something is typed that would be lost.

import "./calls.js";
import { all, fragment, one, renew } from "./dom.js";
import { Live } from "./live.js";
import { spell, unitsOf } from "./money.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";
import { signatureOf } from "./signing.js";

const root = one("#cage");
const move = one("#move", root);
const PATIENCE_MS = 4000;
const NOTHING = { message: "No chips are entered.", way_out: "Say how many of each there are." };

const chosen = () => one("[name=kind]:checked", move);
const chips = () => all("[data-chip]", move);
const fits = (input) => input.value && input.validity.valid;
const worth = (input) => (fits(input) ? Number(input.value) * Number(input.dataset.chip) : 0);

function draw() {
  const decimals = Number(move.dataset.decimals);
  const { asks, effect } = chosen().dataset;
  for (const part of all("[data-when]", move)) part.hidden = part.dataset.when !== asks;
  const sum = one("#sum", move);
  sum.disabled = asks !== "sum";
  for (const input of chips()) {
    input.disabled = asks !== "chips";
    one("[data-worth]", input.closest("tr")).textContent = spell(worth(input), decimals);
  }
  const together = chips().reduce((total, input) => total + worth(input), 0);
  one("[data-pieces]", move).textContent = chips().reduce((number, input) => number + (fits(input) ? Number(input.value) : 0), 0);
  one("[data-total]", move).textContent = spell(together, decimals);
  one("[data-say]", move).textContent = effect;
  one("[data-sum]", move).textContent = spell(asks === "chips" ? together : fits(sum) ? unitsOf(sum.value, decimals) : 0, decimals);
}

function contentOf(form) {
  if (form !== move) return {};
  const { value, dataset } = chosen();
  if (dataset.asks === "sum") return { kind: value, units: unitsOf(one("#sum", move).value, Number(move.dataset.decimals)) };
  const counted = chips().filter((input) => Number(input.value));
  return { kind: value, denominations: Object.fromEntries(counted.map((input) => [input.dataset.chip, Number(input.value)])) };
}

// An answer leads on by itself: a page fetched again meanwhile must not interfere.
let leaving = false;

async function send(form) {
  clear(form);
  const content = contentOf(form);
  if (content.denominations && !Object.keys(content.denominations).length) return show(form, NOTHING);
  const button = one("button", form);
  const signature = signatureOf(form);
  button.disabled = leaving = true;
  const answer = await post(form.dataset.to, content, signature);
  button.disabled = leaving = !answer.refused;
  if (answer.refused) return show(form, answer.refused);
  if (form.dataset.then) location.assign(form.dataset.then);
  else location.reload();
}

const typed = () => all("form[data-to] input:not([type=radio], [type=checkbox])", root).some((input) => input.value);

root.addEventListener("submit", (event) => {
  if (!event.target.dataset.to) return;
  event.preventDefault();
  send(event.target);
});
if (move) {
  move.addEventListener("input", draw);
  draw();
}
let asked = 0;

async function changed() {
  const mine = ++asked;
  let response;
  let html;
  try {
    response = await fetch(location.href, { signal: AbortSignal.timeout(PATIENCE_MS) });
    html = await response.text();
  } catch {
    return;
  }
  const page = response.ok && !response.redirected ? one("#cage", fragment(html)) : null;
  if (mine !== asked || !page) return;
  // What waits for the cage is shown even to somebody who is typing.
  renew(one("[data-fresh=waiting]", root), one("[data-fresh=waiting]", page));
  if (!leaving && !typed() && page.dataset.state !== root.dataset.state) location.reload();
}

new Live(root.dataset.live, { changed, turned: () => {} }).open();

// How long each of them has waited, and the digit that leads there.
setInterval(() => {
  for (const time of all("[data-since]", root)) {
    const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(time.dataset.since)) / 1000));
    time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}, 1000);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  one(`a[data-key="${CSS.escape(event.key)}"]`, root)?.click();
});
