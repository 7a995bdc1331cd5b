// The croupier's terminal: what is pressed becomes a draft, a draft a command, an answer a new felt.

import { Cards } from "./cards.js";
import { one } from "./dom.js";
import { Draft, keyOf, settingField } from "./draft.js";
import { draw, drawClock, fitBar, formOf, missing, stir } from "./draw.js";
import { Felt } from "./felt.js";
import { add, bodyOf, enter, focusFirst, forgetPasswords, missing as missingIn } from "./forms.js";
import { dim } from "./idle.js";
import { listen } from "./keys.js";
import { Live } from "./live.js";
import { inTheMeantime } from "./news.js";
import { Commands } from "./send.js";
import { STILL_MS, Stillness } from "./stillness.js";
import { gettext } from "./words.js";

const holder = document.getElementById("screen");
const draft = new Draft();
const cards = new Cards(draft, holder);
const commands = new Commands(holder.dataset.answers);
const stillness = new Stillness();
const RESUME_MS = 3000;
// If the table is not seen, there is no stream, and the page looks for a sign-on from elsewhere.
const AWAY_MS = 1000;
let refusal = null;
let locked = false;
// Whether the command under way was sent by its last card: the next card is meant for what comes after it.
let rolling = false;
// Input that came while locked, and waits for the next felt.
const later = [];
let newest = 0;
let connected = false;

const felt = new Felt(holder, { take, show });

const live = new Live(holder.dataset.live, {
  changed: (seq) => {
    newest = seq;
    // While a command is under way its own answer brings the new felt.
    if (!locked) catchUp();
  },
  turned: async (state) => {
    show();
    // On the first connection the page is as new as can be, unless a command was kept over a reload.
    const isNew = !connected && !commands.kept;
    if (state === "live") connected = true;
    if (state !== "connecting" && !(state === "live" && isNew) && (await felt.refresh())) await resume();
  },
});

// The data of what the server has drawn.
function read() {
  const { seq, staff, table, round, version, moment, client } = document.getElementById("term").dataset;
  return { ...JSON.parse(client), seq: Number(seq), staff, table, round, version: Number(version), moment };
}

function show() {
  // A command under way needs no mention while the link is up.
  const waiting = commands.busy && live.state !== "lost" ? null : commands.kept?.label;
  const isStill = (offer) => stillness.covers(offer);
  draw({ draft, typed: cards.typed.shown, refusal, link: live.state, waiting, locked, isStill });
  drawClock(felt.shownAt);
}

function catchUp() {
  if (newest > draft.screen.seq) felt.refresh();
}

// Takes over what the server has drawn. Anybody's step ends what was begun here, and clears an earlier refusal. `asked`
// is the number of the action that this felt should offer to amend.
function take(asked = null) {
  const before = draft.screen;
  const was = before && keyOf(draft.gold);
  const screen = read();
  if (asked && !screen.amending) felt.amending = null;
  if (!draft.take(screen)) return;
  const { moment, round } = screen;
  refusal = null;
  cards.typed.clear();
  if (moment === "away") live.pause();
  else live.resume();
  if (!before) return;
  const { gold } = draft;
  const ready = Boolean(gold) && !missing(draft, gold);
  stillness.turn({ before, screen, was, gold, ready, at: felt.shownAt });
  setTimeout(show, STILL_MS);
}

// Presses an offer: sends it, or lets what is missing be entered.
function press(offer) {
  if (!offer) return;
  if (offer.command === "sheet") return openPopover(offer.sheet);
  if (locked || commands.kept || stillness.covers(offer)) return;
  refusal = null;
  if (offer.command === "back") return amend(null);
  if (offer.command === "seats") {
    draft.chosen = draft.open.find(({ kind }) => kind === "open");
    return show();
  }
  const ready = offer === draft.gold || offer.quiet || !(draft.asks(offer) || offer.form);
  if (ready && !missing(draft, offer)) return send({ ...commandOf(offer), label: offer.label });
  draft.chosen = offer;
  show();
  if (formOf(offer)) focusFirst(formOf(offer));
}

function commandOf(offer) {
  const form = formOf(offer);
  const action = offer.takes ? { arguments: draft.arguments(offer) } : {};
  const ofForm = form ? commandOfForm(form) : {};
  return { form, path: offer.path || ofForm.path, body: { ...offer.body, ...action, ...ofForm.body } };
}

function commandOfForm(form) {
  const body = bodyOf(form);
  if ("version" in form.dataset) body.version = draft.screen.version;
  if (form.dataset.kind) body.kind = form.dataset.kind;
  return { form, path: form.dataset.path, body, label: form.dataset.words };
}

// Opens a popover; says whether there is such a one.
function openPopover(id) {
  const popover = document.getElementById(id);
  popover?.togglePopover();
  return Boolean(popover);
}

// Shows an action to be entered again; null goes back to the round.
async function amend(ordinal) {
  felt.amending = ordinal;
  holder.querySelector(".popover:popover-open")?.hidePopover();
  await felt.refresh();
}

