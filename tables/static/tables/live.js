// One stream of events for the page. It says that something happened, never what: the felt is then fetched again.
// Closed while the tab is hidden, because a browser allows six streams per host.

const GRACE_MS = 1000;
const AGAIN_MS = 1000;
// The server is heard each second. Where nothing comes for so long the link is dead, however open it looks.
const SILENCE_MS = 3000;

export class Live {
  #source = null;
  #timer = null;
  #paused = false;
  #isOut = false;
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
    // Nobody is told anything before they log in again: asking for it would be refused each second.
    document.addEventListener("loggedout", () => this.#out(true));
    document.addEventListener("loggedin", () => this.#out(false));
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
    if (document.hidden || this.#paused || this.#isOut) return;
    const source = (this.#source = new EventSource(this.url));
    const heard = (name, react) =>
      source.addEventListener(name, (event) => {
        this.#again(SILENCE_MS);
        react?.(event);
      });
    heard("open", () => this.#turn("live"));
    heard("changed", (event) => this.changed(Number(event.lastEventId)));
    heard("beat");
    // The last word of a server that has lost its database.
    source.addEventListener("down", () => {
      this.#close();
      this.#turn("lost");
      this.#again(AGAIN_MS);
    });
    source.addEventListener("error", () => this.#error(source));
    this.#again(SILENCE_MS);
  }

  #error(source) {
    if (source !== this.#source) return;
    // A short break, as when the server restarts a stream, need not startle anybody.
    if (this.state === "live") this.#again(GRACE_MS);
    // The browser gives up for good when the answer is no stream: we go on asking.
    else if (source.readyState === EventSource.CLOSED) this.#again(AGAIN_MS);
  }

  // Lost, and another try, unless something is heard before.
  #again(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#turn("lost");
      this.open();
    }, ms);
  }

  #lost() {
    if (this.#paused) return;
    this.#close();
    this.#turn("lost");
  }

  #out(isOut) {
    this.#isOut = isOut;
    if (isOut) this.#lost();
    else this.open();
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

  #turn(state) {
    if (state === this.state) return;
    this.state = state;
    this.turned(state);
  }
}
