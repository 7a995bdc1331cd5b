// The draft of the next action: the ringed box, the amount tapped so far, cards half entered. It knows offers and
// fields, never a game. It lives in the page and outlasts a swap of the felt as long as the round and its stage are the
// same. A place from which a card was taken back is null, so that those after it stay.

import { gettext, ngettext } from "./words.js";

const CARDS = new Set(["card", "cards"]);

const size = (field) => (field.kind === "card" ? 1 : field.maximum);
const least = (field) => (field.kind === "card" ? 1 : field.minimum);
// A list of cards with options arranges the cards of the fields that the options name: a player's own setting.
const arranges = (field) => CARDS.has(field.kind) && field.options.length > 0;
export const keyOf = (offer) => offer && `${offer.kind}:${offer.box}`;

export const unitsField = (offer) => offer.fields.find((field) => field.kind === "units");
export const cardFields = (offer) => offer.fields.filter((field) => CARDS.has(field.kind) && !arranges(field));
export const settingField = (offer) => offer.fields.find(arranges);

export class Draft {
  screen = null;
  ring = null;
  chosen = null;
  taps = [];
  // The amount is left from the box before: it may be staked again, and the first chip tapped begins another.
  repeated = false;
  contents = new Map();

  // Takes a screen from the server. Says whether its moment is another one, so that what was begun here is gone.
  take(screen) {
    const before = this.screen;
    this.screen = screen;
    const { chosen } = this;
    this.chosen = null;
    if (before && before.round === screen.round && String(before.stage) === String(screen.stage)) {
      this.chosen = chosen && screen.offers.find((offer) => keyOf(offer) === keyOf(chosen));
      return false;
    }
    this.contents.clear();
    const sameRound = before?.round === screen.round;
    // An amount stands for the next box, unless something else is expected of that.
    const expected = screen.offers.find((offer) => offer.primary);
    const other = expected && expected.box !== null && !unitsField(expected);
    if (!sameRound || !screen.offers.some(unitsField) || other) this.taps = [];
    // After an undo, the action is entered again at its own box.
    const goesOn = sameRound && !screen.amending && !screen.undone;
    this.ring = (goesOn && this.#nextStake(this.ring)) || screen.ring;
    for (const offer of screen.offers) if (offer.values) this.#fill(offer);
    this.repeated = this.taps.length > 0;
    return true;
  }

  // The values of the action that is being amended.
  #fill(offer) {
    const content = this.of(offer);
    for (const field of offer.fields) {
      const value = offer.values[field.name];
      if (field.kind === "units") this.taps = [value];
      else if (!CARDS.has(field.kind)) content.values[field.name] = value;
      else if (!arranges(field)) content.cards.push(...[value ?? []].flat());
      else if (value) [content.own, content.set] = [true, [...value]];
    }
  }

