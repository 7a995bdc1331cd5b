// A croupier's first page: where they are asked to relieve is fetched again when something happened at their tables.

import { fragment, one } from "./dom.js";
import { Live } from "./live.js";

const PATIENCE_MS = 4000;
const asked = one("[data-asked]");
let counted = 0;

async function refresh() {
  const mine = ++counted;
  let response;
  let html;
  try {
    response = await fetch(asked.dataset.asked, { signal: AbortSignal.timeout(PATIENCE_MS) });
    html = await response.text();
  } catch {
    return;
  }
  if (!response.ok || mine !== counted) return;
  const now = fragment(html);
  // Unchanged text is not read aloud again.
  if (now.textContent !== asked.textContent) asked.replaceChildren(now);
}

new Live(asked.dataset.live, { changed: refresh, turned: (state) => state === "live" && refresh() }).open();
