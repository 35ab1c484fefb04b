// Mutants of pollers: new items of a page, poll cycles, the next poll, and the tenant's alerts.
import { mutantsOf, type Mutant } from "./mistake.ts";

const steps = mutantsOf("src/policy/polling/step.ts", [
  { from: "nextAt > now || isFull(backlog)", to: "nextAt > now", why: "it reads on with no room for what it reads" },
  {
    from: 'terms.order === "oldest_first" || cycle < cyclesCompleted',
    to: 'terms.order === "oldest_first" || cycle <= cyclesCompleted',
    why: "newest first something goes out before the oldest of its cycle is known",
  },
  {
    from: "input.ask.seq === state.seq && input.ask.generation",
    to: "input.ask.generation",
    why: "an answer to what was asked before a change counts",
  },
  {
    from: "terms.generation <= oldTerms.generation",
    to: "terms.generation < oldTerms.generation",
    why: "the same word is heeded twice",
  },
  { from: "terms.epoch > oldTerms.epoch", to: "terms.epoch > oldTerms.epoch + 1", why: "a reset forgets nothing" },
  {
    from: '!state.hasBaseline && terms.from === "now"',
    to: 'terms.from === "now"',
    why: "nothing is ever delivered by one that begins with now",
  },
  {
    from: "held: isBaseline ? [] : fresh.held",
    to: "held: fresh.held",
    why: "the items of the first poll are delivered",
  },
  {
    from: "cyclesCompleted: state.cyclesCompleted + 1, hasBaseline: true",
    to: "cyclesCompleted: state.cyclesCompleted, hasBaseline: true",
    why: "a cycle that is over is not counted",
  },
  {
    from: "Math.min(Math.max(startedAt + everyMs, now + 1), now + everyMs)",
    to: "startedAt + everyMs",
    why: "a clock that is set moves the next poll with it",
  },
  { from: "2 ** Math.min(failures - 1, 20)", to: "2 ** 0", why: "who fails again and again is asked as often" },
  {
    from: "Math.min(retryAfterMs ?? 0, POLL_RETRY_AFTER_MS_MAX)",
    to: "0",
    why: "a provider that asks for quiet is asked again",
  },
  {
    from: "const cycle = isFinal ? null : state.cycle;",
    to: "const cycle = state.cycle;",
    why: "a page that is refused for good is asked for ever",
  },
  { from: "before.trouble === null ? now :", to: "now > 0 ? now :", why: "trouble begins anew with each poll" },
]);

const paging = mutantsOf("src/policy/polling/paging.ts", [
  {
    from: "isSameCursor(next, at) || isSameCursor(next, mark)",
    to: "isSameCursor(next, at)",
    why: "a wider circle of cursors is never noticed",
  },
  { from: "isPowerOfTwo ? next : mark", to: "next", why: "the mark goes along, and no circle meets it" },
  { from: "pages >= POLL_PAGES_MAX ? tooManyPages : null", to: "null", why: "a list without an end is read forever" },
  {
    from: 'terms.order === "newest_first" && isAllKnown',
    to: "isAllKnown",
    why: "oldest first a page that is known ends the cycle",
  },
  {
    from: "if (isSameCursor(at, start)) return page.validators;",
    to: "return page.validators;",
    why: "validators of the last page are sent for the first",
  },
]);

const fresh = mutantsOf("src/policy/polling/new-items.ts", [
  {
    from: 'terms.change === "ids" || seenBefore.hash === hash',
    to: 'terms.change === "ids"',
    why: "what has not changed is told again",
  },
  { from: "(seenBefore?.version ?? 0) + 1", to: "1", why: "two changes of an item are one delivery" },
  { from: "base * RANKS_PER_BASE - n", to: "base * RANKS_PER_BASE + n", why: "newest first the newest goes out first" },
  {
    from: "seenBefore === undefined || seenBefore.cycle >= cycle",
    to: "seenBefore === undefined",
    why: "what was found a page before ends the cycle",
  },
]);

const news = mutantsOf("src/policy/inbound/trigger-alerts.ts", [
  {
    from: "now - sent.stuckAt >= STUCK_REPORT_REPEAT_MS",
    to: "true",
    why: "each delivery that gets stuck raises an alert",
  },
  {
    from: "stoppedPoller.reason.code !== sent.poller",
    to: "true",
    why: "a poller that stands still is told with every alarm",
  },
  {
    from: "Math.min(stuck, sent.stuck)",
    to: "sent.stuck",
    why: "deliveries that get stuck after a replay raise no alert",
  },
  {
    from: "!isLasting || !needsOperator(reason.code)",
    to: "!isLasting",
    why: "people are told of what passes by itself",
  },
  { from: "failures >= POLL_FAILURES_ALERTED", to: "failures > 0", why: "one failed poll raises an alert" },
]);

export const pollerMutants: readonly Mutant[] = [...steps, ...paging, ...fresh, ...news];
