// A short tone for calls and alarms to which nobody came: once for each, on a device that has not muted it.

const MUTED = "alarms-muted";
const RUNG = "alarms-rung";
const NOTES_HZ = [880, 660];
const NOTE_SECONDS = 0.18;
const LOUDNESS = 0.2;

function stored(storage, name) {
  try {
    return storage.getItem(name);
  } catch {
    return null; // a browser that keeps nothing
  }
}

function store(storage, name, text) {
  try {
    storage.setItem(name, text);
  } catch {
    // The choice lasts as long as the page.
  }
}

export class Tone {
  // `button` mutes the tone on this device, and shows whether it is muted; null on a page without one.
  constructor(button) {
    this.button = button;
    this.muted = stored(localStorage, MUTED) === "yes";
    if (!button) return;
    button.hidden = false;
    button.addEventListener("click", () => this.turn());
    this.show();
  }

  turn() {
    this.muted = !this.muted;
    store(localStorage, MUTED, this.muted ? "yes" : "no");
    this.show();
  }

  show() {
    this.button.setAttribute("aria-pressed", String(this.muted));
  }

  // Rings if one of these is new; other pages of this tab know which have rung.
  ring(keys) {
    const rung = new Set((stored(sessionStorage, RUNG) || "").split(" "));
    if (keys.every((key) => rung.has(key))) return;
    store(sessionStorage, RUNG, keys.join(" "));
    if (!this.muted) this.play();
  }

  // Rings without a row, for whoever should come back to the page.
  remind() {
    if (!this.muted) this.play();
  }

  // A browser plays nothing before somebody has touched the page; until then, this stays silent.
  play() {
    const context = new AudioContext();
    const level = context.createGain();
    level.gain.value = LOUDNESS;
    level.connect(context.destination);
    NOTES_HZ.forEach((hertz, place) => {
      const note = context.createOscillator();
      note.frequency.value = hertz;
      note.connect(level);
      note.start(context.currentTime + place * NOTE_SECONDS);
      note.stop(context.currentTime + (place + 1) * NOTE_SECONDS);
      if (place === NOTES_HZ.length - 1) note.onended = () => context.close();
    });
  }
}
