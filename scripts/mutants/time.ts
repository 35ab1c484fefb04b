// Mutants of time: timers, clock advances and lateness.
import { mutantsOf, type Mutant } from "./mistake.ts";

const timers = mutantsOf("src/kernel/execution/timers.ts", [
  {
    from: "return timer.at !== null && timer.at <= now;",
    to: "return timer.at !== null && timer.at < now;",
    why: "a timer is not due at its very instant",
  },
  {
    from: 'if (timer.kind !== "after" || isLeft(timer) || timer.rescheduled === true) continue;',
    to: 'if (timer.kind !== "after" || timer.rescheduled === true) continue;',
    why: "timers of a state that is being left move, too",
  },
  {
    from: 'if (written.onMove === "keep" && at !== null) return null;',
    to: 'if (written.onMove === "keep") return null;',
    why: "what keeps its instant never gets one, where it waited for its variable",
  },
  {
    from: 'if (written.onMove === "keep" && at !== null) return null;',
    to: "",
    why: "what is to keep its instant moves all the same",
  },
  {
    from: "if (at === null && is.ok) return is.at === null ? null : is;",
    to: "",
    why: "what waited for a variable is resolved only where the variable has changed",
  },
  {
    from: "JSON.stringify(withoutNote(was)) === JSON.stringify(withoutNote(is)) ? null : is",
    to: "is",
    why: "a patch of anything moves what was brought forward back to its delay",
  },
  {
    from: "resolveFor({ ...step, state: before }, delay, trigger, origin)",
    to: "resolveFor(step, delay, trigger, origin)",
    why: "no change of a variable moves anything",
  },
  {
    from: "if (kept.length < step.state.timers.length) changeState(step, { timers: kept });",
    to: "changeState(step, { timers: [] });",
    why: "disarming some timers disarms all",
  },
  {
    from: '?.from === "first" && firsts[id] === undefined',
    to: '?.from === "first"',
    why: "a series counts from its latest arming, not from its first",
  },
  {
    from: "const first = timer === undefined ? undefined : step.state.firsts?.[timer];",
    to: "const first = undefined;",
    why: "a series forgets when it began",
  },
  {
    from: "step.moves.push({ timer: timer.id, ...nodeOfMove(step, timer.state), from: timer.at, to: to.skip ? null : to.at });",
    to: "",
    why: "a timer's move is not reported",
  },
  {
    from: "step.armings += 1;\n  // At the same index",
    to: "// At the same index",
    why: "a timer that a due one moves into the past waits for the next step",
  },
]);

const schedules = mutantsOf("src/kernel/execution/due/schedules.ts", [
  { from: "armNextOccurrence(step, timer, due.value.next);", to: "", why: "a schedule fires once" },
  {
    from: 'reason: "no_further_occurrence" });',
    to: 'reason: "already_past" });',
    why: "a schedule at its end gives the wrong reason",
  },
  {
    from: "nextOf(scheduleOf(timer, action), placeOf(step, is.name), step.now, step.work)",
    to: "nextOf(scheduleOf(timer, action), placeOf(step, was.ok ? was.name : is.name), step.now, step.work)",
    why: "a schedule does not move with its zone",
  },
]);

const comingDue = mutantsOf("src/kernel/execution/clock.ts", [
  {
    from: 'run.status === "running" && overdueAt(run) <= now',
    to: 'run.status === "running" && overdueAt(run) < now',
    why: "an attempt does not time out at its very deadline",
  },
  {
    from: "isPausedOrSuspended(step) ? [] : dueTimers",
    to: "dueTimers",
    why: "timers fire while the execution is paused",
  },
  {
    from: "isStillDue: () => ownTimers(step).ids.has(timer.id)",
    to: "isStillDue: () => true",
    why: "a timer fires that another one has just taken back",
  },
  {
    from: "if (step.armings !== armings) [line",
    to: "if (line.length === 0) [line",
    why: "a timer armed for now by another one waits for its turn behind the others",
  },
  { from: "due === undefined ? step.now : due.at - 1", to: "step.now", why: "on resume events come before timers" },
  { from: "due === undefined ? step.now : due.at - 1", to: "-1", why: "on resume events come after timers" },
  { from: "next === undefined ? step.now : next.at - 1", to: "step.now", why: "runs that came due later decide first" },
  { from: "a.at - b.at", to: "b.at - a.at", why: "what came due last comes first" },
  { from: "a.at - b.at", to: "0", why: "all deadlines come before all timers" },
  { from: "lateMs: step.now - timer.at", to: "lateMs: timer.at - step.now", why: "a late timer is said to be early" },
  {
    from: "run.action === id && !isFinalRun(run.status)",
    to: "run.action === id",
    why: "a schedule stops after its first run",
  },
  {
    from: "run.action === id && !isFinalRun(run.status)",
    to: "!isFinalRun(run.status)",
    why: "a schedule waits for the runs of other actions",
  },
  {
    from: "createRun(step, action, timer.state, storeTrigger",
    to: "createRun(step, action, null, remember",
    why: "a schedule's run outlives the state it belongs to",
  },
]);

