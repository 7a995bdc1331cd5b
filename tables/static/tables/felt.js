// The felt as the server draws it, fetched anew: one fetch at a time, and one more after it if that was asked for
// meanwhile.

const FAILURES = ["sendError", "sendAbort", "responseError", "swapError", "timeout"];

export class Felt {
  #waiters = [];
  #fetching = false;
  #again = false;

  // `asking` may add to what is asked for, `leaving` is told before the old felt goes, `come` when the new one is there.
  constructor(holder, { asking, leaving, come }) {
    this.holder = holder;
    holder.addEventListener("htmx:configRequest", (event) => asking(event.detail.parameters));
    holder.addEventListener("htmx:beforeSwap", leaving);
    holder.addEventListener("htmx:afterSwap", () => {
      come();
      this.#fetched(true);
    });
    for (const name of FAILURES) {
      holder.addEventListener(`htmx:${name}`, (event) => {
        // The table is out of reach for good.
        if (event.detail.xhr?.status === 404) location.assign(holder.dataset.home);
        this.#fetched(false);
      });
    }
  }

  // Says whether that worked.
  refresh() {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#again = this.#fetching;
      if (!this.#fetching) this.#fetch();
    });
  }

  #fetch() {
    this.#fetching = true;
    htmx.trigger(this.holder, "refresh");
  }

  #fetched(worked) {
    this.#fetching = false;
    const more = worked && this.#again;
    this.#again = false;
    if (more) return this.#fetch();
    for (const resolve of this.#waiters.splice(0)) resolve(worked);
  }
}
