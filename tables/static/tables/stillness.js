// Stillness: for a moment after the screen has changed, a button that became something else under the hand does nothing.
// A press meant for what it was a moment ago must not tick a box, open the next round, close this one or relieve a
// croupier.

import { keyOf } from "./draft.js";

export const STILL_MS = 400;

export class Stillness {
  // Whether the screen on its way is the answer to our own command.
  own = false;
  // When the screen last changed its stage, and when its moment.
  #stageAt = -STILL_MS;
  #momentAt = -STILL_MS;
  // The gold button that unexpectedly replaced another, and when.
  #risen = null;
  #risenAt = -STILL_MS;

  // At `at` a screen took the place of `before`. `was` is the key of the gold button until then, `gold` the offer that is
  // gold now, and `ready` says whether it can be sent: what can't need not be still.
  turn({ before, screen, was, gold, ready, at }) {
    this.#stageAt = at;
    if (before.moment !== screen.moment || before.round !== screen.round) this.#momentAt = at;
    // After our own step, only a step of the house is unexpected.
    const ours = this.own && (before.round !== screen.round || screen.version <= before.version + 1);
    if (!ready || keyOf(gold) === was || (ours && gold.box !== null)) return;
    this.#risen = keyOf(gold);
    this.#risenAt = at;
  }

  covers(offer) {
    const turnAt = { open: this.#stageAt, sign_on: this.#stageAt, tick: this.#momentAt }[offer.kind] ?? -STILL_MS;
    const since = keyOf(offer) === this.#risen ? Math.max(turnAt, this.#risenAt) : turnAt;
    return performance.now() - since < STILL_MS;
  }
}
