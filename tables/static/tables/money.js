import { POINT } from "./words.js";

// An amount typed in the currency, in its smallest unit: by its digits, never as a fraction. The field's pattern says
// whether a comma may be its decimal mark.
export function unitsOf(text, decimals) {
  const [whole, part = ""] = text.trim().split(/[.,]/);
  return Number(whole + part.padEnd(decimals, "0"));
}

// The reverse: an amount as people type it.
export function typed(units, decimals) {
  const digits = String(units).padStart(decimals + 1, "0");
  const part = decimals ? digits.slice(-decimals) : "";
  const whole = decimals ? digits.slice(0, -decimals) : digits;
  return /[1-9]/.test(part) ? `${whole}${POINT}${part}` : whole;
}

// The twin of `amount` in casino/wording.py: thin spaces for thousands, a true minus, decimals only where there are any.
export function spell(units, decimals) {
  const scale = 10 ** decimals;
  const size = Math.abs(units);
  const whole = String(Math.floor(size / scale)).replace(/\B(?=(\d{3})+$)/g, "\u2009");
  const part = size % scale;
  const text = part ? `${whole}${POINT}${String(part).padStart(decimals, "0")}` : whole;
  return units < 0 ? `\u2212${text}` : text;
}