  #changed(offer) {
    const values = this.arguments(offer);
    const text = (value) => JSON.stringify(value ?? null);
    return offer.fields.some(({ name }) => text(values[name]) !== text(offer.values[name]));
  }

  // If boxes are staked one after the other, the ring goes on to the next free place.
  #nextStake(from) {
    const { offers } = this.screen;
    // Offers come in the order in which the boxes are asked.
    const places = [...new Set(offers.map((offer) => offer.box).filter(Boolean))];
    const at = Math.max(0, places.indexOf(from));
    const around = [...places.slice(at), ...places.slice(0, at)];
    return around.find((place) => offers.some((offer) => offer.box === place && unitsField(offer)));
  }

  // The buttons of this moment: those of the whole table and those of the ringed box.
  get open() {
    return this.screen.offers.filter((offer) => !offer.quiet && (offer.box === null || offer.box === this.ring));
  }

  get quiet() {
    return this.screen.offers.filter((offer) => offer.quiet);
  }

  // The one that is expected next, or that the croupier has begun to enter.
  get gold() {
    const open = this.open.filter((offer) => !offer.quick && offer.command !== "seats");
    const expected = this.screen.offers.find((offer) => offer.primary);
    return (
      open.find((offer) => offer === this.chosen) ??
      (this.units ? open.find(unitsField) : null) ??
      open.find((offer) => offer === expected) ??
      open.find((offer) => expected && offer.kind === expected.kind) ??
      open.findLast((offer) => offer.box !== null) ??
      null
    );
  }

  get units() {
    return this.taps.reduce((sum, tap) => sum + tap, 0);
  }

  canPick(place) {
    return this.screen.explained.includes(place) || this.screen.offers.some((offer) => offer.box === place);
  }

  pick(place) {
    if (!this.canPick(place)) return;
    // A second tap on a box shows the standings again.
    this.ring = this.screen.board && this.ring === place ? null : place;
    this.chosen = null;
    this.repeated = this.taps.length > 0;
  }

  addChip(units) {
    if (this.repeated) this.taps = [];
    this.repeated = false;
    this.taps.push(units);
  }

  // The next place to the left or right that can be picked.
  step(by) {
    const can = this.screen.places.filter((place) => this.canPick(place));
    if (!can.length) return;
    const at = can.indexOf(this.ring);
    this.pick(can[(at + by + can.length) % can.length] ?? can[0]);
  }

  of(offer) {
    const key = keyOf(offer);
    if (!this.contents.has(key)) this.contents.set(key, { cards: [], own: false, set: [], values: {} });
    return this.contents.get(key);
  }

  // Whether cards are asked for, but for no box yet: a person chooses one.
  get isUnboxed() {
    return !this.gold && this.screen.offers.some((offer) => cardFields(offer).length > 0);
  }

  entersCards(offer = this.gold) {
    return Boolean(offer) && cardFields(offer).length > 0;
  }

  room(offer) {
    return cardFields(offer).reduce((sum, field) => sum + size(field), 0);
  }

  // How many of a card are already entered in any box that is not sent yet.
  count(card) {
    let count = 0;
    for (const content of this.contents.values()) count += content.cards.filter((other) => other === card).length;
    return count;
  }

  // The place of a card of the grid if none of it is left; "" while one is.
  placeOf({ card, left, lies }) {
    if (Number(left) > this.count(card)) return "";
    return this.#drafted(card)[0] ?? lies;
  }

  // All places of a card of which none is left.
  placesOf({ card, places }) {
    return [...new Set([...places.split(", ").filter(Boolean), ...this.#drafted(card)])].join(", ");
  }

  // The places where a card lies that is entered and not yet sent.
  #drafted(card) {
    const holders = [...this.contents].filter(([, content]) => content.cards.includes(card));
    const boxes = holders.map(([name]) => name.split(":").at(-1));
    return boxes.map((box) => (box === "null" ? this.screen.middle : gettext("Box {box}", { box })));
  }

  // Whether a card of the grid can be entered, or put into the player's own setting.
  canAdd(key) {
    const offer = this.gold;
    if (!this.entersCards(offer)) return false;
    const { own, cards, set } = this.of(offer);
    if (own && cards.includes(key.card)) return !set.includes(key.card) && set.length < size(settingField(offer));
    return !this.placeOf(key) && this.next(offer) < this.room(offer);
  }

  // Enters a card; says whether that was possible.
  addCard(key) {
    const offer = this.gold;
    if (!this.canAdd(key)) return false;
    const content = this.of(offer);
    if (content.own && content.cards.includes(key.card)) content.set.push(key.card);
    else content.cards[this.next(offer)] = key.card;
    return true;
  }

  // The place that the next card goes to.
  next(offer) {
    const { cards } = this.of(offer);
    const gap = cards.indexOf(null);
    return gap < 0 ? cards.length : gap;
  }

  // Takes an entered card back, or puts it into the player's own setting.
  tapSlot(card) {
    const offer = this.gold;
    const content = this.of(offer);
    if (content.own) this.#toggleSet(offer, content, card);
    else content.cards[content.cards.lastIndexOf(card)] = null;
    this.#trim(content);
  }

  #trim(content) {
    while (content.cards.at(-1) === null) content.cards.pop();
  }

  #toggleSet(offer, content, card) {
    const at = content.set.indexOf(card);
    if (at >= 0) content.set.splice(at, 1);
    else if (content.set.length < size(settingField(offer))) content.set.push(card);
  }

  setOwn(own) {
    const content = this.of(this.gold);
    content.own = own;
    content.set = [];
  }

  // Takes the last card or chip back.
  takeBack() {
    const offer = this.gold;
    if (this.entersCards(offer)) {
      const content = this.of(offer);
      if (content.set.length) content.set.pop();
      else content.cards.pop();
      this.#trim(content);
    } else this.taps.pop();
  }

  // The cards of each field, in the order of entry.
  shares(offer) {
    const cards = [...this.of(offer).cards];
    return cardFields(offer).map((field) => ({ field, size: size(field), cards: cards.splice(0, size(field)) }));
  }

  value(offer, field) {
    const values = this.of(offer).values;
    if (field.kind === "count") return values[field.name] ?? field.minimum;
    return values[field.name] ?? (field.taps.length === 1 ? field.taps[0].value : null);
  }

  // Whether an offer has a number or a choice to look at before it is sent.
  asks(offer) {
    const isOpen = ({ kind, minimum, maximum, taps }) => taps.length > 1 || (kind === "count" && minimum < maximum);
    return offer.fields.some(isOpen);
  }

  // Ends the request for a number that its letter began.
  leave() {
    const { chosen } = this;
    if (!chosen?.quick) return null;
    this.chosen = null;
    return chosen;
  }

  // The number that a digit enters at once, as [offer, field, value].
  tapped(digit) {
    const asking = this.open.filter((offer) => offer.quick);
    if (asking.length !== 1) return null;
    const [field] = asking[0].fields;
    const tap = field.taps.find(({ value }) => String(value) === digit);
    return tap ? [asking[0], field, tap.value] : null;
  }

  // What is still to be entered for an offer, in words; "" when it can be sent.
  missing(offer) {
    if (unitsField(offer) && !this.units) return gettext("Tap the amount");
    // Optional fields may be left out, but not in part.
    const lacks = ({ field, cards }) => {
      const entered = cards.filter(Boolean).length;
      return field.optional && !entered ? 0 : Math.max(0, least(field) - entered);
    };
    const short = this.shares(offer).reduce((sum, share) => sum + lacks(share), 0);
    if (short) return ngettext("{count} card missing", "{count} cards missing", short);
    const content = this.of(offer);
    const setting = settingField(offer);
    const unset = setting && content.own ? least(setting) - content.set.length : 0;
    if (unset > 0 && content.set.length) return gettext("Tap {count} more", { count: unset });
    if (unset > 0) return gettext("Tap {count} of the {room}", { count: unset, room: this.room(offer) });
    const chosen = ["choice", "flag"];
    const choice = offer.fields.find((field) => chosen.includes(field.kind) && this.value(offer, field) === null);
    if (choice && !choice.optional) return gettext("Choose: {what}", { what: choice.label });
    return offer.values && !this.#changed(offer) ? gettext("Nothing changed yet") : "";
  }

  // An offer's arguments as the API takes them.
  arguments(offer) {
    const values = {};
    for (const { field, cards } of this.shares(offer)) {
      if (field.optional && !cards.some(Boolean)) continue;
      values[field.name] = field.kind === "card" ? cards[0] : cards;
    }
    const content = this.of(offer);
    for (const field of offer.fields) {
      if (field.kind === "units") values[field.name] = this.units;
      else if (!CARDS.has(field.kind)) values[field.name] = this.value(offer, field);
      else if (arranges(field) && content.own) values[field.name] = content.set;
    }
    return values;
  }
}