const resending = mutantsOf("src/kernel/waiting/deadlines.ts", [
  { from: "deadlineAt + SETTLE_GRACE_MS", to: "deadlineAt", why: "an answer on its way at the deadline is lost" },
]);

const clock = mutantsOf("src/kernel/execution/clock.ts", [
  {
    from: "resendAt(run) <= step.now",
    to: "resendAt(run) < step.now",
    why: "a message is not sent again at its very instant",
  },
  { from: "!step.suspended && ", to: "", why: "a suspended tenant's messages are sent again" },
  {
    from: '"not_claimed", run.resends + 1)',
    to: '"not_claimed", run.resends)',
    why: "the gaps between resends do not grow",
  },
  {
    from: "if (!isPausedOrSuspended(step) || mayExpireInPause(step)) expireDeadLetters(step);",
    to: "expireDeadLetters(step);",
    why: "dead letters expire while the execution is paused",
  },
  {
    from: "waitsForDecision(state) && !suspended",
    to: "waitsForDecision(state)",
    why: "dead letters of a suspended tenant expire",
  },
  { from: "sendDueAgain(step);\n", to: "\n", why: "outbox messages are sent only once" },
]);

const waits = mutantsOf("src/kernel/waiting/waits.ts", [
  {
    from: "...outbox.map((message) => ({",
    to: "...outbox.slice(outbox.length).map((message) => ({",
    why: "no alarm sends outbox messages again",
  },
  {
    from: "unprojectedSince + PROJECT_BUSY_AFTER_MS",
    to: "unprojectedSince",
    why: "a busy execution wakes at once to tell the lists",
  },
  { from: "    ...deadLetterWaits(state),\n", to: "", why: "no alarm archives a dead letter that has expired" },
  { from: "Math.min(...known)", to: "Math.max(...known)", why: "of several wakes the last one counts" },
]);

const runWaits = mutantsOf("src/kernel/waiting/waits.ts", [
  {
    from: 'stage === "slot" && !isIdle ? null',
    to: "!isIdle && isIdle ? null",
    why: "a run that waits for a slot keeps waking its execution",
  },
  {
    from: 'stage === "slot" && !isIdle',
    to: 'stage === "slot"',
    why: "no alarm dispatches what was held up with its tenant",
  },
  { from: "overdueAt(run) : run.dueAt", to: "overdueAt(run) : null", why: "no alarm starts a retry" },
]);

const slots = mutantsOf("src/schema/engine/run.ts", [
  {
    from: 'status === "queued" || status === "running" || status === "retry"',
    to: 'status === "queued" || status === "running"',
    why: "a run in backoff gives its slot away",
  },
]);

const nextWake = mutantsOf("src/kernel/waiting/next-instants.ts", [
  {
    from: 'state.status === "paused" ? all.filter((wait) => continuesInPause(state, wait)) : all',
    to: "all",
    why: "a paused execution wakes for what it must not do",
  },
  {
    from: "earliest(waits.map(({ until }) => until)) ?? state.retainUntil",
    to: "state.retainUntil ?? earliest(waits.map(({ until }) => until))",
    why: "an execution wakes to be purged before it has come to rest",
  },
]);

const lateness = mutantsOf("src/kernel/execution/due/holds.ts", [
  {
    from: "now > latestByLateness(run, action)",
    to: "now >= latestByLateness(run, action)",
    why: "a run is late at the last instant it may go",
  },
  {
    from: 'step.now > until ? "no_longer_valid"',
    to: 'step.now >= until ? "no_longer_valid"',
    why: "a run is no longer valid at the last instant it is",
  },
  {
    from: 'isLate(step, run, action) ? "late" : reasonAfterValidity(step, run, action)',
    to: "reasonAfterValidity(step, run, action)",
    why: "lateness is never asked for",
  },
  {
    from: "now > occurrence + OCCURRENCE_GRACE_MS",
    to: "now >= occurrence + OCCURRENCE_GRACE_MS",
    why: "an occurrence is missed at the last instant it is not",
  },
  {
    from: "maxLateness === undefined && now > occurrence",
    to: "now > occurrence",
    why: "an occurrence is missed though its action may be late",
  },
  {
    from: "instant(rule.value, zone.name, action.disambiguation)",
    to: "instant(rule.value, zone.name)",
    why: "an hour that comes twice is the earlier one, whatever the action says",
  },
  {
    from: "instant(rule.value, zone.name, action.disambiguation)",
    to: 'instant(rule.value, "UTC", action.disambiguation)',
    why: "validity is read in UTC and not in the action's zone",
  },
  {
    from: "if (rule.value === null) return null;",
    to: "",
    why: "a bound that hangs on a variable not there yet breaks the run",
  },
]);

const waiting = [...resending, ...waits, ...runWaits, ...slots, ...nextWake];

export const timeMutants: readonly Mutant[] = [
  ...timers,
  ...schedules,
  ...comingDue,
  ...clock,
  ...waiting,
  ...lateness,
];
