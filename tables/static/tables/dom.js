// How all modules here reach the page.

export const one = (selector, root = document) => root.querySelector(selector);
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// What the server has rendered, as nodes; scripts in it never run.
export function fragment(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// Replaces a part of the page by its present state. Keyboard focus on a link in it stays there.
export function renew(before, after) {
  const held = before.contains(document.activeElement) && document.activeElement.getAttribute("href");
  before.replaceWith(after);
  if (held) one(`a[href="${CSS.escape(held)}"]`, after)?.focus();
}
