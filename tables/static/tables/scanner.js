// What a scanner typed, read by its profile: the prefix, a card's code, the suffix. A card without a code of its own is
// typed as on the keyboard; where no profile is set every card is.

export const PLAIN = { prefix: "", suffix: "", codes: {} };

const TEN = "t";
// One read of a card may come twice from a scanner, or from a hand that holds the card there too long.
export const TWICE_MS = 700;

// Whether a ten may also be typed 10: where it is written so, and no card's own keys begin with 1.
export const hasTens = (keys) =>
  keys.some(({ text, keys: strokes }) => text === "10" && strokes.startsWith("T")) &&
  !keys.some(({ keys: strokes }) => strokes.startsWith("1"));

// What is between prefix and suffix; null where one of them is missing.
function inner(typed, { prefix, suffix }) {
  const whole = typed.length >= prefix.length + suffix.length;
  return whole && typed.startsWith(prefix) && typed.endsWith(suffix)
    ? typed.slice(prefix.length, typed.length - suffix.length)
    : null;
}

// The card that was scanned, out of `keys`, each a card with the strokes that enter it; else {fault}: its frame, or the card is unknown.
export function cardOf(typed, keys, profile) {
  const code = inner(typed, profile);
  if (code === null) return { fault: "frame" };
  const own = Object.keys(profile.codes).find((card) => profile.codes[card] === code);
  const strokes = hasTens(keys) ? code.toLowerCase().replace(/^10/, TEN) : code.toLowerCase();
  const key = own
    ? keys.find(({ card }) => card === own)
    : keys.find(({ card, keys: its }) => !(card in profile.codes) && its.toLowerCase() === strokes);
  return key ? { key } : { fault: "unknown" };
}
