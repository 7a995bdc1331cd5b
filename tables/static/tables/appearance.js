// How this device shows the pages: the theme and the colours of the suits. Kept on the device, since a table stands in
// its own light, whoever deals there. It runs in the head, before anything is painted, and so is no module.
(() => {
  const root = document.documentElement;
  // The page's defaults: the system's theme, four colours.
  const CHOICES = { theme: ["", "dark", "light"], deck: ["", "two"] };

  function kept(name) {
    try {
      return localStorage.getItem(name) ?? "";
    } catch {
      return "";
    }
  }

  function keep(name, value) {
    try {
      localStorage.setItem(name, value);
    } catch {
      // A device that can't keep it shows it as long as the page is open.
    }
  }

  function show(name, value) {
    root.dataset[name] = CHOICES[name].includes(value) ? value : "";
  }

  for (const name in CHOICES) show(name, kept(name));
  addEventListener("storage", ({ key, newValue }) => key in CHOICES && show(key, newValue ?? ""));
  document.addEventListener("change", ({ target }) => {
    if (!(target.name in CHOICES)) return;
    show(target.name, target.value);
    keep(target.name, target.value);
  });
  // The choices are in a popover of the page; their values are kept here.
  document.addEventListener(
    "beforetoggle",
    ({ target }) => {
      for (const choice of target.querySelectorAll("input[type=radio]")) {
        if (choice.name in CHOICES) choice.checked = choice.value === root.dataset[choice.name];
      }
    },
    true,
  );
})();
