// The page of a sheet's house edge: asks for it, stops it, and fetches it each second while it is being computed.

import "./calls.js";
import { fragment, one, renew } from "./dom.js";
import { dim } from "./idle.js";
import { clear, show } from "./refusals.js";
import { post } from "./send.js";

const AGAIN_MS = 1000;
const PATIENCE_MS = 4000;

async function refresh() {
  const askedAt = performance.now();
  try {
    const response = await fetch(location.href, { signal: AbortSignal.timeout(PATIENCE_MS) });
    // Logged out meanwhile: the page asks to log in, or leads to the login.
    if (response.redirected) return dim(askedAt) || location.reload();
    if (response.ok) draw(fragment(await response.text()));
  } catch {
    // The link is down; the next try may reach the server.
  }
  wait();
}

function draw(fresh) {
  for (const name of ["#head", "#edge"]) renew(one(name), one(name, fresh));
}

function wait() {
  if (one("#edge[data-again]")) setTimeout(refresh, AGAIN_MS);
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-to]")) return;
  event.preventDefault();
  clear(form);
  const button = one("button.btn", form);
  button.disabled = true;
  const answer = await post(form.dataset.to, Object.fromEntries(new FormData(form)));
  button.disabled = false;
  if (answer.refused) return show(form, answer.refused);
  location.reload();
});

document.addEventListener("loggedin", wait);
wait();
