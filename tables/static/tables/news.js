// The polite word to who came too late: what somebody else did meanwhile. It is said beside the new state.

const DONE = {
  open: "opened",
  held: "held",
  settling: "closed",
  settled: "closed",
  void: "voided",
};
const OF_THE_ROUND = new Set(["round_open", "round_held", "round_not_held", "round_wrong_moment"]);

// `seen` is the screen on which the button was pressed, `now` the one that came since.
export function inTheMeantime(refused, seen, now) {
  const fact = entered(refused, seen, now) ?? ofTheRound(refused, seen, now);
  if (!fact) return refused;
  return { ...refused, message: `${fact} at another screen just now.`, clause: null, way_out: "Look again." };
}

function entered({ code, path }, seen, now) {
  if (code !== "stale_version" || path !== "version" || seen.round !== now.round) return null;
  const news = Object.entries(now.news).filter(([ordinal]) => Number(ordinal) > seen.version);
  return news.length ? `${news.map(([, what]) => `“${what}”`).join(", ")} was entered` : null;
}

function ofTheRound({ code }, seen, now) {
  if (!OF_THE_ROUND.has(code) || (seen.round === now.round && seen.moment === now.moment)) return null;
  if (seen.moment === "held" && now.moment === "open") return "The round was released";
  return DONE[now.moment] ? `The round was ${DONE[now.moment]}` : null;
}
