// Mutants of cron expressions, wall-clock time, and hours that a clock change skips or repeats.
import { mutantsOf, type Mutant } from "./mistake.ts";

const expressions = mutantsOf("src/kernel/calendar/cron.ts", [
  { from: 'field === "*" || field === "?"', to: 'field.startsWith("*")', why: "*/2 leaves the day to the weekdays" },
  { from: 'isBoth ? "both" : "either"', to: '"either"', why: "the + before weekdays is not heeded" },
  { from: 'isBoth ? "both" : "either"', to: '"both"', why: "dates and weekdays must both fit" },
  {
    from: "startsWithWildcard(inMinute) || startsWithWildcard(inHour)",
    to: "startsWithWildcard(inMinute) && startsWithWildcard(inHour)",
    why: "*/15 2 is no pattern",
  },
  {
    from: "startsWithWildcard(inMinute) || startsWithWildcard(inHour)",
    to: "startsWithWildcard(inSecond) || startsWithWildcard(inMinute) || startsWithWildcard(inHour)",
    why: "seconds make a pattern",
  },
  { from: "isWildcard(inYear) ? null : read.value.years", to: "null", why: "the year is not heeded" },
  {
    from: 'if (fields.length === 5) fields.unshift("0");',
    to: 'if (fields.length === 5) fields.unshift("*");',
    why: "five fields fire each second",
  },
  {
    from: "Date.UTC(LAST_YEAR + 1, 0, 1)",
    to: "Date.UTC(FIRST_YEAR + 1, 0, 1)",
    why: "what has not come by 1971 is impossible",
  },
]);

const fields = mutantsOf("src/kernel/calendar/cron-field.ts", [
  { from: "number += by.value", to: "number += 1", why: "steps are not heeded" },
  { from: 'field.stepsFromZero && range === "*"', to: "false", why: "every fourth year counts from 1970" },
  { from: 'high === "SUN" ? max : to.value', to: "to.value", why: "SAT-SUN is refused" },
  { from: "step >= 1 && step <= size", to: "step <= size", why: "a step of nothing is taken" },
  { from: "from.value <= end", to: "from.value < end", why: "a range of one is refused" },
]);

const days = [
  ...mutantsOf("src/kernel/calendar/wall-times.ts", [
    { from: "before < length", to: "before <= length", why: "L-28 falls on no day of February" },
    { from: "if (date <= length)", to: "if (true)", why: "31W falls into months of 30 days" },
    { from: "date === 1 ? 3 : date - 1", to: "date - 1", why: "1W goes into the month before" },
    { from: "date === length ? date - 2 : date + 1", to: "date + 1", why: "31W goes into the month behind" },
    { from: "weekday === SUNDAY ? length - 2 : length", to: "length", why: "LW falls on a Sunday" },
    { from: "dates.listed & (2 ** length - 1)", to: "dates.listed", why: "30 February comes due" },
  ]),
  ...mutantsOf("src/kernel/calendar/cron-field.ts", [
    { from: "which[day % 7]) | meant.value", to: "which[day % 7]) & meant.value", why: "no weekday is ever meant" },
    { from: "Math.floor((date - 1) / 7)", to: "Math.floor(date / 7)", why: "the 7th is in the second week" },
    { from: "date + 7 > length", to: "date + 7 >= length", why: "the last but one is a last Friday too" },
  ]),
];

const walls = mutantsOf("src/kernel/calendar/wall-times.ts", [
  { from: "day + DAY <= from", to: "day < from", why: "the rest of a day that has begun is passed over" },
  {
    from: "return wall < before ? wall : null;",
    to: "return wall;",
    why: "what comes first is not asked whether it is in time",
  },
  {
    from: "return wall >= from ? wall : null;",
    to: "return wall;",
    why: "what came last is not asked whether it is in time",
  },
  {
    from: "(hour + 1) * 3_600 <= from",
    to: "hour * 3_600 < from",
    why: "the rest of an hour that has begun is passed over",
  },
  { from: "start + 60 <= from", to: "start < from", why: "the rest of a minute that has begun is passed over" },
  {
    from: "(each) => start + each < before",
    to: "(each) => start + each <= before",
    why: "looking back finds the very instant",
  },
  {
    from: "if (years !== null && !years.includes(Math.floor(month / 12))) return 0;",
    to: "",
    why: "years are not heeded",
  },
]);

const zones = mutantsOf("src/kernel/calendar/zone.ts", [
  { from: 'gap === "skip" ? around :', to: "false ? around :", why: "what is to be skipped is shifted" },
  {
    from: 'offset: old, shown: anew, dst: "gap"',
    to: 'offset: anew, shown: anew, dst: "gap"',
    why: "what was jumped over comes too early",
  },
  {
    from: 'offset: old, shown: anew, dst: "gap"',
    to: 'offset: old, shown: old, dst: "gap"',
    why: "the wall is said to show what it never does",
  },
  { from: 'passes === "last" ? []', to: "false ? []", why: "the first pass always counts" },
  { from: 'passes === "first" ? []', to: "false ? []", why: "the second pass always counts" },
  { from: "return after * 1_000;", to: "return before * 1_000;", why: "clocks are moved a second early" },
]);

const occurrences = mutantsOf("src/kernel/calendar/occurrences.ts", [
  { from: 'cron.isPattern ? "both" : "first"', to: '"first"', why: "patterns fall silent for an hour in autumn" },
  { from: 'cron.isPattern ? "both" : "first"', to: '"both"', why: "fixed times come twice in autumn" },
  { from: "after + 1 + offset", to: "after + offset", why: "what was the last is the next one again" },
  {
    from: "wall - offset < first.at",
    to: "wall - offset <= first.at",
    why: "of equals the one that was jumped over is told",
  },
  { from: "wall - offset < first.at", to: "false", why: "the order of readings is taken for that of instants" },
  {
    from: "wall - offset > last.at",
    to: "wall - offset >= last.at",
    why: "looking back, of equals the one that was jumped over is told",
  },
  { from: "if (occurrences.length >= max)", to: "if (occurrences.length > max)", why: "one more than asked for" },
  { from: "next.at >= to", to: "next.at > to", why: "the end counts too" },
  { from: "found.at <= INSTANT_MS_MAX ? found : null", to: "found", why: "something comes in 2501" },
  { from: "found.at >= 0 ? found : null", to: "found", why: "something came in 1969" },
]);

const schedules = mutantsOf("src/kernel/calendar/occurrences.ts", [
  {
    from: "previousOccurrence(rule, now + 1, work)",
    to: "previousOccurrence(rule, now, work)",
    why: "what is due at this instant is missed",
  },
  {
    from: "Math.max(due, now), work",
    to: "due, work",
    why: "a schedule goes on from the occurrence that fired, and makes up for all that it missed",
  },
  { from: "Math.max(due, now), work", to: "now, work", why: "an occurrence comes again when the clock was put back" },
  { from: "newest: Math.max(due, newest)", to: "newest", why: "an occurrence counts from before it was due" },
  {
    from: 'const { gap = "shift", fold = "auto", holidays } = typeof schedule === "string" ? {} : schedule;',
    to: 'const { gap = "shift", fold = "auto", holidays } = {} as Exclude<Schedule, string>;',
    why: "what a schedule says of gaps and folds is not heeded",
  },
]);

export const calendarMutants: readonly Mutant[] = [
  ...expressions,
  ...fields,
  ...days,
  ...walls,
  ...zones,
  ...occurrences,
  ...schedules,
];
