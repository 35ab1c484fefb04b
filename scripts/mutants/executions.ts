// Mutants of executions: accepted and refused commands, the next step, and the end of an execution.
import { mutantsOf, type Mutant } from "./mistake.ts";

const control = mutantsOf("src/kernel/execution/control.ts", [
  {
    from: 'run.attempt > 1 || run.attempts.length > 0 ? "retry" : "scheduled"',
    to: 'run.attempt > 1 ? "retry" : "scheduled"',
    why: "a first attempt that was sent again loses its slot in a pause",
  },
  {
    from: 'run.attempt > 1 || run.attempts.length > 0 ? "retry" : "scheduled"',
    to: 'run.attempts.length > 0 ? "retry" : "scheduled"',
    why: "an attempt after one that nobody claimed loses its slot in a pause",
  },
  {
    from: "attempt: run.attempt - 1, dueAt: step.now, sentAt: null",
    to: "dueAt: step.now, sentAt: null",
    why: "a pause spends an attempt",
  },
  {
    from: "sentAt: null, resends: 0 });",
    to: "sentAt: null });",
    why: "after a pause a message is waited for as long as before it",
    lives: "Nothing reads it while the run waits, and whatever sends the run again counts from 0: nobody can tell.",
  },
  {
    from: 'if (run.status !== "queued") continue;',
    to: "continue;",
    why: "what is queued can be claimed while the execution is paused",
  },
  {
    from: "pausedAt: null, reason: null, error: null });",
    to: "pausedAt: null, reason: null });",
    why: "a resumed execution shows the error it was paused for",
  },
  {
    from: "size > VARIABLES_BYTES_MAX",
    to: "size >= VARIABLES_BYTES_MAX",
    why: "variables of just the greatest size are refused",
  },
  {
    from: "...buffer.filter((each) => each.message.type !== PATCHED)",
    to: "...buffer",
    why: "each patch of a paused execution is news of its own",
  },
  { from: "disarmAllTimers(step);", to: "", why: "timers outlive the execution" },
  {
    from: "step.pending.length = 0;\n}",
    to: "}",
    why: "after the end events of runs are still handed over",
    lives:
      "What hands them over looks first whether the execution has ended (`events move what has ended` dies). A second lock.",
  },
]);

const begin = mutantsOf("src/kernel/execution/begin.ts", [
  {
    from: "{ ...program.definition.variables, ...input.variables }",
    to: "{ ...input.variables, ...program.definition.variables }",
    why: "a definition's variables go over those of a start",
  },
]);

const step = mutantsOf("src/kernel/execution/step.ts", [
  {
    from: '"inputId" in input ? repeatOf(state, input) : null;',
    to: "null;",
    why: "an input that comes twice is done twice",
  },
  {
    from: "if (isCanceled && canArmWake(result.state, input.now)) return result;",
    to: "if (isCanceled) return result;",
    why: "what is canceled is left with a wake that no clock reaches",
  },
  {
    from: "return isLiveCancel ? cancelAlways",
    to: "return false ? cancelAlways",
    why: "what no step can read cannot be canceled",
  },
  {
    from: "if (!isSmall) makeRoom(current);",
    to: "",
    why: "what has ended keeps its config where others need the room",
    lives: "A claim makes its room itself. What comes from outside would be refused with the way out: nothing is lost.",
  },
  {
    from: "return error ? failInsteadOf(stepping, state, input, error) : closed;",
    to: "return closed;",
    why: "an execution becomes larger than a row holds",
  },
  {
    from: "passTime(current);\n  if (input",
    to: "if (input",
    why: "an event overtakes a timer that was due before it",
  },
  {
    from: "patch(current, input) ?? passTime(current)",
    to: "patch(current, input)",
    why: "what a patch makes due waits for the next wake",
  },
  {
    from: "resume(current, input) ?? passTime(current)",
    to: "resume(current, input)",
    why: "what fell due in a pause waits for the next wake",
  },
  {
    from: "runNow(current, input) ?? passTime(current)",
    to: "runNow(current, input)",
    why: "a timer brought forward waits for the next wake",
  },
  {
    from: "if (isQuiet && !isProjectionDue(current)) return",
    to: "if (isQuiet) return",
    why: "lists never hear of a busy execution that has become quiet",
  },
  {
    from: '"inputId" in input && leavesReceipt(input)',
    to: 'input.kind === "start"',
    why: "no input but a start is remembered",
  },
  {
    from: "addsToState(input) ? refuseFull(current) : null",
    to: "null",
    why: "an execution takes in more than a row holds",
  },
  {
    from: 'input.kind !== "cancel" ? refuseForgetting',
    to: "true ? refuseForgetting",
    why: "a cancellation is refused where no more can be remembered",
    lives:
      "A cancellation that is refused is made all the same, as one that breaks is: a second lock on the same door.",
  },
]);

const erase = mutantsOf("src/kernel/execution/erase.ts", [
  {
    from: "retainUntil <= now && !isOwing",
    to: "retainUntil < now && !isOwing",
    why: "history is not let go at its very instant",
  },
  {
    from: "retainUntil <= now && !isOwing",
    to: "retainUntil <= now",
    why: "an execution is purged that owes its parent news",
  },
  { from: "&& !isUnresolved(before);", to: ";", why: "an execution is purged that holds a dead letter" },
]);

