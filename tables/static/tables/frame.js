// For our pages, what unfold's script does on its own: the theme kept on the device, and the menu at the side. It runs
// in the head, before anything is painted, and so is no module.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const wide = matchMedia("(min-width: 80rem)");
  // unfold's names and values, so that both kinds of pages look the same.
  const THEME = "_x_adminTheme";
  const SIDE = "sidebarDesktopOpen";

  function kept(name, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(name)) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  function keep(name, value) {
    try {
      localStorage.setItem(name, JSON.stringify(value));
    } catch {
      // A device that can't keep it asks again on the next page.
    }
  }

  function show(theme = kept(THEME, "auto")) {
    root.classList.toggle("dark", theme === "dark" || (theme === "auto" && system.matches));
    for (const button of document.querySelectorAll("[data-theme]")) {
      button.setAttribute("aria-pressed", String(button.dataset.theme === theme));
    }
  }

  root.classList.toggle("side-closed", kept(SIDE, 1) === 0);
  show();
  system.addEventListener("change", () => show());
  addEventListener("storage", () => show());
  addEventListener("DOMContentLoaded", () => show());
  addEventListener("click", ({ target }) => {
    const theme = target.closest("[data-theme]")?.dataset.theme;
    if (theme) {
      keep(THEME, theme);
      show(theme);
    }
    if (!target.closest("[data-side]")) return;
    if (!wide.matches) root.classList.toggle("side-open");
    else keep(SIDE, root.classList.toggle("side-closed") ? 0 : 1);
  });
})();
