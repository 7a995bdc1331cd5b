// What the pages with forms share: a command is sent with its own key, and a refusal told at the field that it names.

const PATIENCE_MS = 10_000;
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];
export const one = (selector, root = document) => root.querySelector(selector);
export const token = () => one("meta[name=csrf-token]").content;
// Not randomUUID: browsers give that to https and localhost alone.
const fresh = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const LOST = {
  message: "No answer came. It is not known whether it was done.",
  way_out: "Send it again when the line is back: it is done once.",
};

// A command's key by its content without the password. It stays until an answer came: sending again does it once.
const keys = new Map();

export async function post(path, content, signature) {
  const named = path + JSON.stringify(content);
  if (!keys.has(named)) keys.set(named, fresh());
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json",
    "X-CSRFToken": token(),
    "Idempotency-Key": keys.get(named),
  };
  const body = JSON.stringify(signature ? { ...content, signature } : content);
  const answer = await ask(path, { headers, body });
  if (answer !== LOST) keys.delete(named);
  return answer;
}

// Gives {done: text}, a refusal, or LOST.
export async function ask(path, request) {
  try {
    const response = await fetch(path, { method: "POST", signal: AbortSignal.timeout(PATIENCE_MS), ...request });
    const text = await response.text();
    if (response.ok) return { done: text };
    if (response.status >= 502) return LOST;
    const failed = { message: `The server failed (${response.status}). Nothing was done.`, way_out: "Try again." };
    return parsed(text) ?? failed;
  } catch {
    return LOST;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// --- Refusals, at the field that they name ---

// `root` has the fields; what names none of them is told in the page's strip.
export function show(root, refused, path = refused.path ?? "") {
  clear(root);
  const holds = (of) => path === of || path.startsWith(`${of}[`) || path.startsWith(`${of}.`);
  const named = all("[data-path]", root).filter((field) => holds(field.dataset.path));
  const field = named.sort((a, b) => b.dataset.path.length - a.dataset.path.length)[0];
  if (field) {
    const words = field.matches("[data-wrong-whole]") ? field : one("[data-wrong]", field);
    words.textContent = [refused.message, refused.clause, refused.way_out].filter(Boolean).join(" ");
    field.classList.add("is-wrong");
    const entry = one("input, select", field);
    entry?.setAttribute("aria-invalid", "true");
    (entry ?? field).scrollIntoView({ block: "center" });
    entry?.focus();
    return;
  }
  const strip = one("[data-refusal]");
  one("[data-message]", strip).textContent = refused.message;
  one("[data-clause]", strip).textContent = refused.clause ?? "";
  one("[data-way-out]", strip).textContent = refused.way_out ?? "";
  strip.hidden = false;
  strip.scrollIntoView({ block: "center" });
}

export function clear(root) {
  one("[data-refusal]").hidden = true;
  for (const field of all(".is-wrong", root)) field.classList.remove("is-wrong");
  for (const words of all("[data-wrong], [data-wrong-whole]", root)) words.textContent = "";
  for (const entry of all("[aria-invalid]", root)) entry.removeAttribute("aria-invalid");
}
