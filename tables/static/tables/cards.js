// Cards by keystroke and by scanner. The keys of the grid show what to type for each.

import { all } from "./dom.js";
import { PLAIN, TWICE_MS, cardOf, hasTens } from "./scanner.js";
import { gettext } from "./words.js";

const TEN = "t";
// What is wrong with a code that is not a card, by the scanner's fault.
const FAULTS = {
  frame: (code) => gettext("“{code}” was scanned, which doesn’t begin and end as this scanner’s cards do.", { code }),
  unknown: (code) => gettext("“{code}” was scanned, which isn’t a card of this deck.", { code }),
};

// Letters on their way to a card: T, then H.
class Typed {
  buffer = "";
  tens = false;

  get shown() {
    const text = this.buffer.toUpperCase();
    return this.tens ? text.replace("T", "10") : text;
  }

  clear() {
    this.buffer = "";
  }

  // The keystrokes of the card that a letter completes, "" while incomplete, null if it begins no card.
  push(letter, strokes, tens) {
    this.tens = tens;
    const begins = (text) => strokes.some((card) => card.startsWith(text)) || (tens && text === "1");
    let text = this.buffer + letter.toLowerCase();
    if (tens) text = text.replace(/^10/, TEN);
    if (!begins(text)) text = letter.toLowerCase();
    const card = strokes.includes(text);
    this.buffer = card || !begins(text) ? "" : text;
    return card ? text : begins(text) ? "" : null;
  }
}

export class Cards {
  typed = new Typed();
  // The card that was scanned last, and when.
  #read = null;

  constructor(draft, root) {
    this.draft = draft;
    this.root = root;
  }

  // The keys of the grid while cards are entered.
  get #keys() {
    return this.draft.entersCards() ? all("[data-card]", this.root).map(({ dataset }) => dataset) : [];
  }

  get asked() {
    return this.#keys.length > 0;
  }

  // A letter of a hand: {wrong} says what is wrong with the card that it completes, `done` whether it completed one that
  // is right; null if it belongs to no card.
  type(letter) {
    const keys = this.#keys;
    const strokes = this.typed.push(letter, keys.map((key) => key.keys.toLowerCase()), hasTens(keys));
    if (strokes === null) return null;
    const key = strokes && keys.find((other) => other.keys.toLowerCase() === strokes);
    const wrong = key ? this.#enter(key) : null;
    return { wrong, done: Boolean(key) && !wrong };
  }

  // Takes a scanner's whole code, and when it came; returns what is wrong with it, or null. A double read counts once.
  scan(code, at) {
    const keys = this.#keys;
    this.typed.clear();
    if (this.draft.isUnboxed) return this.unboxed;
    if (!keys.length) {
      const words = gettext("{code} was scanned, but no card is asked for now.", { code: code.toUpperCase() });
      return wrong(words, gettext("Nothing was done."));
    }
    const { key, fault } = cardOf(code, keys, this.draft.screen.scanner ?? PLAIN);
    if (!key) return wrong(FAULTS[fault](code), gettext("Scan it again, or tap the card."));
    const twice = key.card === this.#read?.card && at - this.#read.at < TWICE_MS;
    // A card's fault stays on the screen, however often it is read.
    const refused = twice ? null : this.#enter(key);
    this.#read = refused ? null : { card: key.card, at };
    if (!twice) return refused;
    const words = gettext("The {card} was read twice.", { card: key.name });
    return wrong(words, gettext("It’s entered once. If there’s another, scan that."));
  }

  get unboxed() {
    return wrong(gettext("No box is chosen for this card."), gettext("Tap the box that plays it, then the card."));
  }

  #enter(key) {
    const { draft } = this;
    const place = draft.canAdd(key) ? "" : draft.placeOf(key);
    const card = key.name;
    const twice = gettext("Look at the card again; if there are two, report it.");
    if (place === draft.screen.used) return wrong(gettext("The {card} was used before.", { card }), twice);
    if (place) {
      const places = draft.placesOf(key);
      return wrong(gettext("The {card} lies on the table already: {places}.", { card, places }), twice);
    }
    if (!draft.canAdd(key)) {
      const words = gettext("All cards are entered; the {card} is one too many.", { card });
      return wrong(words, gettext("Send them, or take one back."));
    }
    draft.addCard(key);
    return null;
  }
}

const wrong = (message, way_out) => ({ message, way_out });
