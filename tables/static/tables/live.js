// One stream of events for the page. It says that something happened, never what: the felt is then fetched again.
// Closed while the tab is hidden, because a browser allows six streams per host.

const GRACE_MS = 1000;
const AGAIN_MS = 1000;
// The server sends something each second. If nothing comes for this long, the link is dead, however open it looks.
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
    // Nobody hears anything before they log in again: a request would be refused each second.
    document.addEventListener("loggedout", () => this.#out(true));
    document.addEventListener("loggedin", () => this.#out(false));
  }

  // For when there is nothing to hear: not seen, not lost.
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
    // The last event of a server that has lost its database.
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
    // A short break, such as the server restarting a stream, should startle nobody.
    if (this.state === "live") this.#again(GRACE_MS);
    // The browser gives up for good if the answer is not a stream: we try again.
    else if (source.readyState === EventSource.CLOSED) this.#again(AGAIN_MS);
  }

  // Report the link as lost and try again, unless something is heard before.
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
