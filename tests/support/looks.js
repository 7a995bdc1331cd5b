// What a croupier would complain of on the page as it stands; see looks.py. Gives a list of sentences.
() => {
  const found = [];
  const shown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest(".vh") && getComputedStyle(element).clipPath === "none";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter(shown);
  const words = (element) => (element.getAttribute("aria-label") || element.innerText || element.textContent || "").trim();
  const name = (element) =>
    `${element.localName}.${element.className?.baseVal ?? element.className} "${words(element).slice(0, 40)}"`.replace(/\s+/g, " ");
  const rect = (element) => element.getBoundingClientRect();
  const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const overlap = (a, b) => across(a, b) > 1 && down(a, b) > 1;
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const outside = (a, b) => a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1;
  const within = (inner, outer, what) => {
    if (outside(rect(inner), rect(outer))) found.push(`${what}: ${name(inner)} sticks out of ${name(outer)}`);
  };
  const apart = (elements, what) =>
    elements.forEach((one, index) =>
      elements.slice(index + 1).forEach((other) => {
        if (overlap(rect(one), rect(other))) found.push(`${what}: ${name(one)} and ${name(other)} overlap`);
      }),
    );
  const popover = document.querySelector(":popover-open, dialog:modal");
  const stage = popover ?? document.body;
  const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) found.push(`scrolls sideways by ${page.scrollWidth - innerWidth}`);
  if (page.scrollHeight > innerHeight) found.push(`scrolls down by ${page.scrollHeight - innerHeight}`);

  // ---- every text: against all others, against what holds it, against what lies on it ----
  // What scrolls, with all in it; a refusal lies over the felt until it is closed.
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowY);
  const layer = (element) => element.closest(".refusal, .offline, dialog, [popover]");
  const clips = new Map([[document.documentElement, { box: view, lost: false }]]);
  // What of an element's inside may be seen, and whether the rest is scrolled to.
  const clipOf = (element) => {
    if (!clips.has(element)) {
      const outer = clipOf(element.parentElement);
      const { overflowX, overflowY } = getComputedStyle(element);
      const open = overflowX === "visible" && overflowY === "visible";
      const lost = outer.lost || (!open && scrolls(element) && element.scrollHeight > element.clientHeight);
      clips.set(element, { box: open ? outer.box : meet(outer.box, rect(element)), lost });
    }
    return clips.get(element);
  };
  const texts = [];
  const walker = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const holder = node.parentElement;
    if (!node.data.trim() || holder.closest("script, style, template, option, select, textarea") || !shown(holder)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { box: clip, lost } = clipOf(holder);
    const cut = holder.closest(".recent li, .btn .two small") ?? holder;
    const ellipsis = getComputedStyle(cut).textOverflow === "ellipsis";
    // A drawn text that is pressed together is as wide as its element says.
    const lines = holder.localName === "text" ? [rect(holder)] : range.getClientRects();
    for (const line of lines) {
      // Letters fill about two thirds of a line's height.
      const ink = { left: line.left, right: line.right, top: line.top + line.height * 0.2, bottom: line.bottom - line.height * 0.18 };
      if (ink.right - ink.left < 1) continue;
      // Of the facts there are as many as there is room for.
      if (holder.closest(".facts") && ink.top > clip.bottom) continue;
      if (!lost && (ellipsis ? ink.top < clip.top - 1 || ink.bottom > clip.bottom + 1 : outside(ink, clip)))
        found.push(`cut: ${name(holder)}`);
      if (holder.matches(".clause") && holder.scrollWidth > holder.clientWidth + 1 && holder.clientWidth) found.push(`cut: ${name(holder)}`);
      const seen = meet(ink, clip);
      if (seen.right > seen.left && seen.bottom > seen.top) texts.push({ ...seen, holder, layer: layer(holder) });
    }
  }
  texts.forEach((one, index) => {
    for (let at = index + 1; at < texts.length; at++) {
      const other = texts[at];
      if (one.holder !== other.holder && one.layer === other.layer && overlap(one, other)) found.push(`text: ${name(one.holder)} on ${name(other.holder)}`);
    }
  });
  // Chips, cards and buttons lie on no word that is not their own.
  const solid = all(".chip, .card, .btn, .coin, .key, .slot, .pill > span", stage).map((element) => ({ element, box: rect(element) }));
  for (const text of texts) {
    for (const { element, box } of solid) {
      if (element.contains(text.holder) || text.holder.closest(".btn, .coin, .key")?.contains(element)) continue;
      if (text.layer !== layer(element)) continue;
      // In a fan or a stack each lies on those before it.
      const stack = text.holder.closest(".cards, .chips");
      if (stack?.contains(element) && element.compareDocumentPosition(text.holder) & Node.DOCUMENT_POSITION_FOLLOWING) continue;
      if (overlap(text, box)) found.push(`covered: ${name(text.holder)} by ${name(element)}`);
    }
  }
  // A word ends in an ellipsis only where there is no room for it.
  for (const part of all("*", stage)) {
    const missing = part.scrollWidth - part.clientWidth;
    if (missing < 2 || !part.clientWidth || getComputedStyle(part).textOverflow !== "ellipsis" || part.matches("input, select")) continue;
    const box = rect(part);
    const room = rect(part.closest(".bar, .top, .box, .entry, li") ?? document.body);
    const beside = all("button, .pill", stage).map(rect).concat(texts).filter((other) => other.left >= box.right - 1 && down(other, box) > 0);
    const free = Math.min(room.right, ...beside.map((other) => other.left)) - box.right;
    if (free > missing + 32) found.push(`cut by an ellipsis beside ${Math.round(free)} free: ${name(part)}`);
  }

  // ---- every box against its parent ----
  for (const part of all("body *", document)) {
    if (part.ownerSVGElement || part.closest("option") || !stage.contains(part)) continue;
    const style = getComputedStyle(part);
    const parent = part.parentElement;
    if (/absolute|fixed/.test(style.position) || style.display === "contents" || getComputedStyle(parent).display === "contents") continue;
    if (part.matches(".card, .chip, .slot, .card > svg, .facts > div, .facts > div *") || clipOf(parent).lost) continue;
    // The body scrolls, and the grid of the boxes has no edge that is seen: a box stays on the felt.
    if (parent === document.body || parent.matches(".boxes")) continue;
    const [a, b] = [rect(part), rect(parent)];
    const line = style.display === "inline";
    if (!a.width || !a.height) continue;
    // What is shifted on purpose, as the arch of the boxes, stays on the felt.
    if (style.translate !== "none") {
      const felt = part.closest(".felt");
      if (felt) within(part, felt, "felt");
      continue;
    }
    const margins = ["Left", "Right", "Top", "Bottom"].some((side) => parseFloat(style[`margin${side}`]) < 0);
    if (margins) continue;
    if (a.left < b.left - 1.5 || a.right > b.right + 1.5 || (!line && (a.top < b.top - 1.5 || a.bottom > b.bottom + 1.5)))
      found.push(`out: ${name(part)} sticks out of ${name(parent)} by ${[b.left - a.left, a.right - b.right, b.top - a.top, a.bottom - b.bottom].map(Math.round)}`);
  }

  for (const box of all(".box")) {
    within(box, document.querySelector(".felt"), "felt");
    const parts = [...box.children].filter((part) => shown(part) && !part.matches(".pick"));
    parts.forEach((part) => within(part, box, "box"));
    apart(parts, "box");
  }
  apart(all(".dealer, .box"), "felt");
  apart(all(".dealer > *"), "dealer");
  all(".dealer > *").forEach((part) => within(part, document.querySelector(".felt"), "dealer"));
  apart(all(".top > *"), "top");
  all(".entry > *:not(.refusal)").forEach((part) => within(part, document.querySelector(".entry"), "dock"));
  apart(all(".entry > *:not(.refusal)"), "dock");
  apart(all(".slots > *"), "slots");
  const tapped = "button:not(.pick), a, .pill, .case, select, textarea, input:not([type=radio], [type=checkbox])";
  for (const button of all(tapped, stage)) {
    const box = rect(button);
    const least = button.matches(".grid:not(.small) .key") ? 56 : 44;
    if (Math.min(box.width, box.height) < least - 0.5)
      found.push(`small: ${name(button)} ${Math.round(box.width)}x${Math.round(box.height)}`);
    // What a popover scrolls to is not lost.
    if (popover && popover.scrollHeight > popover.clientHeight) continue;
    if (outside(box, view)) found.push(`off the screen: ${name(button)}`);
    for (const [x, y] of [[0.5, 0.5], [0.06, 0.5], [0.94, 0.5], [0.5, 0.1], [0.5, 0.9]]) {
      const hit = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
      if (!hit || !(button.contains(hit) || hit.contains(button))) {
        found.push(`covered: ${name(button)} by ${hit && name(hit)}`);
        break;
      }
    }
    if (!words(button) && button.localName !== "input") found.push(`no word: ${name(button)}`);
  }
  // A refusal is read beside the stakes that it is about.
  for (const refusal of all(".refusal, .offline"))
    for (const stake of all(".box .num, .box .staked, .box .chips, .pot"))
      if (overlap(rect(refusal), rect(stake))) found.push(`covered: ${name(stake)} by ${name(refusal)}`);
  const gold = all(".go");
  if (gold.length > 1) found.push(`${gold.length} gold buttons`);
  if (all(".box.ring").length > 1) found.push("two rings");
  return [...new Set(found)];
}
