// Whoever works in the back office is logged out by the server after a while without a command. The page says so a minute
// before, and any key or touch then keeps them logged in. Afterwards it goes on showing, dimmed, and asks to log in again
// in its place, so that nothing that was typed is lost. All tabs of a browser share one session: a command in one of them
// counts for all.

import { all, one } from "./dom.js";
import { NO_PASSKEY, prove } from "./passkey.js";
import { gettext } from "./words.js";

const STORE = "active";
const PATIENCE_MS = 10_000;
const WARNING_MS = 60_000;
const template = one("#idle");
let dialog = null;
let isOut = false;
let timer = null;
let inAgainAt = 0;
// The server's request to a passkey, after the right password.
let challenge = null;
let warning = null;
let isStaying = false;

// --- When ---

const now = () => `${template.dataset.staff} ${Date.now()}`;
let last = template && now();

function kept() {
  try {
    return localStorage.getItem(STORE) ?? last;
  } catch {
    return last;
  }
}

// A command was answered, or the page was loaded.
export function active() {
  if (!template) return;
  last = now();
  try {
    localStorage.setItem(STORE, last);
  } catch {
    // A device that can't keep it counts for each tab separately.
  }
  look();
}

function look() {
  clearTimeout(timer);
  const [staff, at] = kept().split(" ");
  const since = staff === template.dataset.staff ? Number(at) : Number(last.split(" ")[1]);
  const whole = 1000 * Number(template.dataset.seconds);
  const left = since + whole - Date.now();
  if (left <= 0) return dim();
  const unwarned = left - Math.min(WARNING_MS, whole / 3);
  if (unwarned > 0) calm();
  else warn(left);
  timer = setTimeout(look, unwarned > 0 ? unwarned : Math.min(left, 1000));
}

// --- The last minute ---

function warn(left) {
  if (!warning) {
    warning = template.content.querySelector(".idle-soon").cloneNode(true);
    document.body.append(warning);
    warning.showPopover();
    document.dispatchEvent(new Event("leaving"));
    addEventListener("keydown", stay, true);
    addEventListener("pointerdown", stay, true);
  }
  one("[data-left]", warning).textContent = Math.ceil(left / 1000);
}

function calm() {
  warning?.remove();
  warning = null;
  removeEventListener("keydown", stay, true);
  removeEventListener("pointerdown", stay, true);
}

// Fetching one's own logins counts as loading a page. On a dead line the warning stays, and the next key tries again.
async function stay() {
  if (isStaying) return;
  isStaying = true;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { ok } = await fetch(template.dataset.accountPage, { method: "HEAD", redirect: "manual", signal });
    if (ok) active();
    else dim();
  } catch {
    // Says how much time is left.
  }
  isStaying = false;
}

// --- The page, dimmed ---

// Says whether the page can ask to log in again; if not, the caller leads to the login. A request from before the
// person logged in again is answered as if they had not: `askedAt` is when it was made, by `performance.now()`.
export function dim(askedAt = Infinity) {
  if (!template) return false;
  if (askedAt < inAgainAt) return true;
  if (!dialog) {
    dialog = template.content.querySelector("dialog").cloneNode(true);
    document.body.append(dialog);
    // Browsers still let Escape close it.
    dialog.addEventListener("close", () => isOut && dialog.showModal());
    one(".idle-calls", dialog).hidden = !one("#calls");
    one("a", dialog).href = `${template.dataset.loginPage}?next=${encodeURIComponent(location.pathname + location.search)}`;
    one("form", dialog).addEventListener("submit", (event) => {
      event.preventDefault();
      logIn(event.target);
    });
    one(".idle-passkey", dialog).addEventListener("click", (event) => usePasskey(event.target.form));
    // The dialog keeps its keys to itself, since the page behind it has keys of its own.
    dialog.addEventListener("keydown", (event) => event.stopPropagation());
  }
  calm();
  if (!isOut) document.dispatchEvent(new Event("loggedout"));
  isOut = true;
  if (!dialog.open) dialog.showModal();
  return true;
}

function say(words) {
  const wrong = one(".idle-wrong", dialog);
  wrong.textContent = words;
  wrong.hidden = !words;
}

