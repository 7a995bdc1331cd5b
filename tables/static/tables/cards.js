// Cards by keystroke and by scanner. What each is called stands on the keys of the grid.

import { all } from "./dom.js";

const TEN = "t";

// Whether a ten may also be typed 10: where it is written so, and no card's own keys begin with 1.
const hasTens = (keys) =>
  keys.some(({ text, keys: strokes }) => text === "10" && strokes.startsWith("T")) &&
  !keys.some(({ keys: strokes }) => strokes.startsWith("1"));

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

  // The strokes of the card that a letter completes, "" while it is under way, null if it begins no card.
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

  // A letter of a hand: {wrong} says what is wrong with the card that it completes; null if it belongs to no card.
  type(letter) {
    const keys = this.#keys;
    const strokes = this.typed.push(letter, keys.map((key) => key.keys.toLowerCase()), hasTens(keys));
    if (strokes === null) return null;
    const key = strokes && keys.find((other) => other.keys.toLowerCase() === strokes);
    return { wrong: key ? this.#enter(key) : null };
  }

  // A whole code of a scanner; what is wrong with it, or null.
  scan(code) {
    const keys = this.#keys;
    this.typed.clear();
    if (!keys.length) return wrong(`${code.toUpperCase()} was scanned, but no card is asked for now.`, "Nothing was done.");
    const strokes = hasTens(keys) ? code.toLowerCase().replace(/^10/, TEN) : code.toLowerCase();
    const key = keys.find((other) => other.keys.toLowerCase() === strokes);
    if (key) return this.#enter(key);
    return wrong(`“${code}” was scanned, which is no card of this deck.`, "Scan it again, or tap the card.");
  }

  #enter(key) {
    const { draft } = this;
    const place = draft.canAdd(key) ? "" : draft.placeOf(key);
    const twice = "Look at the card again; if there are two, report it.";
    if (place === "Used") return wrong(`The ${key.name} was used before.`, twice);
    if (place) return wrong(`The ${key.name} lies on the table already: ${place}.`, twice);
    if (!draft.canAdd(key)) {
      return wrong(`All cards are entered; the ${key.name} is one too many.`, "Send them, or take one back.");
    }
    draft.addCard(key);
    return null;
  }
}

const wrong = (message, way_out) => ({ message, way_out });
