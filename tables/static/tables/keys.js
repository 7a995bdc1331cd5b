// The keyboard, and a scanner, which types like one.

const TEN = "t";

// Letters on their way to a card: T, then H. A ten may also be typed 10.
export class Typed {
  buffer = "";
  tens = false;

  get shown() {
    const text = this.buffer.toUpperCase();
    return this.tens ? text.replace("T", "10") : text;
  }

  clear() {
    this.buffer = "";
  }

  // The card that a letter completes, "" while it is under way, null if it begins no card. `tens` are written T.
  push(letter, cards, tens) {
    this.tens = tens;
    const begins = (text) => cards.some((card) => card.toLowerCase().startsWith(text));
    const tenTyped = tens && !begins("1");
    let text = this.buffer + letter.toLowerCase();
    if (tenTyped) text = text.replace(/^10/, TEN);
    if (!begins(text) && !(tenTyped && text === "1")) {
      text = letter.toLowerCase();
      if (!begins(text) && !(tenTyped && text === "1")) {
        this.buffer = "";
        return null;
      }
    }
    const card = cards.some((other) => other.toLowerCase() === text);
    this.buffer = card ? "" : text;
    return card ? text : "";
  }
}

const free = (event) => !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing;

// `does` are the page's answers: enter, back, remove, arrow, letter, question, escape. Each says whether it used the key.
export function listen(does) {
  document.addEventListener("keydown", (event) => {
    if (!free(event)) return;
    const inSheet = document.querySelector(":popover-open");
    if (event.target.closest("input, textarea, select")) {
      // A sheet's form has its button in it; that of a form in the dock is the gold one.
      if (event.key === "Enter" && !event.repeat && !inSheet) used(event, does.enter());
      return;
    }
    if (event.key === "?") return used(event, does.question());
    if (inSheet) return;
    if (event.key === "Enter") {
      // On a button that has the focus Enter means this button; anywhere else the gold one.
      if (!event.repeat && !event.target.closest("button, a")) used(event, does.enter());
    } else if (event.key === "Backspace") used(event, does.back());
    else if (event.key === "Delete") used(event, does.remove());
    else if (event.key === "ArrowLeft") used(event, does.arrow(-1));
    else if (event.key === "ArrowRight") used(event, does.arrow(1));
    else if (event.key === "Escape") used(event, does.escape());
    else if (event.key.length === 1 && event.key !== " " && !event.repeat) used(event, does.letter(event.key));
  });
}

function used(event, yes) {
  if (yes !== false) event.preventDefault();
}
