// Mutants of delays and series. cron.ts has those of cron expressions.
import { mutantsOf, type Mutant } from "./mistake.ts";

export const delayMutants: readonly Mutant[] = mutantsOf("src/kernel/language/timing.ts", [
  {
    from: "reckoned.at >= moment.now) return",
    to: "reckoned.at > moment.now) return",
    why: "`ifPast: skip` skips what is due at this very instant",
  },
  {
    from: "at: skip ? at : moment.now, skip",
    to: "at, skip",
    why: "what is past is due in the past, and looks late from the start",
  },
  {
    from: 'return ifPast === "skip";',
    to: 'return ifPast !== "skip";',
    why: "what is past is skipped unless it is to be",
  },
  { from: "timezone, 1)) < now", to: "timezone, 1)) <= now", why: "what is just as old as it may be is skipped" },
  {
    from: "offset: ifPast.runWithin, disambiguation }, timezone",
    to: 'offset: ifPast.runWithin, disambiguation }, "UTC"',
    why: "days of grace are those of UTC",
  },
  { from: "at === null || at > INSTANT_MS_MAX", to: "at === null", why: "a delay leads to the year 9000" },
  {
    from: "[written.timezone, timezone].flat()",
    to: "[timezone].flat()",
    why: "a named delay's own zone is not heeded",
  },
  {
    from: 'written.from !== undefined && written.from !== "arming"',
    to: "written.from !== undefined",
    why: "a delay from its arming becomes a series",
  },
  { from: "moment.first ?? moment.now", to: "moment.now", why: "a series begins anew each time" },
  {
    from: "(overHolidays(at, written, place) ?? at) > now",
    to: "(overHolidays(at, written, place) ?? at) >= now",
    why: "a series' member that is now comes again",
  },
  {
    from: "Math.floor(ahead / 2); ahead - behind > 1;",
    to: "Math.floor(ahead / 2); ahead - behind > 2;",
    why: "a series steps over a member",
  },
  {
    from: "if (isAhead(middle)) ahead = middle;\n    else behind = middle;",
    to: "ahead = middle;",
    why: "a series goes back to its first member",
  },
  {
    from: 'written.disambiguation ?? "compatible"',
    to: '"compatible"',
    why: "an hour that comes twice is the earlier one, whatever the delay says",
  },
  { from: ".add(timeParts(offset));", to: ";", why: "hours of an offset are left out" },
  { from: "addCalendar(start, offset, disambiguation)", to: "start", why: "days and months of an offset are left out" },
  {
    from: "if (years === 0 && months === 0 && weeks === 0 && days === 0) return start;",
    to: "",
    why: "in an hour that comes twice an offset of minutes jumps an hour",
  },
  {
    from: "if (written.at === undefined) return moved.epochMilliseconds;",
    to: "return moved.epochMilliseconds;",
    why: "the time of day is left out",
  },
  {
    from: "Object.hasOwn(delays, delay) ? delays[delay] : undefined",
    to: "delays[delay]",
    why: "`constructor` is a named delay",
  },
]);