const token = () =>
  document.cookie
    .split("; ")
    .map((pair) => pair.split("="))
    .find(([name]) => name === template.dataset.cookie)?.[1];

// The password, or the second step after it.
async function logIn(form) {
  const isSecond = !form.elements.code.disabled;
  const input = isSecond ? form.elements.code : form.elements.password;
  const body = new URLSearchParams(new FormData(form));
  body.set("in_place", "1");
  input.value = "";
  await send(form, isSecond ? template.dataset.secondPage : template.dataset.loginPage, body);
}

async function usePasskey(form) {
  let passkey;
  try {
    passkey = await prove(challenge);
  } catch (error) {
    return say(NO_PASSKEY[error.name] ?? NO_PASSKEY.other);
  }
  await send(form, template.dataset.secondPage, new URLSearchParams({ passkey, in_place: "1" }));
}

async function send(form, page, body) {
  const buttons = all("button", form);
  say("");
  for (const button of buttons) button.disabled = true;
  const { wrong, second, over } = await asked(page, body);
  for (const button of buttons) button.disabled = false;
  if (second) return ask(form, second);
  if (!wrong) return goOn();
  if (over) ask(form, null);
  say(wrong);
  one("label:not([hidden]) input:not([readonly])", form).focus();
}

// From the password to the second step, and back.
function ask(form, second) {
  challenge = second?.passkey ?? null;
  if (second && !second.has) return say(gettext("Your role needs a second step. Press “Somebody else” to add one."));
  for (const [label, isShown] of [[".idle-first", !second], [".idle-second", second]]) {
    one(label, form).hidden = !isShown;
    one(`${label} input`, form).disabled = !isShown;
  }
  one(".idle-passkey", form).hidden = !challenge;
  if (second) one(challenge ? ".idle-passkey" : ".idle-second input", form).focus();
}

// The text of a page that refuses a login: the login page's alert, or another page's heading and what follows.
function refusalIn(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  // The page of the second step asks anew: its earlier challenge no longer counts.
  challenge = one("form[data-prove]", page)?.dataset.prove ?? challenge;
  const parts = [...page.querySelectorAll("main [role=alert]")];
  if (!parts.length) parts.push(...page.querySelectorAll("main h1, main h1 + p"));
  return parts.map((part) => part.textContent.trim()).join(" ").trim();
}

// Returns what is wrong, in words, or what a second step takes; neither if the person is logged in.
async function asked(page, body) {
  let response;
  let refusal = "";
  let second = null;
  try {
    const headers = { "X-CSRFToken": token() ?? "" };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    response = await fetch(page, { method: "POST", redirect: "manual", headers, body, signal });
    if ([403, 429].includes(response.status)) refusal = refusalIn(await response.text());
    if (response.status === 202) second = await response.json();
  } catch {
    return { wrong: gettext("No answer came. Try again when the line is back.") };
  }
  if (second) return { second };
  if (response.type === "opaqueredirect") return {};
  if (response.status === 200) return { wrong: gettext("That isn’t your password.") };
  if (response.status === 401) return { wrong: gettext("The second step came too late. Enter your password again."), over: true };
  if (response.status === 429) return { wrong: refusal };
  if (response.status === 403 && page === template.dataset.secondPage && refusal) return { wrong: refusal };
  if (response.status === 403) return { wrong: gettext("This page is too old. Press “Somebody else” to log in again.") };
  return { wrong: gettext("The server failed ({status}). Try again.", { status: response.status }) };
}

// The token has changed with the login.
function goOn() {
  const fresh = token();
  const meta = one("meta[name=csrf-token]");
  if (meta) meta.content = fresh;
  for (const input of all("input[name=csrfmiddlewaretoken]")) input.value = fresh;
  isOut = false;
  if (dialog) ask(one("form", dialog), null);
  inAgainAt = performance.now();
  dialog?.close();
  active();
  document.dispatchEvent(new Event("loggedin"));
}

if (template) {
  active();
  document.addEventListener("visibilitychange", () => document.hidden || look());
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== STORE || !newValue) return;
    if (!dialog?.open) return look();
    // Logged in again in another tab: by the same person, or by somebody else whose page this is not.
    if (newValue.split(" ")[0] === template.dataset.staff) goOn();
    else location.reload();
  });
}
