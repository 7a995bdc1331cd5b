// Sending: one command at a time, each with its own key. A command whose answer was lost is kept with its key, over a
// reload too, and sent once more when the line is back: the same key makes the server do it once. It is dropped when
// somebody else is logged in by then. A signed command is never kept: it holds a password.

const STORE = "command";
// Longer than the server lets a command wait for its turn.
const PATIENCE_MS = 5000;
const GATEWAY = new Set([502, 503, 504]);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
// Not randomUUID: browsers give that to https and localhost alone.
const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const token = () => document.querySelector("meta[name=csrf-token]").content;

export class Commands {
  busy = false;

  get kept() {
    return JSON.parse(sessionStorage.getItem(STORE));
  }

  drop() {
    sessionStorage.removeItem(STORE);
  }

  // Gives {done}, {refused} or {lost}; null if another command is under way.
  async send({ staff, path, body, label }) {
    if (this.busy || this.kept) return null;
    const command = { staff, path, body: JSON.stringify(body), label, key: fresh() };
    if (!body.signature) sessionStorage.setItem(STORE, JSON.stringify(command));
    return this.#deliver(command);
  }

  // The kept command once more, if it is still the same person's.
  async resume(staff) {
    const command = this.kept;
    if (this.busy || !command) return null;
    if (command.staff !== staff) {
      this.drop();
      return { dropped: command };
    }
    return this.#deliver(command);
  }

  async #deliver(command) {
    this.busy = true;
    try {
      return await this.#post(command);
    } finally {
      this.busy = false;
    }
  }

  async #post(command) {
    for (;;) {
      let response;
      try {
        response = await fetch(command.path, {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            Accept: "application/json",
            "X-CSRFToken": token(),
            "Idempotency-Key": command.key,
          },
          body: command.body,
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
      } catch {
        return { lost: true };
      }
      if (GATEWAY.has(response.status)) return { lost: true };
      const told = await response.json().catch(() => null);
      if (told?.code === "in_flight") {
        // The same command is still under way at the server: ask again for its answer.
        await pause(1000 * told.detail.retry_after);
        continue;
      }
      this.drop();
      if (response.ok) return { done: true };
      return { refused: told ?? failed(response.status), status: response.status };
    }
  }
}

const failed = (status) => ({
  code: "server_failed",
  message: `The server failed (${status}). Nothing was done.`,
  clause: null,
  way_out: "Try again; if it stays, call the pit boss.",
});
