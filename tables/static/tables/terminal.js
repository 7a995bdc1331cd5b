// The croupier's terminal: what is pressed becomes an entry, an entry a command, an answer a new felt.

import { Cards } from "./cards.js";
import { Commands } from "./commands.js";
import { draw, drawClock, formOf, missing } from "./draw.js";
import { Entry, settingField } from "./entry.js";
import { Felt } from "./felt.js";
import { bodyOf, focusFirst, forgetPasswords, keep, missing as missingIn, restore } from "./forms.js";
import { listen } from "./keys.js";
import { Live } from "./live.js";
import { inTheMeantime } from "./news.js";

const holder = document.getElementById("screen");
const entry = new Entry();
const cards = new Cards(entry, holder);
const commands = new Commands();
const RESUME_MS = 3000;
// Who does not see the table has no stream: a sign-on from afar is looked for.
const AWAY_MS = 1000;
// A press meant for what the gold button was a moment ago must not do what it has become: tick a box, open the next
// round, close this one, relieve a croupier.
const REST_MS = 400;
let refusal = null;
let locked = false;
// The action that is entered again, and the one that the felt on its way was asked for.
let amending = null;
let asked = null;
let begun = null;
let shownAt = performance.now();
// When the screen last changed its stage, and when its moment.
let turnedAt = -REST_MS;
let movedAt = -REST_MS;
// The gold button that came into the place of another without being awaited, and when; whether our own command did it.
let risen = null;
let risenAt = -REST_MS;
let own = false;
// Scanned while locked.
const scans = [];
let newest = 0;
let connected = false;

const felt = new Felt(holder, {
  asking: (parameters) => {
    asked = amending;
    if (asked) parameters.amend = asked;
  },
  leaving: () => (begun = keep(holder)),
  come: () => {
    shownAt = performance.now();
    take();
    if (begun) restore(holder, begun);
    begun = null;
    show();
  },
});

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
    if (state !== "connecting" && !(state === "live" && known) && (await felt.refresh())) await resume();
  },
});

// What the server has drawn, as data.
function read() {
  const { seq, staff, table, round, version, moment, client } = document.getElementById("term").dataset;
  return { ...JSON.parse(client), seq: Number(seq), staff, table, round, version: Number(version), moment };
}

function show() {
  // One that is under way is nothing to speak of while the line is there.
  const waiting = commands.busy && live.state !== "lost" ? null : commands.kept?.label;
  draw({ entry, typed: cards.typed.shown, refusal, live: live.state, waiting, locked, rests });
  drawClock(shownAt);
}

function catchUp() {
  if (newest > entry.screen.seq) felt.refresh();
}

// Takes over what the server has drawn. A step by anybody ends what was begun here, and what was refused before it.
function take() {
  const before = entry.screen;
  const was = before && keyOf(entry.gold);
  const screen = read();
  if (asked && !screen.amending) amending = null;
  if (!entry.take(screen)) return;
  const { moment, round } = screen;
  refusal = null;
  cards.typed.clear();
  if (moment === "away") live.pause();
  else live.resume();
  if (!before) return;
  turnedAt = shownAt;
  if (before.moment !== moment || before.round !== round) movedAt = shownAt;
  const { gold } = entry;
  const ours = own && (before.round !== round || screen.version <= before.version + 1);
  // What can't be sent yet need not rest; after our own step only a step of the house comes unawaited.
  if (gold && keyOf(gold) !== was && !missing(entry, gold) && !(ours && gold.box !== null)) {
    [risen, risenAt] = [keyOf(gold), shownAt];
  }
  setTimeout(show, REST_MS);
}

const keyOf = (offer) => offer && `${offer.kind}:${offer.box}`;

function rests(offer) {
  const turned = { open: turnedAt, sign_on: turnedAt, tick: movedAt }[offer.kind] ?? -REST_MS;
  const since = keyOf(offer) === risen ? Math.max(turned, risenAt) : turned;
  return performance.now() - since < REST_MS;
}

// Presses an offer: sends it, or lets what is missing be entered.
function press(offer) {
  if (!offer) return;
  if (offer.command === "sheet") return openSheet(offer.sheet);
  if (locked || commands.kept || rests(offer)) return;
  refusal = null;
  if (offer.command === "back") return amend(null);
  if (offer.command === "seats") {
    entry.chosen = entry.open.find(({ kind }) => kind === "open");
    return show();
  }
  const ready = offer === entry.gold || offer.quiet || !(entry.asks(offer) || offer.form);
  if (ready && !missing(entry, offer)) return send({ ...commandOf(offer), label: offer.label });
  entry.chosen = offer;
  show();
  if (formOf(offer)) focusFirst(formOf(offer));
}

