// The felt as the server draws it, fetched anew: one fetch at a time, and one more after it if that was asked for
// meanwhile. Or it came with the answer to a command.

import { fragment } from "./dom.js";
import { keep, restore } from "./forms.js";
import { dim } from "./idle.js";

const PATIENCE_MS = 4000;

export class Felt {
  // The number of the action that is being amended; null for the round as it stands.
  amending = null;
  // When the felt that is shown came.
  shownAt = performance.now();
  #waiters = [];
  #fetching = false;
  #again = false;
  // How many felts came with an answer.
  #answers = 0;

  // `take` reads a new felt; then what was begun in the old one's forms continues there, and `show` draws on it.
  constructor(holder, { take, show }) {
    this.holder = holder;
    this.take = take;
    this.show = show;
  }

  // Fetches the felt; says whether that worked.
  refresh() {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#again = this.#fetching;
      if (!this.#fetching) this.#fetch();
    });
  }

  // Shows the felt that came with an answer. A felt requested earlier and still on its way is older.
  put(html) {
    this.#answers += 1;
    this.#replace(html, null);
  }

  async #fetch() {
    let worked = false;
    this.#fetching = true;
    try {
      worked = await this.#load();
    } finally {
      this.#fetching = false;
      const more = worked && this.#again;
      this.#again = false;
      if (more) this.#fetch();
      else for (const resolve of this.#waiters.splice(0)) resolve(worked);
    }
  }

  async #load() {
    const { felt, home } = this.holder.dataset;
    const asked = this.amending;
    const answers = this.#answers;
    const askedAt = performance.now();
    let response;
    let html;
    try {
      response = await fetch(asked ? `${felt}?amend=${asked}` : felt, { signal: AbortSignal.timeout(PATIENCE_MS) });
      html = await response.text();
    } catch {
      return false;
    }
    // Logged out meanwhile: the answer says where to log in again.
    if (response.status === 401 && !dim(askedAt)) location.assign(response.headers.get("Location"));
    // The table is out of reach for good.
    if (response.status === 404) location.assign(home);
    if (!response.ok) return false;
    if (answers === this.#answers) this.#replace(html, asked);
    return true;
  }

  #replace(html, asked) {
    const begun = keep(this.holder);
    this.holder.replaceChildren(fragment(html));
    this.shownAt = performance.now();
    this.take(asked);
    restore(this.holder, begun);
    this.show();
  }
}