async function send({ path, body, label, form }) {
  const { staff } = draft.screen;
  // Remove it from the page before the answer comes; a signed command is not kept either.
  if (form) forgetPasswords(form);
  await locking(() => commands.send({ staff, path: holder.dataset.api + path, body, label }), { label, form });
}

async function resume() {
  if (!commands.kept || locked) return;
  if (draft.screen.moment === "away") {
    const message = gettext("“{command}” wasn’t confirmed and isn’t sent again.", { command: commands.kept.label });
    refusal = { message, way_out: gettext("Somebody else deals here now.") };
    commands.drop();
    return show();
  }
  await locking(() => commands.resume(draft.screen.staff), { label: commands.kept.label });
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
    const message = gettext("This page failed: {error}.", { error: error.message });
    refusal = { message, way_out: gettext("Reload it and look at the round again.") };
  } finally {
    locked = rolling = false;
    show();
    for (const goOn of later.splice(0)) goOn();
    catchUp();
  }
}

// Empties a form whose command is done or given up.
function drop(form) {
  form?.reset();
  delete form?.dataset.asked;
}

async function answered(answer, label, form) {
  if (!answer) return;
  const seen = draft.screen;
  if (answer.status === 401 && !dim()) return location.assign(holder.dataset.login);
  if (answer.done) {
    felt.amending = null;
    if (form?.closest(".popover")?.matches(":popover-open")) form.closest(".popover").hidePopover();
    drop(form);
  }
  // A refusal because of content changes nothing; one because of the moment or a right means that this felt is old.
  const old = answer.done || [403, 404, 409].includes(answer.status) || (answer.lost && !commands.kept);
  stillness.own = Boolean(answer.done);
  if (answer.felt) felt.put(answer.felt);
  else if (old) await felt.refresh();
  stillness.own = false;
  if (answer.refused) refusal = { ...inTheMeantime(answer.refused, seen, draft.screen), form: form?.dataset.for };
  else if (answer.dropped) {
    const command = answer.dropped.label;
    refusal = { message: gettext("“{command}” wasn’t sent: somebody else is logged in now.", { command }), way_out: "" };
  } else if (answer.lost && !commands.kept) {
    const message = gettext("No answer came to “{command}”.", { command: label });
    refusal = { message, way_out: gettext("Look at the round; sign again if it wasn’t done.") };
  }
}

setInterval(() => {
  if (locked) return;
  const { moment, seq } = draft.screen;
  if (commands.kept) felt.refresh().then((worked) => worked && resume());
  else if (live.state === "lost" || moment === "settling" || newest > seq) felt.refresh();
}, RESUME_MS);
setInterval(() => draft.screen.moment === "away" && !locked && felt.refresh(), AWAY_MS);
setInterval(() => {
  drawClock(felt.shownAt);
  // New rules count from a moment for which the log has no entry.
  const rules = one("[data-comes-in]");
  if (!locked && rules && performance.now() - felt.shownAt > 1000 * Number(rules.dataset.comesIn)) felt.refresh();
}, 1000);
addEventListener("resize", fitBar);

// Mouse and touch.
const taps = {
  pick: (place) => draft.pick(Number(place)),
  chip: (units) => draft.addChip(Number(units)),
  clearStake: () => (draft.taps = []),
  lastStake: (_, button) => (draft.taps = [Number(button.dataset.units)]),
  card: (card) => tapCard(card),
  slot: (card) => draft.tapSlot(card),
  own: (own) => draft.setOwn(own === "true"),
  tap: (index, button) => {
    const [offer, field] = fieldOf(button);
    tapValue(offer, field, field.taps[Number(index)].value);
  },
  step: (by, button) => setField(button, (field, value) => clamp(field, value + Number(by) * field.step)),
  add: (units, button) => add(button.dataset.to, Number(units)),
  empty: (id) => add(id, null),
  dismiss: () => {},
};

// Enters a card of the grid; after a card that sent its play, it waits for the next felt.
function tapCard(card) {
  if (rolling) return later.push(() => tapCard(card) || show());
  const key = holder.querySelector(`[data-card="${CSS.escape(card)}"]`);
  if (draft.isUnboxed) refusal = cards.unboxed;
  else if (draft.addCard(key.dataset)) entered();
}

// An action that is done as soon as its cards are there needs no button.
function entered() {
  const gold = draft.gold;
  if (!gold.at_once || locked || commands.kept || missing(draft, gold)) return;
  rolling = true;
  send({ ...commandOf(gold), label: gold.label });
}

const clamp = (field, value) => Math.min(field.maximum, Math.max(field.minimum, value));

function fieldOf(button) {
  const { of, field: name } = button.closest("[data-field]").dataset;
  const offer = draft.screen.offers[Number(of)];
  return [offer, offer.fields.find((other) => other.name === name)];
}

// If a value is all that an offer needs, it is sent at once.
function tapValue(offer, field, value) {
  if (offer.quick && (locked || commands.kept || stillness.covers(offer))) return;
  draft.of(offer).values[field.name] = value;
  if (offer.quick) send({ ...commandOf(offer), label: offer.label });
}

function setField(button, next) {
  const [offer, field] = fieldOf(button);
  draft.of(offer).values[field.name] = next(field, draft.value(offer, field));
}