function commandOf(offer) {
  const form = formOf(offer);
  const told = offer.takes ? { arguments: entry.arguments(offer) } : {};
  const filled = form ? commandOfForm(form) : {};
  return { form, path: offer.path || filled.path, body: { ...offer.body, ...told, ...filled.body } };
}

function commandOfForm(form) {
  const body = bodyOf(form);
  if ("version" in form.dataset) body.version = entry.screen.version;
  if (form.dataset.kind) body.kind = form.dataset.kind;
  return { form, path: form.dataset.path, body, label: form.dataset.words };
}

// Says whether there is such a sheet.
function openSheet(id) {
  const sheet = document.getElementById(id);
  sheet?.togglePopover();
  return Boolean(sheet);
}

// Shows an action to be entered again; null goes back to the round.
async function amend(ordinal) {
  amending = ordinal;
  holder.querySelector(".sheet:popover-open")?.hidePopover();
  await felt.refresh();
}

async function send({ path, body, label, form }) {
  const { staff } = entry.screen;
  // Gone from the page before the answer comes; a signed command is not kept either.
  if (form) forgetPasswords(form);
  await locking(() => commands.send({ staff, path: holder.dataset.api + path, body, label }), { label, form });
}

async function resume() {
  if (!commands.kept || locked) return;
  if (entry.screen.moment === "away") {
    refusal = { message: `“${commands.kept.label}” was not confirmed and is not sent again.`, way_out: "Somebody else deals." };
    commands.drop();
    return show();
  }
  await locking(() => commands.resume(entry.screen.staff), { label: commands.kept.label });
}

// One command at a time; whatever goes wrong, the buttons work again afterwards.
async function locking(command, { label, form }) {
  locked = true;
  try {
    const answer = command();
    // From here on it is kept.
    show();
    await answered(await answer, label, form);
  } catch (error) {
    refusal = { message: `This page failed: ${error.message}.`, way_out: "Reload it and look at the round again." };
  } finally {
    locked = false;
    show();
    scans.splice(0).forEach(scan);
    catchUp();
  }
}

async function answered(answer, label, form) {
  if (!answer) return;
  const seen = entry.screen;
  if (answer.status === 401) return location.assign(holder.dataset.login);
  if (answer.done) {
    amending = null;
    if (form?.closest(".sheet")?.matches(":popover-open")) form.closest(".sheet").hidePopover();
    form?.reset();
  }
  // A refusal for content changes nothing; one for the moment or the right means that the felt here is old.
  const old = answer.done || [403, 404, 409].includes(answer.status) || (answer.lost && !commands.kept);
  own = Boolean(answer.done);
  if (old) await felt.refresh();
  own = false;
  if (answer.refused) refusal = { ...inTheMeantime(answer.refused, seen, entry.screen), form: form?.dataset.for };
  else if (answer.dropped) {
    refusal = { message: `“${answer.dropped.label}” was not sent: somebody else is logged in now.`, way_out: "" };
  } else if (answer.lost && !commands.kept) {
    refusal = { message: `No answer came to “${label}”.`, way_out: "Look at the round; sign again if it was not done." };
  }
}

setInterval(() => {
  if (locked) return;
  const { moment, seq } = entry.screen;
  if (commands.kept) felt.refresh().then((worked) => worked && resume());
  else if (live.state === "lost" || moment === "settling" || newest > seq) felt.refresh();
}, RESUME_MS);
setInterval(() => entry.screen.moment === "away" && !locked && felt.refresh(), AWAY_MS);
setInterval(() => drawClock(shownAt), 1000);

// The mouse and touch.
const taps = {
  pick: (place) => entry.pick(Number(place)),
  chip: (units) => entry.addChip(Number(units)),
  clearStake: () => (entry.taps = []),
  lastStake: (_, button) => (entry.taps = [Number(button.dataset.units)]),
  card: (_, key) => entry.addCard(key.dataset),
  slot: (card) => entry.tapSlot(card),
  own: (own) => entry.setOwn(own === "true"),
  tap: (index, button) => {
    const [offer, field] = fieldOf(button);
    tapValue(offer, field, field.taps[Number(index)].value);
  },
  step: (by, button) => setField(button, (field, value) => clamp(field, value + Number(by) * field.step)),
  dismiss: () => {},
};

