// The croupier's terminal: what is pressed becomes an entry, an entry a command, an answer a new felt.

import { Commands } from "./commands.js";
import { draw, drawClock } from "./draw.js";
import { Entry, settingField } from "./entry.js";
import { Typed, listen } from "./keys.js";
import { Live } from "./live.js";

const holder = document.getElementById("screen");
const entry = new Entry();
const typed = new Typed();
const commands = new Commands();
const RESUME_MS = 3000;
// A second press meant for "Close round" must not open the next round before anybody has seen what to pay.
const REST_MS = 400;
let refusal = null;
let locked = false;
let shownAt = performance.now();
let turnedAt = -REST_MS;
let newest = 0;
let connected = false;
// Who waits for a felt that is being fetched, and whether another is asked for meanwhile.
const waiters = [];
let fetching = false;
let again = false;

const live = new Live(holder.dataset.live, {
  changed: (seq) => {
    newest = Math.max(newest, seq);
    // While a command is under way its own answer brings the new felt.
    if (!locked) catchUp();
  },
  turned: async (state) => {
    show();
    // On the first connection the page is as new as can be, unless a command was kept over a reload.
    const known = !connected && !commands.kept;
    if (state === "live") connected = true;
    if (state !== "connecting" && !(state === "live" && known) && (await refresh())) await resume();
  },
});

// What the server has drawn, as data.
function read() {
  const { seq, staff, table, round, version, moment, client } = document.getElementById("term").dataset;
  return { ...JSON.parse(client), seq: Number(seq), staff, table, round, version: Number(version), moment };
}

function show() {
  const waiting = commands.busy ? null : commands.kept?.label;
  draw({ entry, typed: typed.buffer, refusal, live: live.state, waiting, locked });
  drawClock(shownAt);
}

// Fetches the felt anew; says whether that worked.
function refresh() {
  return new Promise((resolve) => {
    waiters.push(resolve);
    again = fetching;
    if (!fetching) fetchFelt();
  });
}

function fetchFelt() {
  fetching = true;
  htmx.trigger(holder, "refresh");
}

function fetched(worked) {
  fetching = false;
  const more = worked && again;
  again = false;
  if (more) return fetchFelt();
  for (const resolve of waiters.splice(0)) resolve(worked);
}

function catchUp() {
  if (newest > entry.screen.seq) refresh();
}

holder.addEventListener("htmx:afterSwap", () => {
  shownAt = performance.now();
  if (entry.take(read())) {
    typed.clear();
    turnedAt = shownAt;
  }
  show();
  fetched(true);
});
for (const name of ["sendError", "sendAbort", "responseError", "swapError", "timeout"]) {
  holder.addEventListener(`htmx:${name}`, (event) => {
    // Signed off meanwhile: the table is out of reach.
    if (event.detail.xhr?.status === 404) location.assign(holder.dataset.home);
    fetched(false);
  });
}

// Presses an offer: sends it, or lets what is missing be entered.
function press(offer) {
  if (!offer || locked || commands.kept) return;
  if (offer.command === "open" && performance.now() - turnedAt < REST_MS) return;
  refusal = null;
  if (!entry.missing(offer) && (offer === entry.gold || !entry.asks(offer))) return send(offer);
  entry.chosen = offer;
  show();
}

function route(offer) {
  const { table, round, version } = entry.screen;
  const api = holder.dataset.api;
  if (offer.command === "open") return { path: `${api}tables/${table}/rounds/`, body: {} };
  if (offer.command === "close") return { path: `${api}rounds/${round}/close/`, body: { version } };
  const { kind, box } = offer;
  return { path: `${api}rounds/${round}/actions/`, body: { version, kind, box, arguments: entry.arguments(offer) } };
}

async function send(offer) {
  await locking(() => commands.send({ staff: entry.screen.staff, label: offer.label, ...route(offer) }));
}

async function resume() {
  if (!commands.kept || locked) return;
  await locking(() => commands.resume(entry.screen.staff));
}

