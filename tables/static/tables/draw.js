// Puts the draft, the link's state and a refusal on the felt that the server has drawn.

import { all, one } from "./dom.js";
import { settingField, unitsField } from "./draft.js";
import { drawForm, missing as missingIn } from "./forms.js";
import { spell } from "./money.js";
import { gettext } from "./words.js";

export const formOf = (offer) => (offer?.form ? document.getElementById(offer.form) : null);

// What is still missing for an offer, in its cards and amounts or in its form.
export const missing = (draft, offer) => {
  const form = formOf(offer);
  return draft.missing(offer) || (form ? missingIn(form) : "");
};

export function draw({ draft, typed, refusal, link, waiting, locked, isStill }) {
  drawForms(draft, refusal, locked);
  drawBoxes(draft);
  drawBar(draft, waiting, locked, isStill);
  drawStake(draft);
  drawGrid(draft);
  drawSlots(draft, typed);
  drawHoles(draft);
  drawFields(draft);
  drawRefusal(refusal);
  drawLink(link, waiting);
  fitBar();
}

function drawForms(draft, refusal, locked) {
  const form = formOf(draft.gold);
  // A chosen box's payment covers the form of a step that nobody chose.
  const covered = draft.gold !== draft.chosen && (draft.screen.explained.includes(draft.ring) || one("[data-board]"));
  for (const way of all("[data-way]")) way.hidden = way !== form || covered;
  for (const other of all("[data-form]")) drawForm(other, refusal?.form === other.dataset.for ? refusal : null, locked);
}

function drawBoxes(draft) {
  for (const box of all("[data-box]")) {
    const place = Number(box.dataset.box);
    const ringed = place === draft.ring;
    box.classList.toggle("ring", ringed);
    if (ringed) box.setAttribute("aria-current", "step");
    else box.removeAttribute("aria-current");
    const pick = one("[data-pick]", box);
    pick.hidden = !draft.canPick(place);
    pick.setAttribute("aria-pressed", ringed);
  }
  const covered = Boolean(formOf(draft.chosen));
  for (const article of all("[data-explains]")) article.hidden = covered || Number(article.dataset.explains) !== draft.ring;
  const board = one("[data-board]");
  if (board) board.hidden = all("[data-explains], [data-way]").some((other) => !other.hidden);
}

const isSeating = () => !one("[data-way=seats]").hidden;

function drawBar(draft, waiting, locked, isStill) {
  const open = draft.open;
  const gold = draft.gold;
  draft.screen.offers.forEach((offer, index) => {
    const button = one(`[data-offer="${index}"]`);
    if (offer.quiet) {
      if (offer.command !== "sheet") button.setAttribute("aria-disabled", locked || Boolean(waiting));
      return;
    }
    const isGold = offer === gold;
    // An action that lacks only an amount needs no second button: the chips are on the table. Nor does one that a tap
    // on a number sends.
    const isSpared = offer.quick || (offer.command === "seats" && isSeating()) || (!isGold && unitsField(offer));
    button.hidden = Boolean(!open.includes(offer) || isSpared);
    button.classList.toggle("go", isGold);
    button.classList.toggle("tall", !isGold);
    if (button.hidden) return;
    const short = waiting ? gettext("Wait, not confirmed") : isGold ? missing(draft, offer) : "";
    const amount = unitsField(offer) ? spell(draft.units, draft.screen.decimals) : offer.amount;
    // The ringed box is named only once: by the gold button; those beside it say what the box does.
    const whose = isGold ? "" : offer.whose;
    one("[data-whose]", button).textContent = whose;
    one("[data-label]", button).textContent = isGold && short ? short : offer.label.slice(whose.length);
    one("[data-amount]", button).textContent = isGold && short ? "" : amount;
    const key = isGold && offer.enter ? "↵" : offer.key;
    one("[data-key]", button).textContent = key;
    one("[data-key]", button).hidden = !key || Boolean(short);
    button.classList.toggle("short", Boolean(short));
    button.setAttribute("aria-disabled", Boolean(short) || locked || isStill(offer));
  });
}

// How many words there was room for in the bar, by its content.
const roomOf = new Map();

// Words beside the icons of the bar, as many as there is room for: the call's, of flag and scale, of list and menu.
export function fitBar() {
  const bar = one(".bar");
  const parts = all(".called, .remark, button:not([hidden])", bar).map((part) => part.textContent.trim());
  const key = [innerWidth, ...parts].join();
  if (!roomOf.has(key)) roomOf.set(key, roomIn(bar));
  bar.dataset.words = roomOf.get(key);
}

