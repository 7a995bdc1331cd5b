// Forms in the dock and in popovers: what is still missing, what they send, and how they outlast a new felt. Their
// content is the server's; this knows only names and marks.

import { narrow } from "./clauses.js";
import { all, one } from "./dom.js";
import { spell, typed, unitsOf } from "./money.js";
import { isByPasskey } from "./signing.js";
import { gettext } from "./words.js";

const chosen = (form) => one("input[data-asks]:checked", form);
const ticks = (control) => control.type === "radio" || control.type === "checkbox";
// Each checkbox of a name counts separately, and a list that replaces a choice is not the choice.
const nameOf = (control) =>
  control.name + (control.type === "checkbox" ? ` ${control.value}` : control.type === "select-one" ? " select" : "");
// Whoever signs by passkey needs no password.
const isAsked = (form, control) => !control.closest("[data-when][hidden]") && !("password" in control.dataset && isByPasskey(form));
const inUse = (form) => [...form.elements].filter((control) => control.name && isAsked(form, control));

// Shows the parts that the choice asks for and, on the form's own button, its effect or what is missing.
export function drawForm(form, refusal, locked) {
  drawDealer(form);
  // An amount above what one person may enter: the server says so, and asks for a signature.
  if (refusal?.code === "signature_missing") form.dataset.asked = "signature";
  const asks = [...(chosen(form)?.dataset.asks.split(" ") ?? []), form.dataset.asked];
  for (const part of all("[data-when]", form)) part.hidden = !asks.includes(part.dataset.when);
  const words = one("[data-form-refusal]", form);
  if (words) {
    words.hidden = !refusal;
    words.textContent = refusal ? [refusal.message, refusal.way_out].filter(Boolean).join(" ") : "";
  }
  const button = one("[data-submit]", form);
  if (!button) return;
  const short = missing(form);
  button.textContent = short || chosen(form)?.dataset.effect || effectOf(form, button);
  button.classList.toggle("short", Boolean(short));
  button.setAttribute("aria-disabled", Boolean(short) || locked);
}

// The effect of a form with an amount names the amount.
function effectOf(form, button) {
  const amount = one("[data-decimals]", form);
  const { effect } = button.dataset;
  if (!amount) return effect;
  return gettext("{effect} {amount}", { effect, amount: spell(unitsIn(amount), Number(amount.dataset.decimals)) });
}

// What an amount comes to; 0 if it is not an amount.
function unitsIn({ dataset, value, validity }) {
  return value.trim() && validity.valid ? unitsOf(value, Number(dataset.decimals)) : 0;
}

// Adds a chip to an amount; null empties it. The new amount may need no signature.
export function add(id, units) {
  const amount = document.getElementById(id);
  amount.value = units === null ? "" : typed(unitsIn(amount) + units, Number(amount.dataset.decimals));
  delete amount.form.dataset.asked;
}

// A digit in an open form chooses among the numbers that come first; further digits belong to the amount that follows.
export function enter(form, digit) {
  const amount = one("[data-decimals]", form);
  if (!amount || !/^[0-9]$/.test(digit)) return;
  const choices = all("input[type=radio][data-first]", form);
  const choice = choices.find(({ value }) => value === digit);
  if (choice && document.activeElement !== amount) choice.checked = true;
  else if (choices.length && document.activeElement !== amount) return;
  else amount.value += digit;
  amount.focus();
}

// The next playing box to the left deals, unless another was chosen.
function drawDealer(form) {
  const dealers = all("input[data-among]", form);
  if (!dealers.length) return;
  const playing = all(`input[name=${dealers[0].dataset.among}]:checked`, form).map(({ value }) => Number(value));
  const last = Number(form.dataset.lastDealer);
  const chosen = Number(form.dataset.chosen);
  const next = last ? (playing.find((box) => box > last) ?? playing[0]) : playing.at(-1);
  for (const dealer of dealers) {
    const box = Number(dealer.value);
    dealer.disabled = !playing.includes(box);
    dealer.checked = box === (playing.includes(chosen) ? chosen : next);
  }
}

