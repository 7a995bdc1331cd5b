// The page of a round: cards are drawn and chosen, a correction is shown before it is signed, payments are ticked.
// A signature is never kept: whatever the answer is, the password leaves the page.

import "./calls.js";
import "./cases.js";
import "./clauses.js";
import { all, fragment, one } from "./dom.js";
import { clear as clearAt, show as showAt } from "./refusals.js";
import { ask, post } from "./send.js";
import { signatureOf } from "./signing.js";
import { gettext } from "./words.js";

const api = one("#round").dataset.api;
const correct = one("#correct");

// A refused change stands at the field that it was entered in.
function show(refused, changes = []) {
  const numbered = /^changes\[(\d+)\]/.exec(refused.path ?? "");
  showAt(correct, refused, (numbered && changes[Number(numbered[1])]?.path) || refused.path || "");
}

const clear = () => clearAt(correct);

// --- Cards: each field draws its own, and a tapped one is chosen again from the deck ---

const deck = one("#deck");
let chosen = null;

const codes = (field) => one("input", field).value.split(/[\s,]+/).filter(Boolean);
// However it was typed: `10H` is `Th`.
const plain = (code) => code.toLowerCase().replace("10", "t");
const keyOf = (code) => all("[data-card]", deck).find((key) => plain(key.dataset.card) === plain(code));

function drawField(field) {
  const drawn = one("[data-drawn]", field);
  const cards = codes(field);
  const places = Number(field.dataset.places);
  const active = chosen?.field === field ? chosen.index : -1;
  drawn.replaceChildren(
    ...Array.from({ length: Math.max(places, cards.length) }, (_, index) => {
      const button = document.createElement("button");
      button.type = "button";
      const key = cards[index] && keyOf(cards[index]);
      if (key) button.append(one(".card", key).cloneNode(true));
      else button.textContent = cards[index] ?? "";
      button.className = key ? "held" : "free";
      button.setAttribute("aria-label", key ? key.getAttribute("aria-label") : gettext("Card {number}", { number: index + 1 }));
      button.setAttribute("aria-pressed", index === active);
      button.addEventListener("click", () => choose(field, index));
      return button;
    }),
  );
}

function choose(field, index) {
  const before = chosen?.field;
  const place = Math.min(index, codes(field).length);
  chosen = before === field && chosen.index === place ? null : { field, index: place };
  if (before) drawField(before);
  drawField(field);
  deck.hidden = !chosen;
  if (chosen) {
    field.parentElement.append(deck);
    drawDeck();
  }
}

// Where each card lies, by the form as it stands; a card that lies elsewhere can't be chosen.
function drawDeck() {
  const copies = JSON.parse(one("#correction").dataset.copies);
  const lying = {};
  for (const field of all("[data-places]")) {
    for (const code of codes(field)) (lying[keyOf(code)?.dataset.card] ??= new Set()).add(field.dataset.path);
  }
  for (const key of all("[data-card]", deck)) {
    const { card } = key.dataset;
    key.classList.toggle("lies", (lying[card]?.size ?? 0) >= copies[card]);
  }
}

function set(code) {
  const { field, index } = chosen;
  const cards = codes(field);
  if (code) cards[index] = code;
  else cards.splice(index, 1);
  const input = one("input", field);
  input.value = cards.join(" ");
  input.dispatchEvent(new Event("input", { bubbles: true }));
  // On to the next free place, or else done.
  const fills = code && index + 1 === cards.length && cards.length < Number(field.dataset.places);
  choose(field, fills ? index + 1 : index);
}

// --- The correction: its preview, then two people ---

const preview = one("#preview");
const sign = one("#sign");
// The page of a dispute has a ruling instead of the correction, with the previewed changes or without.
const rule = one("#rule");

function stale() {
  preview.replaceChildren();
  if (!rule) return sign && (sign.hidden = true);
  const choice = one("[value=changes]", rule);
  choice.disabled = true;
  choice.checked = false;
  drawRule();
}

function drawRule() {
  const choice = one("[value=changes]", rule);
  const note = one("[data-no-changes]", rule);
  if (note) note.hidden = !choice.disabled;
  sign.hidden = sign.disabled = !rule.dataset.signed.split(" ").includes(rule.elements.ruling.value);
  drawMoves(rule.elements.ruling.value === "changes");
}

// What the changes move stands beside the login of whoever signs for it.
function drawMoves(changes) {
  const moves = changes ? one("[data-moves]", preview).cloneNode(true).childNodes : [];
  one("[data-moved]", sign).replaceChildren(...moves);
  const stays = one("[data-stays]", sign);
  if (stays) stays.hidden = changes;
}

function content() {
  const shown = one("[data-command]", preview ?? document);
  const why = { clause: one("#clause").value, reason: one("#reason").value };
  if (!rule) return { ...JSON.parse(shown.dataset.command), ...why };
  const choice = rule.elements.ruling.value;
  const changes = choice === "changes" ? JSON.parse(shown.dataset.command) : { line: Number(rule.dataset.line) };
  return { ...changes, ...why, ruling: choice === "refused" ? "refused" : "upheld" };
}