function roomIn(bar) {
  const tools = one(".tools", bar);
  // Buy-ins and tips are in the menu too, and by their keys: they give way before the bar takes another row.
  const least = tried(bar, -1);
  const fits = (words) => {
    const { height, hidden } = tried(bar, words);
    return height <= least.height && hidden <= least.hidden && tools.scrollWidth <= tools.clientWidth;
  };
  return [3, 2, 1, 0].find(fits) ?? -1;
}

// Lays out the bar with this many words; returns its height, and how much of Undo's text is cut.
function tried(bar, words) {
  bar.dataset.words = words;
  const undo = all(".two, .two small", bar);
  return { height: bar.offsetHeight, hidden: undo.reduce((sum, part) => sum + part.scrollWidth - part.clientWidth, 0) };
}

function drawStake(draft) {
  const panel = one("[data-panel=units]");
  if (!panel) return;
  const offer = draft.open.find(unitsField);
  const { decimals } = draft.screen;
  panel.hidden = false;
  one("[data-stake-label]", panel).textContent = offer ? offer.label : gettext("Choose a free box");
  one("[data-stake]", panel).textContent = spell(draft.units, decimals);
  panel.classList.toggle("none", !draft.units);
  one("[data-clear-stake]", panel).hidden = !draft.units;
  const last = offer && unitsField(offer).last;
  const again = one("[data-last-stake]", panel);
  again.hidden = !last || last === draft.units;
  again.dataset.units = last ?? "";
  one(".num", again).textContent = last ? spell(last, decimals) : "";
}

function drawGrid(draft) {
  for (const panel of all("[data-panel=cards]")) panel.hidden = false;
  for (const key of all("[data-card]")) {
    const { card, copies, left, name } = key.dataset;
    const place = draft.placeOf(key.dataset);
    key.disabled = Boolean(place) && !draft.canAdd(key.dataset);
    key.classList.toggle("used", Boolean(place));
    const spare = Number(left) - draft.count(card);
    const isUsed = place === draft.screen.used;
    one("i", key).textContent = place || (Number(copies) > 1 ? `×${spare}` : "");
    const spares = Number(copies) > 1 ? gettext("{card}, {count} left", { card: name, count: spare }) : name;
    const lying = isUsed ? gettext("{card}, used", { card: name }) : gettext("{card}, lies in {place}", { card: name, place });
    key.setAttribute("aria-label", place ? lying : spares);
  }
}