holder.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { offer, amend: ordinal, command, words, reason } = button.dataset;
  // A button with a popover opens it by itself.
  if (offer) return button.popoverTargetElement ? null : press(draft.screen.offers[Number(offer)]);
  if (ordinal) return amend(Number(ordinal));
  if (command) {
    // While another command is under way it stays, to be pressed again.
    if (locked || commands.kept) return;
    button.closest(".popover")?.hidePopover();
    return send({ path: command, body: reason ? { reason } : {}, label: words });
  }
  const tap = Object.keys(taps).find((name) => name in button.dataset);
  if (!tap) return;
  refusal = null;
  taps[tap](button.dataset[tap], button);
  show();
  cards.typed.clear();
});

// Forms: each change may complete them, and their own button sends them.
holder.addEventListener("input", (event) => {
  const form = event.target.closest("[data-form]");
  if (!form) return;
  if (event.target.dataset.among) form.dataset.chosen = event.target.value;
  if ("decimals" in event.target.dataset) delete form.dataset.asked;
  refusal = null;
  show();
});
holder.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-form]");
  if (!form) return;
  event.preventDefault();
  if (!missingIn(form) && !locked && !commands.kept) send(commandOfForm(form));
});
// Opening and closing don't bubble. An amount that was given up isn't there the next time: digits would be added to it.
holder.addEventListener(
  "toggle",
  ({ newState, target }) => {
    if (!target.classList.contains("popover")) return;
    if (newState !== "open") return drop(one("form:has([data-decimals])", target));
    // The last entries are at the end; a list that a new felt has opened again stays where it was.
    if (target.id === "actions" && !("again" in target.dataset)) target.scrollTop = target.scrollHeight;
    delete target.dataset.again;
    const form = target.querySelector("[data-form]");
    if (!form) return;
    show();
    if (!target.contains(document.activeElement)) focusFirst(form);
  },
  true,
);

// A mouse click leaves the focus where it was, so that Enter still means the gold button.
holder.addEventListener("mousedown", (event) => event.target.closest("button") && event.preventDefault());

listen({
  enter() {
    const gold = draft.gold;
    if (locked || commands.kept) stir(gettext("Wait: the last command is under way."));
    else if (!gold?.enter) stir(gettext("Enter does nothing here."));
    else if (missing(draft, gold)) stir(missing(draft, gold));
    else if (stillness.covers(gold)) stir(gettext("This button has only just appeared. Press again."));
    else press(gold);
    return Boolean(gold?.enter);
  },
  back() {
    if (cards.typed.buffer) cards.typed.clear();
    else draft.takeBack();
    return change();
  },
  arrow(by) {
    draft.step(by);
    return change();
  },
  remove() {
    draft.taps = [];
    return change();
  },
  escape() {
    if (refusal) return change();
    return felt.amending ? press(draft.quiet.find((offer) => offer.command === "back")) : false;
  },
  question: () => openPopover("keys"),
  dot: () => openPopover("menu"),
  digit(digit) {
    const button = holder.querySelector(`.popover:popover-open button[data-digit="${CSS.escape(digit)}"]`);
    if (button) return button.click();
    const form = holder.querySelector(".popover:popover-open [data-form]");
    if (!form) return;
    enter(form, digit);
    change();
  },
  letter(letter) {
    if (rolling) return later.push(() => this.letter(letter));
    // Among cards, its letter asks for a number; whatever comes next answers or cancels that.
    const chosen = draft.leave();
    const number = chosen && draft.tapped(letter);
    if (number) return tapValue(...number);
    const card = cards.asked && cards.type(letter);
    if (card) {
      change(card.wrong);
      return card.done && entered();
    }
    const quick = draft.tapped(letter);
    if (quick) return tapValue(...quick);
    const upper = letter.toUpperCase();
    const offer = [...draft.open, ...draft.quiet].find((other) => other.key === upper);
    const tap = holder.querySelector(`button[data-key="${CSS.escape(upper)}"]:not([hidden])`);
    if (tap) return tap.click();
    if (offer) return press(offer);
    // `Cards.PLAYER_SETS` in tables/words/letters.py; digits choose a box.
    if (upper === "P" && cards.asked && settingField(draft.gold)) draft.setOwn(!draft.of(draft.gold).own);
    else if (!cards.asked && draft.canPick(Number(letter))) draft.pick(Number(letter));
    else return false;
    return change();
  },
  scan,
});

// A scan while a command is under way is meant for the next felt.
function scan(code, at) {
  if (locked) return later.push(() => scan(code, at));
  const wrong = cards.scan(code, at);
  // The refusal of a scan stays until somebody has answered it, however fast the next card comes.
  refusal = wrong ?? refusal;
  show();
  if (wrong) return;
  entered();
  const { gold } = draft;
  if (!locked && gold.enter && !missing(draft, gold)) stir(gettext("All cards are entered. Enter sends them."));
}

function change(wrong = null) {
  refusal = wrong;
  show();
}

document.addEventListener("loggedin", () => felt.refresh());

take();
show();
if (draft.screen.moment !== "away") live.open();
