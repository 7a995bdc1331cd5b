// One stream of events for the page. It says that something happened, never what: the felt is then fetched again.
// Closed while the tab is hidden, because a browser allows six streams per host.

const GRACE_MS = 1000;
const AGAIN_MS = 2000;

export class Live {
  #source = null;
  #timer = null;
  #paused = false;
  state = "connecting";

  constructor(url, { changed, turned }) {
    this.url = url;
    this.changed = changed;
    this.turned = turned;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#rest() : this.open()));
    window.addEventListener("pagehide", () => this.#rest());
    window.addEventListener("pageshow", (event) => event.persisted && this.open());
    window.addEventListener("offline", () => this.#lost());
    window.addEventListener("online", () => this.open());
  }

  // Where there is nothing to hear of: not seen, not lost.
  pause() {
    this.#paused = true;
    this.#close();
    this.#turn("connecting");
  }

  resume() {
    if (!this.#paused) return;
    this.#paused = false;
    this.open();
  }

  open() {
    this.#close();
    if (document.hidden || this.#paused) return;
    const source = (this.#source = new EventSource(this.url));
    source.addEventListener("open", () => this.#turn("live"));
    source.addEventListener("changed", (event) => this.changed(Number(event.lastEventId)));
    source.addEventListener("error", () => this.#error(source));
    this.#later(() => this.state !== "live" && this.#turn("lost"), 3 * GRACE_MS);
  }

  #error(source) {
    if (source !== this.#source) return;
    // A short break, as when the server restarts a stream, need not startle anybody.
    if (this.state === "live") this.#later(() => this.#turn("lost"), GRACE_MS);
    // The browser gives up for good when the answer is no stream: we go on asking.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => source === this.#source && this.open(), AGAIN_MS);
  }

  #lost() {
    if (this.#paused) return;
    this.#close();
    this.#turn("lost");
  }

  #rest() {
    this.#close();
    if (this.state === "live") this.#turn("connecting");
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #later(work, ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(work, ms);
  }

  #turn(state) {
    if (state === "live") clearTimeout(this.#timer);
    if (state === this.state) return;
    this.state = state;
    this.turned(state);
  }
}