// A card as the server would draw it, from the page's one template.
function face(code) {
  const { text, sign, mark, hue, name } = one(`[data-card="${CSS.escape(code)}"]`).dataset;
  const card = document.getElementById("card").content.firstElementChild.cloneNode(true);
  const svg = one("svg", card);
  svg.setAttribute("class", `hue-${hue}`);
  svg.setAttribute("aria-label", name);
  const label = one(".rank", svg);
  const [first, second] = text.split("+");
  label.textContent = second ? "" : text;
  if (second) {
    // A card that counts as either of two.
    label.classList.add("two");
    label.setAttribute("y", "24");
    label.append(line(first, "0"), line(`+${second}`, "20"));
  } else if (text.length === 2) {
    label.setAttribute("x", "4");
    label.setAttribute("textLength", "29");
    label.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  for (const use of all("use", svg)) sign ? use.setAttribute("href", `#suit-${sign}`) : use.remove();
  one(".mark", svg).textContent = mark;
  return card;
}

function line(text, dy) {
  const span = document.createElementNS("http://www.w3.org/2000/svg", "tspan");
  span.setAttribute("x", "5");
  span.setAttribute("dy", dy);
  span.textContent = text;
  return span;
}

function drawSlots(draft, typed) {
  const panel = one("[data-slots]");
  if (!panel) return;
  const focused = document.activeElement?.id;
  panel.replaceChildren();
  const offer = draft.gold;
  if (draft.isUnboxed) panel.append(element("h2", {}, gettext("Which box leads? Tap it.")));
  if (!draft.entersCards(offer)) return;
  const content = draft.of(offer);
  panel.classList.toggle("many", draft.room(offer) > 7);
  const heading = element("h2", {}, offer.label);
  if (content.cards.length && !content.own) heading.append(element("small", {}, gettext("tap a card to take it back")));
  panel.append(heading);
  if (offer.first) panel.append(element("p", { class: "first" }, offer.first));
  let index = 0;
  for (const { field, size, cards } of draft.shares(offer)) {
    const set = element("div", { class: "set", role: "group", "aria-label": field.label });
    set.append(element("p", {}, field.label));
    const row = element("div", { class: "row" });
    for (let place = 0; place < size; place++, index++) row.append(slot(content, cards[place], index, draft.next(offer), typed));
    set.append(row);
    panel.append(set);
  }
  const setting = settingField(offer);
  if (setting) panel.append(settingToggle(content, setting));
  if (focused) document.getElementById(focused)?.focus();
}

function slot(content, code, index, nextIndex, typed) {
  const next = index === nextIndex;
  const classes = ["slot", next ? "now" : "", code && content.set.includes(code) ? "set" : ""].join(" ");
  if (code) {
    const button = element("button", { class: classes, type: "button", id: `slot-${index}`, "data-slot": code });
    const card = face(code);
    if (content.own) button.setAttribute("aria-pressed", content.set.includes(code));
    else button.setAttribute("aria-label", gettext("Take back the {card}", { card: one("svg", card).getAttribute("aria-label") }));
    button.append(card);
    return button;
  }
  const holder = element("span", { class: classes });
  if (next && typed) holder.append(element("b", typed.length > 2 ? { class: "long" } : {}, typed));
  return holder;
}

function settingToggle(content, setting) {
  const group = element("div", { class: "toggle", role: "group", "aria-label": setting.label });
  for (const [own, label] of [[false, gettext("House sets")], [true, gettext("Player sets")]]) {
    const button = element("button", { class: "btn", type: "button", id: `own-${own}`, "data-own": own }, label);
    button.setAttribute("aria-pressed", content.own === own);
    if (content.own !== own) button.append(element("kbd", {}, "P"));
    group.append(button);
  }
  return group;
}

// If a place on the felt shows as many closed cards as are entered, they turn over there, too.
function drawHoles(draft) {
  for (const hole of all("[data-hole]")) {
    hole.classList.remove("now");
    one(".card", hole)?.remove();
  }
  const offer = draft.gold;
  if (!draft.entersCards(offer) || offer.values) return;
  const holes = all(`[data-place="${offer.box ?? "dealer"}"] [data-hole]`);
  const { cards } = draft.of(offer);
  if (holes.length !== draft.room(offer)) return;
  cards.forEach((code, index) => code && holes[index].append(face(code)));
  holes[draft.next(offer)]?.classList.add("now");
}

function drawFields(draft) {
  const gold = draft.gold;
  for (const panel of all("[data-panel=field]")) {
    const offer = draft.screen.offers[Number(panel.dataset.of)];
    panel.hidden = offer.quick ? !draft.open.includes(offer) : offer !== gold;
    panel.classList.toggle("asked", offer.quick && offer === draft.chosen);
    const value = draft.value(offer, offer.fields.find((field) => field.name === panel.dataset.field));
    const output = one("[data-value]", panel);
    if (output) output.textContent = value;
    if (offer.quick) continue;
    const { taps } = offer.fields.find((field) => field.name === panel.dataset.field);
    for (const tap of all("[data-tap]", panel)) tap.setAttribute("aria-pressed", taps[tap.dataset.tap].value === value);
  }
}

function drawRefusal(refusal) {
  const strip = one("[data-refusal]");
  // A popover that is still there shows its own.
  const isOf = (form) => form.dataset.for === refusal.form && form.closest(".popover");
  strip.hidden = !refusal || (refusal.form && all("[data-form]").some(isOf));
  if (strip.hidden) return;
  one("[data-message]", strip).textContent = refusal.message;
  one("[data-clause]", strip).textContent = refusal.clause ?? "";
  one("[data-way-out]", strip).textContent = refusal.way_out ?? "";
}

// Shows that a key does nothing: buttons that may be meant stir, and screen readers say why.
export function stir(words) {
  const status = one("[data-stir]");
  if (status) status.textContent = words;
  const buttons = all(".does .btn:not([hidden])");
  const gold = buttons.filter((button) => button.classList.contains("go"));
  for (const button of gold.length ? gold : buttons.length ? buttons : all(".bar")) {
    button.classList.remove("stir");
    // Begins the animation anew.
    void button.offsetWidth;
    button.classList.add("stir");
  }
}

function drawLink(link, waiting) {
  const fact = one(".facts .live dd");
  fact.dataset.state = link;
  const words = { live: gettext("Live"), lost: gettext("Disconnected"), connecting: isAway() ? "" : gettext("Connecting") };
  one("span", fact).textContent = words[link];
  const band = document.getElementById("offline");
  band.hidden = link !== "lost" && !waiting;
  one("b", band).textContent = link === "lost" ? gettext("Disconnected") : gettext("Not confirmed");
  one("[data-offline-words]", band).textContent = waiting
    ? gettext("“{command}” is kept and sent once when the line is back. Don’t enter it again.", { command: waiting })
    : gettext("What you have entered stays here. Nothing new is shown until the line is back.");
}

const isAway = () => one("#term").dataset.moment === "away";

export function drawClock(since) {
  const clock = one("[data-clock]");
  if (!clock) return;
  const { seconds, runs } = clock.dataset;
  const total = Number(seconds) + (runs === undefined ? 0 : Math.floor((performance.now() - since) / 1000));
  clock.textContent = `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
}

function element(name, attributes, text) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  return node;
}
