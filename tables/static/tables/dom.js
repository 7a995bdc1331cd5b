// The three ways in which every module here reaches for the page.

export const one = (selector, root = document) => root.querySelector(selector);
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// What the server has rendered, as nodes; scripts in it never run.
export function fragment(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}