// One command at a time; whatever goes wrong, the buttons work again afterwards.
async function locking(command) {
  locked = true;
  show();
  try {
    await answered(await command());
  } catch (error) {
    refusal = { message: `This page failed: ${error.message}.`, way_out: "Reload it and look at the round again." };
  } finally {
    locked = false;
    show();
    catchUp();
  }
}

async function answered(answer) {
  if (answer?.refused) {
    if (answer.status === 401) return location.reload();
    refusal = answer.refused;
  }
  if (answer?.dropped) {
    refusal = { message: `“${answer.dropped.label}” was not sent: somebody else is logged in now.`, way_out: "" };
  }
  // A refusal for content changes nothing; one for the moment means that the felt here is old.
  if (answer?.done || answer?.status === 409) await refresh();
}

setInterval(() => {
  if (locked) return;
  if (commands.kept) refresh().then((worked) => worked && resume());
  else if (live.state === "lost" || entry.screen.moment === "settling" || newest > entry.screen.seq) refresh();
}, RESUME_MS);
setInterval(() => drawClock(shownAt), 1000);

// The mouse and touch.
const taps = {
  pick: (place) => entry.pick(Number(place)),
  chip: (units) => entry.addChip(Number(units)),
  clearStake: () => (entry.taps = []),
  lastStake: (_, button) => (entry.taps = [Number(button.dataset.units)]),
  card: (card, key) => entry.addCard(card, Number(key.dataset.left)),
  slot: (card) => entry.tapSlot(card),
  own: (own) => entry.setOwn(own === "true"),
  option: (option, button) => setField(button, () => option),
  step: (by, button) => setField(button, (field, value) => clamp(field, value + Number(by) * field.step)),
};

const clamp = (field, value) => Math.min(field.maximum, Math.max(field.minimum, value));

function setField(button, next) {
  const { of, field: name } = button.closest("[data-field]").dataset;
  const offer = entry.screen.offers[Number(of)];
  const field = offer.fields.find((other) => other.name === name);
  entry.draft(offer).values[name] = next(field, entry.value(offer, field));
}

holder.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.offer) return press(entry.screen.offers[Number(button.dataset.offer)]);
  const tap = Object.keys(taps).find((name) => name in button.dataset);
  if (!tap) return;
  taps[tap](button.dataset[tap], button);
  refusal = null;
  typed.clear();
  show();
});

// A mouse leaves the focus where it was, so that Enter goes on meaning the gold button.
holder.addEventListener("mousedown", (event) => event.target.closest("button") && event.preventDefault());

listen({
  enter() {
    const gold = entry.gold;
    if (!gold?.enter) return false;
    if (!entry.missing(gold)) press(gold);
    return true;
  },
  back() {
    if (typed.buffer) typed.clear();
    else entry.takeBack();
    return change();
  },
  arrow(by) {
    entry.step(by);
    return change();
  },
  remove() {
    entry.taps = [];
    return change();
  },
  escape() {
    if (!refusal) return false;
    return change();
  },
  question() {
    const keys = document.getElementById("keys");
    keys?.togglePopover();
    return Boolean(keys);
  },
  letter(letter) {
    const cards = entry.entersCards() ? [...holder.querySelectorAll("[data-card]")] : [];
    if (cards.length && typeCard(letter, cards)) return change();
    const upper = letter.toUpperCase();
    const offer = entry.open.find((other) => other.key === upper);
    const tap = holder.querySelector(`button[data-key="${CSS.escape(upper)}"]:not([hidden])`);
    if (tap) return tap.click();
    if (offer) return press(offer);
    if (upper === "P" && cards.length && settingField(entry.gold)) entry.setOwn(!entry.draft(entry.gold).own);
    else if (!cards.length && entry.canPick(Number(letter))) entry.pick(Number(letter));
    else return false;
    return change();
  },
});

function typeCard(letter, keys) {
  const card = typed.push(letter, keys.map((key) => key.dataset.card));
  if (card) entry.addCard(card, Number(keys.find((key) => key.dataset.card === card).dataset.left));
  return card !== null;
}

function change() {
  refusal = null;
  show();
}

entry.take(read());
show();
live.open();
