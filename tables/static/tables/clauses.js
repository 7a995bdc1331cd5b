// Long lists of clauses: a search leaves the clauses that have all its words, and chooses the only one that fits. The
// full text of the chosen clause stands below the list.

import { all, one } from "./dom.js";
import { gettext, ngettext } from "./words.js";

// The parts of each list as the server gave it: an option by itself, or a chapter with its clauses.
const lists = new WeakMap();

function partsOf(list) {
  if (!lists.has(list)) lists.set(list, [...list.children].map((part) => ({ part, options: all("option", part) })));
  return lists.get(list);
}

const textOf = ({ value, dataset, textContent }) => (dataset.text ? `${value} ${dataset.text}` : textContent);

// The number of hits in words; "" without a search.
export function narrow(box) {
  const list = one("select", box);
  const words = one("[data-finds]", box).value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (option) => words.every((word) => textOf(option).toLowerCase().includes(word));
  const before = list.value;
  const fitting = [];
  const left = partsOf(list).flatMap(({ part, options }) => {
    if (!options.length) return [part];
    const those = options.filter(fits);
    fitting.push(...those);
    part.replaceChildren(...those);
    return those.length ? [part] : [];
  });
  list.replaceChildren(...left);
  list.value = words.length && fitting.length === 1 ? fitting[0].value : before;
  if (list.selectedIndex < 0) list.value = "";
  if (!words.length) return "";
  return fitting.length ? ngettext("{count} fits", "{count} fit", fitting.length) : gettext("None has these words");
}

function say(box, count) {
  const text = one("select", box).selectedOptions[0]?.dataset.text;
  one("output", box).textContent = text ?? count;
}

document.addEventListener("input", ({ target }) => {
  const box = target.closest("[data-clauses]");
  if (!box) return;
  if (!target.matches("[data-finds]")) return say(box, "");
  const list = one("select", box);
  const before = list.value;
  const count = narrow(box);
  if (list.value !== before) for (const kind of ["input", "change"]) list.dispatchEvent(new Event(kind, { bubbles: true }));
  say(box, count);
});

// Enter sends nothing here: it goes on to the list.
document.addEventListener(
  "keydown",
  (event) => {
    if (!["Enter", "ArrowDown"].includes(event.key) || !event.target.matches?.("[data-finds]")) return;
    event.preventDefault();
    event.stopPropagation();
    one("select", event.target.closest("[data-clauses]")).focus();
  },
  true,
);
