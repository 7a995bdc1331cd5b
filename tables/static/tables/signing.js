// A second person's signature: by password, or by a passkey that signs the very command. The challenge is the command's
// hash, in which each free text is a hash behind a salt; signature and salts go with the command.

import { all, one } from "./dom.js";
import { NO_PASSKEY, prove } from "./passkey.js";

const PATIENCE_MS = 10_000;
const encoder = new TextEncoder();
const sha256 = async (text) => new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
const spelled = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

// As `audit/form.py` spells a value: keys sorted, no blanks, NFC.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(typeof value === "string" ? value.normalize("NFC") : value);
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return `{${names.sort().map((name) => `${canonical(name)}:${canonical(value[name])}`).join(",")}}`;
}

// Browsers offer passkeys to https and localhost, but not to numeric addresses.
const offered = window.isSecureContext && "credentials" in navigator && !/^[0-9.]+$|^\[/.test(location.hostname);
document.documentElement.classList.toggle("signs-by-passkey", offered);

// The signature that a form asks for, or none if it asks for none now. The password leaves the page.
export function signatureOf(root) {
  const password = one("[data-password]", root);
  const login = one("[data-login]", root);
  if (!login || login.matches(":disabled") || login.closest("[hidden]")) return undefined;
  const signature = isByPasskey(root) ? { login: login.value, passkey: true } : { login: login.value, password: password.value };
  password.value = "";
  return signature;
}

export const isByPasskey = (root) => Boolean(one("[data-by-passkey]:checked", root));

// Returns the signature to send, with what the passkey brought, or {refused} if none came.
export async function signed(signature, { path, body, key }) {
  if (signature?.passkey !== true) return { signature };
  try {
    return { signature: await byPasskey(signature.login, { path, body, key }) };
  } catch (error) {
    const message = NO_PASSKEY[error.name] ?? NO_PASSKEY.other;
    return { refused: { code: "no_passkey", message, clause: null, way_out: null, path: "signature" } };
  }
}

export async function byPasskey(login, { path, body, key }) {
  const about = new URLSearchParams({ login, path });
  const response = await fetch(`/api/v1/passkeys/?${about}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const { host, handles, requester, texts } = await response.json();
  if (!handles?.length) throw new DOMException("", "NotFoundError");
  const command = { method: "POST", path, body: { ...body }, key, requester };
  const salts = {};
  for (const name of texts) {
    if (typeof body[name] !== "string" || !body[name]) continue;
    salts[name] = spelled(crypto.getRandomValues(new Uint8Array(16)));
    command.body[name] = { sha256: spelled(await sha256(salts[name] + body[name])) };
  }
  const options = {
    rpId: host,
    challenge: base64url(await sha256(canonical(command))),
    allowCredentials: handles.map((id) => ({ id, type: "public-key" })),
    userVerification: "required",
  };
  return { login, passkey: await prove(JSON.stringify(options)), salts };
}

// Whoever signs by passkey types no password.
function draw(box) {
  const password = one("[data-password]", box.closest("fieldset, form"));
  password.disabled = box.checked;
  password.closest("label").hidden = box.checked;
}

document.addEventListener("change", ({ target }) => target.matches("[data-by-passkey]") && draw(target));
// Firefox keeps what was ticked over a reload.
for (const box of all("[data-by-passkey]")) draw(box);