// What is still to be filled in, in words; "" when it can be sent.
export function missing(form) {
  const empty = inUse(form).find((control) => control.dataset.missing && !filled(form, control));
  return empty?.dataset.missing ?? chosen(form)?.dataset.off ?? "";
}

function filled(form, control) {
  if (control.type === "checkbox") return all(`[name="${CSS.escape(control.name)}"]:checked`, form).length >= Number(control.dataset.least);
  if (control.type === "radio") return Boolean(one(`[name="${CSS.escape(control.name)}"]:checked`, form));
  if ("decimals" in control.dataset) return unitsIn(control) > 0;
  return Boolean(control.value.trim());
}

export function focusFirst(form) {
  inUse(form).find((control) => !filled(form, control))?.focus();
}

// The form's values as the API takes them: `arguments.what` is a field within a field, checkboxes are a list of
// numbers, and a field that a choice asks for under its own name replaces the choice.
export function bodyOf(form) {
  const body = {};
  for (const control of inUse(form)) {
    if (control.type === "checkbox") {
      (body[control.name] ??= []).push(...(control.checked ? [Number(control.value)] : []));
      continue;
    }
    if (control.type === "radio" && !control.checked) continue;
    const text = control.type === "password" ? control.value : control.value.trim();
    if (!text) continue;
    const way = control.name.split(".");
    const last = way.pop();
    const holder = way.reduce((place, step) => (place[step] ??= {}), body);
    holder[last] = "decimals" in control.dataset ? unitsIn(control) : "int" in control.dataset ? Number(text) : text;
  }
  if (body.signature && isByPasskey(form)) body.signature.passkey = true;
  return body;
}

export function forgetPasswords(root) {
  for (const control of all("input[type=password]", root)) control.value = "";
}

// A search field is not sent, and has no name.
const isKept = (control) => control.name || control.type === "search";

// Saves what was begun in the forms of a felt that is about to be replaced; `restore` puts it into the new one if it is
// about the same.
export function keep(root) {
  const values = new Map();
  for (const form of all("[data-form]", root)) {
    const of = new Map();
    for (const control of form.elements) {
      if (control.type === "checkbox") of.set(nameOf(control), control.checked);
      else if (isKept(control) && (control.type !== "radio" || control.checked)) of.set(nameOf(control), control.value);
    }
    for (const name of ["chosen", "asked"]) of.set(name, form.dataset[name]);
    values.set(form.dataset.for, of);
  }
  const popover = one(".popover:popover-open", root);
  const active = root.contains(document.activeElement) ? document.activeElement : null;
  return {
    values,
    popover: popover && { id: popover.id, of: aboutOf(popover), scroll: popover.scrollTop },
    focus: active && { id: active.id, of: active.form?.dataset.for, name: active.name, value: active.value },
  };
}

const aboutOf = (popover) => one("[data-form]", popover)?.dataset.for;

export function restore(root, { values, popover, focus }) {
  for (const form of all("[data-form]", root)) {
    const of = values.get(form.dataset.for);
    if (!of) continue;
    for (const name of ["chosen", "asked"]) if (of.get(name)) form.dataset[name] = of.get(name);
    for (const control of form.elements) {
      if (!isKept(control)) continue;
      if (control.type === "checkbox") control.checked = of.get(nameOf(control)) ?? control.checked;
      else if (control.type === "radio") control.checked = of.get(nameOf(control)) === control.value;
      else control.value = of.get(nameOf(control)) ?? control.value;
      if (control.type === "search" && control.value) narrow(control.closest("[data-clauses]"));
    }
  }
  const again = popover && document.getElementById(popover.id);
  if (again && aboutOf(again) === popover.of) {
    again.dataset.again = "";
    again.showPopover();
    again.scrollTop = popover.scroll;
  }
  if (!focus) return;
  const same = (control) =>
    control.form?.dataset.for === focus.of &&
    control.name === focus.name &&
    (!ticks(control) || control.value === focus.value);
  const control = focus.of
    ? all("input, select, textarea", root).find(same)
    : focus.id && document.getElementById(focus.id);
  if (control && document.activeElement !== control) control.focus({ preventScroll: true });
}
