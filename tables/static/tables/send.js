// Sending: every command goes with a key of its own, and the server does it once, however often that key arrives.
// `Commands` is the terminal's: one at a time, kept while the link is down. `post` and `ask` are for pages with forms.

import { one } from "./dom.js";
import { active, dim } from "./idle.js";
import { signed } from "./signing.js";
import { gettext } from "./words.js";

const STORE = "command";
// Longer than the server makes a command wait for its turn.
const COMMAND_MS = 5000;
const FORM_MS = 10_000;
const GATEWAY = new Set([502, 503, 504]);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
// Not randomUUID, which browsers offer only to https and localhost.
const freshKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const token = () => one("meta[name=csrf-token]").content;

const LOGGED_OUT = {
  code: "not_logged_in",
  message: gettext("You were logged out."),
  clause: null,
  way_out: gettext("Log in and send it again."),
};

const failed = (status, way_out) => ({
  code: "server_failed",
  message: gettext("The server failed ({status}). Nothing was done.", { status }),
  clause: null,
  way_out,
});

const keyed = (key, body) => ({
  headers: {
    "Content-Type": "application/json",
    Accept: "application/json",
    "X-CSRFToken": token(),
    "Idempotency-Key": key,
    "Accept-Language": document.documentElement.lang,
  },
  body,
});

// Returns {done, text}, {refused, status} or {lost}; `refused` is null if the server gave no reason.
async function exchange(path, request, patience) {
  for (;;) {
    const askedAt = performance.now();
    let response;
    let text;
    try {
      response = await fetch(path, { method: "POST", signal: AbortSignal.timeout(patience), ...request });
      text = await response.text();
    } catch {
      return { lost: true };
    }
    if (GATEWAY.has(response.status)) return { lost: true };
    // Logged out meanwhile; a page answers that by leading to the login.
    if (response.status === 401 || response.redirected) {
      dim(askedAt);
      return { refused: LOGGED_OUT, status: 401 };
    }
    active();
    if (response.ok) return { done: true, text };
    const refused = parsed(text);
    if (refused?.code !== "in_flight") return { refused, status: response.status };
    // The same command is still under way at the server: ask again for its answer.
    await pause(1000 * refused.detail.retry_after);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// --- The terminal ---

// One command at a time. A command whose answer was lost is kept with its key, over a reload too, and sent once more when
// the link is back. It is dropped when somebody else is logged in by then. A signed command is never kept: it may hold
// a password.
export class Commands {
  busy = false;

  // `table` is the one whose felt comes with the answer; "" if the page shows another.
  constructor(table) {
    this.table = table;
  }

  get kept() {
    return JSON.parse(sessionStorage.getItem(STORE));
  }

  drop() {
    sessionStorage.removeItem(STORE);
  }

  // Gives {done, felt}, {refused, status} or {lost}; null if another command is under way.
  async send({ staff, path, body, label }) {
    if (this.busy || this.kept) return null;
    const { signature, ...content } = body;
    const key = freshKey();
    if (signature) {
      const answer = await this.#signed(signature, { path, body: content, key });
      if (answer.refused) return { refused: answer.refused, status: 0 };
      return this.#deliver({ path, key, body: JSON.stringify({ ...content, signature: answer.signature }) });
    }
    const command = { staff, path, body: JSON.stringify(body), label, key };
    sessionStorage.setItem(STORE, JSON.stringify(command));
    return this.#deliver(command);
  }

  // No other command goes out while somebody signs.
  async #signed(signature, command) {
    this.busy = true;
    try {
      return await signed(signature, command);
    } finally {
      this.busy = false;
    }
  }

  // Sends the kept command once more, if it is still the same person's.
  async resume(staff) {
    const command = this.kept;
    if (this.busy || !command) return null;
    if (command.staff !== staff) {
      this.drop();
      return { dropped: command };
    }
    return this.#deliver(command);
  }

  async #deliver({ path, key, body }) {
    this.busy = true;
    try {
      const request = keyed(key, body);
      // Only the felt after the command is read from the answer.
      request.headers.Prefer = `return=minimal, felt=${this.table}`;
      const answer = await exchange(path, request, COMMAND_MS);
      if (answer.lost) return answer;
      this.drop();
      if (answer.done) return { done: true, felt: parsed(answer.text)?.felt };
      const { refused, status } = answer;
      return { refused: refused ?? failed(status, gettext("Try again; if it fails again, call the pit boss.")), status };
    } finally {
      this.busy = false;
    }
  }
}

// --- Pages with forms ---

const LOST = {
  message: gettext("No answer came. It isn’t known whether it was done."),
  way_out: gettext("Send it again when the line is back: it’s done only once."),
};

// A command's key, by its content without the password. It is kept until an answer came, so sending again does it once.
const keys = new Map();

// Gives {done, text} or {refused}, as `ask` does.
export async function post(path, content, signature) {
  const name = path + JSON.stringify(content);
  if (!keys.has(name)) keys.set(name, freshKey());
  const signing = await signed(signature, { path, body: content, key: keys.get(name) });
  if (signing.refused) return signing;
  const body = JSON.stringify(signature ? { ...content, signature: signing.signature } : content);
  const answer = await exchange(path, keyed(keys.get(name), body), FORM_MS);
  if (!answer.lost) keys.delete(name);
  return inWords(answer);
}

// Fetches a fragment of the page by the values of a form. Nothing is written, so it needs no key.
export async function ask(path, form) {
  const headers = { Accept: "text/html", "X-CSRFToken": token() };
  return inWords(await exchange(path, { headers, body: new URLSearchParams(new FormData(form)) }, FORM_MS));
}

function inWords(answer) {
  if (answer.done) return answer;
  return { refused: answer.lost ? LOST : (answer.refused ?? failed(answer.status, gettext("Try again."))) };
}
