// The keyboard, and a scanner, which types like one: a card's code, `TH` or `10h`, and Enter, without a pause. What each
// letter does stands in tables/words/letters.py; the page's own keys stand in `listen` below.
//
// The time between keys tells a hand from a scanner. A scanner types one every 1 to 30 ms; a hand that goes from one
// key to the next and on to Enter takes longer. So a letter waits until it is clear that none follows at once: 50 ms,
// which nobody feels. Letters that end with Enter in that time were scanned: they mean the card and nothing else, no
// shortcut, no button, not even that with the focus; and their Enter sends nothing. All others are a hand's, and do
// what they always do, in their order. One letter alone is a hand's: no card has so short a code. The time of the keys
// counts, not that of this page, which may be busy. In a field, text is text.

const PAUSE_MS = 50;

const free = (event) => !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing;
// Some scanners hold Shift for a capital, or press CapsLock before and after.
const MODIFIERS = new Set(["Shift", "CapsLock", "NumLock", "Alt", "AltGraph", "Control", "Meta"]);
const isLetter = ({ key, repeat }) => key.length === 1 && !" ?.".includes(key) && !repeat;
const inPopover = () => document.querySelector(":popover-open, dialog[open]");
// Radios and checkboxes take no letters.
const isText = (target) => target.closest("input:not([type=radio], [type=checkbox]), textarea, select");

// Letters held back until it is clear whose they are.
class Burst {
  #letters = [];
  #at = 0;
  #timer = null;
  // Whether an Enter has just ended a scan.
  #ended = false;

  constructor(typed) {
    this.typed = typed;
  }

  add({ key, timeStamp }) {
    if (timeStamp - this.#at > PAUSE_MS) this.flush();
    this.#letters.push(key);
    this.#ended = false;
    this.#at = timeStamp;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), PAUSE_MS);
  }

  // The code that an Enter ends, if it was scanned; "" for the second Enter of a scanner that ends a line with two.
  scanned({ timeStamp }) {
    if (timeStamp - this.#at > PAUSE_MS) return null;
    const code = this.#letters.length > 1 ? this.#letters.join("") : "";
    if (!code && (this.#letters.length || !this.#ended)) return null;
    this.#take();
    this.#ended = true;
    this.#at = timeStamp;
    return code;
  }

  // Treats them as a hand's.
  flush() {
    this.#ended = false;
    this.#take().forEach(this.typed);
  }

  #take() {
    clearTimeout(this.#timer);
    return this.#letters.splice(0);
  }
}

// `does` are the page's answers: enter, back, remove, arrow, letter, scan, question, dot, escape, and `digit` for what is
// typed in a popover beside its texts. Each but `letter`, `digit` and `scan` says whether it used the key.
export function listen(does) {
  const burst = new Burst((letter) => (inPopover() ? does.digit?.(letter) : does.letter(letter)));
  // Before any other answer to the key, so that a scan reaches no button and no popover.
  document.addEventListener(
    "keydown",
    (event) => {
      const { key, target } = event;
      if (MODIFIERS.has(key)) return;
      if (free(event) && !isText(target) && isLetter(event)) {
        burst.add(event);
        return used(event);
      }
      const code = key === "Enter" ? burst.scanned(event) : null;
      if (code === null) return burst.flush();
      event.stopImmediatePropagation();
      used(event);
      if (code) does.scan(code, event.timeStamp);
    },
    true,
  );
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!free(event) || (isLetter(event) && !isText(target))) return;
    if (isText(target)) {
      // A popover's form contains its button; a form in the dock has the gold one.
      if (key === "Enter" && !event.repeat && !inPopover()) used(event, does.enter());
      return;
    }
    if (key === "?") return used(event, does.question());
    if (key === ".") return used(event, does.dot());
    if (inPopover()) return;
    if (key === "Enter") {
      // On a focused button, Enter means that button; anywhere else, the gold one.
      if (!event.repeat && !target.closest("button, a")) used(event, does.enter());
      // Arrows go from one radio to the next.
    } else if (target.closest("input")) return;
    else if (key === "Backspace") used(event, does.back());
    else if (key === "Delete") used(event, does.remove());
    else if (key === "ArrowLeft") used(event, does.arrow(-1));
    else if (key === "ArrowRight") used(event, does.arrow(1));
    else if (key === "Escape") used(event, does.escape());
  });
}

function used(event, yes) {
  if (yes !== false) event.preventDefault();
}
