// A passkey of this browser or of a key that is plugged in: made, or proved, for what the server asks, JSON in and out.

import { gettext } from "./words.js";

const OLD = gettext("This browser is too old for passkeys. Use another way.");
export const NO_PASSKEY = {
  InvalidStateError: gettext("This device has been added already."),
  NotAllowedError: gettext("No passkey came. Try again, or use another way."),
  NotFoundError: gettext("This person has no passkey here. They can add one under Account, or sign with their password."),
  TypeError: OLD,
  ReferenceError: OLD,
  other: gettext("The passkey didn’t work. Try again, or use another way."),
};

export async function make(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options));
  return JSON.stringify((await navigator.credentials.create({ publicKey })).toJSON());
}

export async function prove(options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options));
  return JSON.stringify((await navigator.credentials.get({ publicKey })).toJSON());
}