const drive = mutantsOf("src/kernel/execution/drive.ts", [
  {
    from: "step.pending.shift() ?? firstWaiting(step, until)",
    to: "firstWaiting(step, until) ?? step.pending.shift()",
    why: "events that waited overtake those of runs",
  },
  {
    from: "step.macrosteps <= MACROSTEPS_MAX",
    to: "step.macrosteps < MACROSTEPS_MAX",
    why: "one event fewer than may be",
  },
  {
    from: "if (isFinalStatus(status)) return recordLateResult(step, event.message.type);",
    to: "",
    why: "events move what has ended",
  },
  {
    from: 'origin === "run" || program.eventTiming',
    to: "program.eventTiming",
    why: "what runs said in a pause waits to be wanted",
  },
  { from: 'message.type) !== "later"', to: 'message.type) === "now"', why: "an event that became late waits for ever" },
  { from: "if (now !== previous) addEntry(", to: "addEntry(", why: "what stays where it is is said to have moved" },
  { from: "if (move.position.done) disarmAllTimers(step);", to: "", why: "timers keep a machine that is done" },
  {
    from: "size > VARIABLES_BYTES_MAX",
    to: "size > 2 * VARIABLES_BYTES_MAX",
    why: "assignments make variables larger than may be",
  },
  {
    from: "if (unarmed !== null) return unarmed;\n      continue;",
    to: "if (unarmed !== null) return unarmed;",
    why: "a scheduled action runs as its state is entered, too",
  },
  {
    from: "boundTo !== null && left.has(boundTo)",
    to: "boundTo !== null",
    why: "an assignment moves no run that belongs to a state",
  },
]);

const earlyEvents = mutantsOf("src/kernel/execution/early-events.ts", [
  {
    from: 'if (state.status === "paused") return keepEvent(step, input, "paused");',
    to: "",
    why: "events are taken while the execution is paused",
  },
  {
    from: "buffer.length >= EVENTS_BUFFERED_MAX",
    to: "buffer.length > EVENTS_BUFFERED_MAX",
    why: "one event more waits than may",
  },
]);

const cancelOnExit = mutantsOf("src/kernel/execution/cancel-on-exit.ts", [
  {
    from: "run.boundTo === state && isCanceledOnExit",
    to: "isCanceledOnExit",
    why: "leaving one state cancels the runs of all",
  },
  {
    from: "&& isCanceledOnExit(actionOf(step, run.action))",
    to: "",
    why: "a run with cancelOnExit: false is canceled with its state",
  },
  {
    from: 'disarmTimers(step, (timer) => timer.kind !== "cron" || timer.state !== state);',
    to: "",
    why: "a schedule continues after its state",
  },
  {
    from: 'timer.kind !== "cron" || timer.state !== state',
    to: 'timer.kind !== "cron"',
    why: "leaving one state ends the schedules of all",
  },
  {
    from: "isCanceledOnExit(actionOf(step, run.action)) ? run.boundTo : null",
    to: "run.boundTo",
    why: "a task of an action with cancelOnExit: false is withdrawn with its state",
  },
]);

const conclude = mutantsOf("src/kernel/execution/conclude.ts", [
  {
    from: "state.position.done && live.length === 0",
    to: "state.position.done",
    why: "an execution ends before its last runs",
  },
  {
    from: "isUnresolved(step.before) && !isUnresolved(state)",
    to: "!isUnresolved(state)",
    why: "whatever happens after the end keeps history longer",
  },
  { from: "notifyOfEnd(step);", to: "", why: "no parent or subject is notified of an end" },
  { from: "if (state.finishedAt === null) {", to: "if (true) {", why: "an execution that has ended ends again" },
  {
    from: "liveRuns > 0 || state.timers.length > 0 || state.runs.some",
    to: "liveRuns > 0 || state.runs.some",
    why: "an execution that waits for a timer is stuck",
  },
  {
    from: "|| state.runs.some(waitsForPerson)) return false",
    to: ") return false",
    why: "an execution that waits for a person is stuck",
  },
  {
    from: "|| state.runs.some(waitsForPerson)) return false",
    to: "|| state.runs.some(({ deadLetter }) => deadLetter)) return false",
    why: "a failure that waits for nobody keeps an execution standing still",
  },
  {
    from: "isBusy && step.now < until",
    to: "isBusy && step.now <= until",
    why: "lists hear of a busy execution an instant late",
  },
  {
    from: "!step.suspended && isBusy",
    to: "isBusy",
    why: "lists never hear of what a suspended tenant's execution has come to",
  },
  { from: "dueAt < at", to: "dueAt <= at", why: "a retry that is due when lists are told holds them up" },
  { from: "unprojectedSince ?? step.now", to: "step.now", why: "lists never hear of an execution that stays busy" },
  { from: "isFinalRun(status) && !deadLetter;", to: "isFinalRun(status);", why: "dead letters are forgotten" },
  { from: " || before.unprojectedSince !== null", to: "", why: "runs are forgotten that no list has heard of" },
  {
    from: "if (!isFinalRun(status) || deadLetter) needed",
    to: "if (!isFinalRun(status)) needed",
    why: "a dead letter's trigger is forgotten",
  },
]);

export const executionMutants: readonly Mutant[] = [
  ...control,
  ...earlyEvents,
  ...cancelOnExit,
  ...begin,
  ...step,
  ...erase,
  ...drive,
  ...conclude,
];
