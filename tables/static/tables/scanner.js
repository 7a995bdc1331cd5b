// What a scanner typed, read by its profile: the prefix, a card's code, the suffix. A card without a code of its own is
// typed as on the keyboard; without a profile, every card is.

export const PLAIN = { prefix: "", suffix: "", codes: {} };

const TEN = "t";
// A card may be read twice by a scanner, or because a hand holds it there too long.
export const TWICE_MS = 700;

// Whether a ten may also be typed 10: if it is written so, and no card's own keys begin with 1.
export const hasTens = (keys) =>
  keys.some(({ text, keys: strokes }) => text === "10" && strokes.startsWith("T")) &&
  !keys.some(({ keys: strokes }) => strokes.startsWith("1"));

// The text between prefix and suffix; null if one of them is missing.
function inner(typed, { prefix, suffix }) {
  const whole = typed.length >= prefix.length + suffix.length;
  return whole && typed.startsWith(prefix) && typed.endsWith(suffix)
    ? typed.slice(prefix.length, typed.length - suffix.length)
    : null;
}

// The scanned card, by `keys`, each a card with its keystrokes; else {fault}: the frame is wrong, or the card unknown.
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