async function look(form) {
  clear();
  const answer = await ask(form.dataset.preview, form);
  stale();
  if (answer.refused) return show(answer.refused);
  preview.append(fragment(answer.text));
  if (rule) {
    one("[value=changes]", rule).disabled = Boolean(one("[data-other-settings]", preview));
    drawRule();
  } else if (sign) {
    sign.hidden = false;
    drawMoves(true);
  }
  preview.scrollIntoView({ block: "start" });
}

async function send() {
  clear();
  const button = one("#send");
  const signature = signatureOf(sign);
  const command = content();
  button.disabled = true;
  const answer = await post(rule ? rule.dataset.path : `${api}corrections/`, command, signature);
  button.disabled = false;
  if (answer.refused) return show(answer.refused, command.changes);
  loadAt(rule ? "ruling" : "result");
}

// Loads the page anew, scrolled to what was done, not to where it was.
function loadAt(place) {
  location.hash = place;
  history.scrollRestoration = "manual";
  location.reload();
}

const form = one("#correction");
if (form) {
  for (const field of all("[data-places]", form)) drawField(field);
  form.addEventListener("input", (event) => {
    const field = event.target.closest("[data-path]");
    if (field?.dataset.places) drawField(field);
    if (!deck.hidden) drawDeck();
    // Clause and reason are not in the preview.
    if (field?.dataset.was === undefined) return;
    field.classList.toggle("is-changed", event.target.value.trim() !== field.dataset.was);
    stale();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    look(form);
  });
  deck.addEventListener("click", (event) => {
    const key = event.target.closest("[data-card]");
    if (key) set(key.dataset.card);
    else if (event.target.closest("[data-take]")) set("");
    else if (event.target.closest("[data-shut]")) choose(chosen.field, chosen.index);
  });
}
const sends = rule ?? sign;
sends?.addEventListener("submit", (event) => {
  event.preventDefault();
  if ((rule ?? form).reportValidity()) send();
});
rule?.addEventListener("change", drawRule);

// --- A dispute ---

const inASentence = ({ message, way_out }) => [message, way_out].filter(Boolean).join(" ");

// Sends a form as it stands: it says why it was refused, or the page shows it done, at `place`.
async function sendWhole(form, path, body, { signature, place, then }) {
  const button = one("button", form);
  button.disabled = true;
  const answer = await post(api + path, body, signature);
  button.disabled = false;
  if (answer.done) {
    if (then) return location.assign(then(JSON.parse(answer.text)));
    return loadAt(place);
  }
  const words = one("[role=alert]", form);
  words.textContent = inASentence(answer.refused);
  words.hidden = false;
}

const raise = one("#raise-form");
raise?.addEventListener("submit", (event) => {
  event.preventDefault();
  const values = new FormData(raise);
  const boxes = values.getAll("boxes").map(Number);
  const dispute = { about: values.get("about"), boxes, statement: values.get("statement") };
  const then = "leads" in raise.dataset && (({ id }) => `/disputes/${id}/`);
  sendWhole(raise, "disputes/", dispute, { place: "disputes", then });
});

// --- The release of a closed round that is held ---

const release = one("#release");
release?.addEventListener("submit", (event) => {
  event.preventDefault();
  const { version, hold } = release.dataset;
  const signature = signatureOf(release);
  const body = { version: Number(version), hold: Number(hold), reason: release.elements.reason.value };
  sendWhole(release, "release/", body, { signature, place: "result" });
});

// --- The void of a round in play ---

const voiding = one("#void-form");
voiding?.addEventListener("submit", (event) => {
  event.preventDefault();
  const signature = signatureOf(voiding);
  const { clause, reason } = voiding.elements;
  const body = { version: Number(voiding.dataset.version), clause: clause.value, reason: reason.value };
  sendWhole(voiding, "void/", body, { signature, place: "result" });
});

// --- A closed round that waits for its next try ---

const attempt = one("#try");
attempt?.addEventListener("submit", (event) => {
  event.preventDefault();
  sendWhole(attempt, "try/", {}, { place: "settlement" });
});

// --- A payment whose patron has left ---

for (const form of all("[data-left]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { generation, left } = form.dataset;
    const signature = signatureOf(form);
    sendWhole(form, "left/", { generation: Number(generation), box: Number(left) }, { signature, place: "result" });
  });
}

// The target of a link at the top is folded until then.
for (const name of ["correct", "raise", "void", "what-if"]) {
  const folded = one(`details#${name}`);
  one(`[data-open-${name}]`)?.addEventListener("click", () => (folded.open = true));
  if (folded && location.hash === `#${name}`) folded.open = true;
}

for (const button of all("[data-tick]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    const { generation, tick } = button.dataset;
    const answer = await post(`${api}ticks/`, { generation: Number(generation), box: Number(tick) });
    if (answer.done) return location.reload();
    button.disabled = false;
    const words = document.createElement("em");
    words.className = "wrong";
    words.setAttribute("role", "alert");
    words.textContent = inASentence(answer.refused);
    one("em", button.parentElement)?.remove();
    button.after(words);
  });
}