const clamp = (field, value) => Math.min(field.maximum, Math.max(field.minimum, value));

function fieldOf(button) {
  const { of, field: name } = button.closest("[data-field]").dataset;
  const offer = entry.screen.offers[Number(of)];
  return [offer, offer.fields.find((other) => other.name === name)];
}

// A value that is all an offer needs is sent at once.
function tapValue(offer, field, value) {
  if (offer.quick && (locked || commands.kept || rests(offer))) return;
  entry.draft(offer).values[field.name] = value;
  if (offer.quick) send({ ...commandOf(offer), label: offer.label });
}

function setField(button, next) {
  const [offer, field] = fieldOf(button);
  entry.draft(offer).values[field.name] = next(field, entry.value(offer, field));
}

holder.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { offer, amend: ordinal, command, words } = button.dataset;
  // A button with a sheet opens it by itself.
  if (offer) return button.popoverTargetElement ? null : press(entry.screen.offers[Number(offer)]);
  if (ordinal) return amend(Number(ordinal));
  if (command) {
    button.closest(".sheet")?.hidePopover();
    return locked || commands.kept ? null : send({ path: command, body: {}, label: words });
  }
  const tap = Object.keys(taps).find((name) => name in button.dataset);
  if (!tap) return;
  taps[tap](button.dataset[tap], button);
  change();
  cards.typed.clear();
});

// Forms: each change may complete them, and their own button sends them.
holder.addEventListener("input", (event) => {
  const form = event.target.closest("[data-form]");
  if (!form) return;
  if (event.target.dataset.among) form.dataset.chosen = event.target.value;
  refusal = null;
  show();
});
holder.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-form]");
  if (!form) return;
  event.preventDefault();
  if (!missingIn(form) && !locked && !commands.kept) send(commandOfForm(form));
});
// Opening does not bubble.
holder.addEventListener(
  "toggle",
  ({ newState, target }) => {
    if (newState !== "open" || !target.classList.contains("sheet")) return;
    // What was entered last is at the end.
    if (target.id === "actions" && !begun) target.scrollTop = target.scrollHeight;
    const form = target.querySelector("[data-form]");
    if (!form) return;
    show();
    if (!target.contains(document.activeElement)) focusFirst(form);
  },
  true,
);

// A mouse leaves the focus where it was, so that Enter goes on meaning the gold button.
holder.addEventListener("mousedown", (event) => event.target.closest("button") && event.preventDefault());

listen({
  enter() {
    const gold = entry.gold;
    if (!gold?.enter) return false;
    if (!missing(entry, gold)) press(gold);
    return true;
  },
  back() {
    if (cards.typed.buffer) cards.typed.clear();
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
    if (refusal) return change();
    return amending ? press(entry.quiet.find((offer) => offer.command === "back")) : false;
  },
  question: () => openSheet("keys"),
  dot: () => openSheet("menu"),
  letter(letter) {
    const card = cards.asked && cards.type(letter);
    if (card) return change(card.wrong);
    const quick = entry.tapped(letter);
    if (quick) return tapValue(...quick);
    const upper = letter.toUpperCase();
    const offer = [...entry.open, ...entry.quiet].find((other) => other.key === upper);
    const tap = holder.querySelector(`button[data-key="${CSS.escape(upper)}"]:not([hidden])`);
    if (tap) return tap.click();
    if (offer) return press(offer);
    if (upper === "P" && cards.asked && settingField(entry.gold)) entry.setOwn(!entry.draft(entry.gold).own);
    else if (!cards.asked && entry.canPick(Number(letter))) entry.pick(Number(letter));
    else return false;
    return change();
  },
  scan,
});

// What is scanned while a command is under way is meant for the felt that comes.
function scan(code) {
  if (locked) return scans.push(code);
  // A scan that went wrong is told until a hand has answered it, however fast the next card comes.
  refusal = cards.scan(code) ?? refusal;
  show();
}

function change(wrong = null) {
  refusal = wrong;
  show();
}

take();
show();
if (entry.screen.moment !== "away") live.open();
