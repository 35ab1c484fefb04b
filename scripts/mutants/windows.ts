// Mutants of windows: when they open, what they hold, and the checks when a held run is released.
import { mutantsOf, type Mutant } from "./mistake.ts";

const condition = mutantsOf("src/kernel/execution/runs.ts", [
  {
    from: 'if (status !== "scheduled") return false;',
    to: "",
    why: "a condition is asked again at the retry of an attempt nobody claimed",
  },
  {
    from: "config === null || (attempts.length === 0 && underWay === undefined)",
    to: "config === null",
    why: "a condition is not asked again when a hold lets go",
  },
  {
    from: "(attempts.length === 0 && underWay === undefined)",
    to: "attempts.length === 0",
    why: "a condition is asked of what comes back to look at what it did",
  },
  {
    from: "(attempts.length === 0 && underWay === undefined)",
    to: "underWay === undefined",
    why: "a condition is asked of what may have been done already",
  },
]);

const opening = mutantsOf("src/kernel/calendar/opening-hours.ts", [
  { from: "opens <= now && now < closes", to: "opens <= now && now <= closes", why: "at its end a window is open" },
  {
    from: "opens <= now && now < closes",
    to: "opens < now && now < closes",
    why: "at its beginning a window is closed",
  },
  { from: "today - 2, timezone", to: "today - 1, timezone", why: "before a day that was left out nothing stays open" },
  { from: "today - 2, timezone", to: "today, timezone", why: "what opened the evening before is closed at midnight" },
  { from: "ahead.slice(0, -1).some", to: "ahead.some", why: "what a left out day pushes on overtakes the next day" },
  { from: "b.closes - a.closes", to: "a.closes - b.closes", why: "of two that open together the shorter one counts" },
  { from: '"shift", "first"', to: '"shift", "last"', why: "a time that clocks show twice is the second" },
  { from: "closes > opens ? closes : closes + DAY", to: "closes", why: "a window over midnight is none" },
  { from: "end < start ? end + 7 : end", to: "end", why: "FRI-MON is no day" },
  { from: ".filter(({ opens, closes }) => opens < closes)", to: "", why: "what closes before it opens is open" },
]);

const held = mutantsOf("src/kernel/execution/due/holds.ts", [
  { from: "opening.opens <= at", to: "opening.opens < at", why: "at its opening a window holds once more" },
  { from: "opening.opens > latest", to: "opening.opens >= latest", why: "what may go at the last instant is skipped" },
  { from: "opening.opens > latest", to: "false", why: "what nobody will want is waited for" },
  { from: "run.underWay === attempt || ", to: "", why: "a window is asked of what is under way" },
  { from: " || run.atAnyHour === true", to: "", why: "what a person brought forward is held again" },
  {
    from: "durationMs(spread), closes - opens, ",
    to: "durationMs(spread), ",
    why: "a crowd is spread beyond closing time",
  },
  { from: "latest - opens + 1)", to: "Infinity)", why: "a crowd is spread beyond what is wanted" },
]);

const zones = mutantsOf("src/kernel/execution/due/settings-for-zones.ts", [
  {
    from: "[...parts.map(({ timezone }) => timezone), program.definition.timezone]",
    to: "[program.definition.timezone]",
    why: "an action's own zone is not heeded",
  },
  { from: " || run.zoneUnknown === true) return run;", to: ") return run;", why: "each attempt notes an unknown zone" },
  {
    from: "return changeRun(step, run, { zoneUnknown: true });",
    to: "return run;",
    why: "that a zone is unknown is forgotten",
  },
]);

const moved = mutantsOf("src/kernel/execution/due/moved-dates.ts", [
  { from: "at === null || at <= step.now ||", to: "at === null ||", why: "what is past again comes back" },
  {
    from: 'how === "skipped" && (reason === "already_past" || reason === "past" || reason === "holiday")',
    to: 'how === "skipped"',
    why: "what nobody wanted comes back",
  },
  {
    from: 'how === "done" && action.isRedone',
    to: "action.isRedone",
    why: "what failed is done again without anybody's word",
  },
  { from: 'how === "done" && action.isRedone', to: 'how === "done"', why: "what is done is done again unasked" },
  { from: "isLeftNow || !isAnchored", to: "!isAnchored", why: "what is left by the same transition comes back" },
  {
    from: 'isFinalRun(status) && status !== "canceled"',
    to: "isFinalRun(status)",
    why: "what was taken back is said not to move",
  },
  {
    from: "action === null || !runs.has(action)",
    to: "action === null",
    why: "what comes back needs its first run to be kept",
  },
  {
    from: "if (program.nodes) return program.nodes.mayReactivate(position);",
    to: "",
    why: "a node that is over never comes back",
  },
]);

export const windowMutants: readonly Mutant[] = [...condition, ...opening, ...held, ...zones, ...moved];
