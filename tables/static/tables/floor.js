// The floor: puts what calls.js fetched in its place, runs clocks from the server's moments, and follows a digit to its
// row.

import "./calls.js";
import { spell } from "./clocks.js";
import { all, one } from "./dom.js";

const floor = one("#floor");
const WORDS = { live: "Live", connecting: "Connecting", lost: "Disconnected" };
// The browser's clock may differ from the house's.
let ahead = Date.now() - Date.parse(floor.dataset.now);
// Each tile as the server gave it, its clocks empty.
const given = new Map();
// Without a link, the page shows its last state, including its clocks.
let isLost = false;

function still(tile) {
  const copy = tile.cloneNode(true);
  for (const clock of all("[data-clock]", copy)) clock.textContent = "";
  return copy;
}

function tick() {
  if (isLost) return;
  const now = Date.now() - ahead;
  for (const clock of all("[data-clock]", floor)) clock.textContent = spell(now - Date.parse(clock.dataset.clock));
  const wall = one("[data-wall]", floor);
  if (wall) wall.textContent = new Date(now).toLocaleTimeString("en-GB", { timeZone: wall.dataset.wall });
}

// An unchanged tile stays, and so does keyboard focus on it.
function renew(old, fresh) {
  const tiles = new Map(all(".tile", fresh).map((tile) => [tile.id, tile]));
  const same = all(".tile", old).map((tile) => tile.id).join() === [...tiles.keys()].join();
  if (!same) {
    for (const tile of tiles.values()) given.set(tile.id, still(tile));
    return old.replaceChildren(fresh);
  }
  for (const tile of all(".tile", old)) {
    const next = tiles.get(tile.id);
    const copy = still(next);
    if (given.get(tile.id).isEqualNode(copy)) continue;
    given.set(tile.id, copy);
    const place = all("a", tile).indexOf(document.activeElement);
    tile.replaceWith(next);
    if (place >= 0) (all("a", next)[place] ?? one("a", next)).focus();
  }
}

document.addEventListener("fresh", ({ detail: part }) => {
  const name = part.dataset.fresh;
  if (name === "now") return (ahead = Date.now() - Date.parse(part.content.textContent));
  const old = one(`[data-fresh="${name}"]`, floor);
  if (!old) return;
  if (name.startsWith("tiles-")) renew(old, part.content);
  else old.replaceChildren(part.content);
  tick();
});

document.addEventListener("turned", ({ detail: state }) => {
  isLost = state === "lost";
  tick();
  const link = one("[data-link-state]", floor);
  if (!link) return;
  link.dataset.linkState = state;
  one("[data-link-word]", link).textContent = WORDS[state];
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  one(`a[data-key="${CSS.escape(event.key)}"]`, floor)?.click();
});

for (const tile of all(".tile", floor)) given.set(tile.id, still(tile));
tick();
setInterval(tick, 1000);
