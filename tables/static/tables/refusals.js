// A refusal on a page with forms, at the field that it names.

import { all, one } from "./dom.js";

// `root` has the fields; a refusal that names none of them stands in the page's strip.
export function show(root, refused, path = refused.path ?? "") {
  clear(root);
  const isIn = (outer) => path === outer || path.startsWith(`${outer}[`) || path.startsWith(`${outer}.`);
  const named = all("[data-path]", root).filter((field) => isIn(field.dataset.path));
  const field = named.sort((a, b) => b.dataset.path.length - a.dataset.path.length)[0];
  if (field) {
    const words = field.matches("[data-wrong-whole]") ? field : one("[data-wrong]", field);
    words.textContent = [refused.message, refused.clause, refused.way_out].filter(Boolean).join(" ");
    field.classList.add("is-wrong");
    const input = one("input, select", field);
    input?.setAttribute("aria-invalid", "true");
    (input ?? field).scrollIntoView({ block: "center" });
    input?.focus();
    return;
  }
  const strip = one("[data-refusal]");
  one("[data-message]", strip).textContent = refused.message;
  one("[data-clause]", strip).textContent = refused.clause ?? "";
  one("[data-way-out]", strip).textContent = refused.way_out ?? "";
  strip.hidden = false;
  strip.scrollIntoView({ block: "center" });
}

export function clear(root) {
  one("[data-refusal]").hidden = true;
  for (const field of all(".is-wrong", root)) field.classList.remove("is-wrong");
  for (const words of all("[data-wrong], [data-wrong-whole]", root)) words.textContent = "";
  for (const input of all("[aria-invalid]", root)) input.removeAttribute("aria-invalid");
}
