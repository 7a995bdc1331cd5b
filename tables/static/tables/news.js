// The polite note for whoever came too late: what somebody else did meanwhile, shown beside the new state.

import { gettext } from "./words.js";

const CLOSED = gettext("The round was closed at another screen just now.");
const DONE = {
  open: gettext("The round was opened at another screen just now."),
  held: gettext("The round was held at another screen just now."),
  settling: CLOSED,
  settled: CLOSED,
  void: gettext("The round was voided at another screen just now."),
};
const OF_THE_ROUND = new Set(["round_open", "round_held", "round_not_held", "round_wrong_moment"]);

// `seen` is the screen on which the button was pressed, `now` the one that came since.
export function inTheMeantime(refused, seen, now) {
  const message = entered(refused, seen, now) ?? ofTheRound(refused, seen, now);
  if (!message) return refused;
  return { ...refused, message, clause: null, way_out: gettext("Look again.") };
}

function entered({ code, path }, seen, now) {
  if (code !== "stale_version" || path !== "version" || seen.round !== now.round) return null;
  const news = Object.entries(now.news).filter(([ordinal]) => Number(ordinal) > seen.version);
  if (!news.length) return null;
  const actions = news.map(([, what]) => gettext("“{action}”", { action: what })).join(", ");
  return gettext("{actions} was entered at another screen just now.", { actions });
}

function ofTheRound({ code }, seen, now) {
  if (!OF_THE_ROUND.has(code) || (seen.round === now.round && seen.moment === now.moment)) return null;
  if (seen.moment !== "held" || now.moment !== "open") return DONE[now.moment] ?? null;
  return gettext("The round was released at another screen just now.");
}
