// Mutants of operator verbs for a single action: skip, hold, reschedule and complete.
import { mutantsOf, type Mutant } from "./mistake.ts";

const standing = mutantsOf("src/kernel/execution/verbs/target.ts", [
  {
    from: ".every((path) => isInState(position, path.trim()))",
    to: ".some((path) => isInState(position, path.trim()))",
    why: "one of several places is enough",
  },
  {
    from: "isInState(position, path.trim())",
    to: "isInState(position, path)",
    why: "a blank after a comma is part of a state's name",
  },
]);

const holding = mutantsOf("src/kernel/execution/verbs/dates.ts", [
  {
    from: "dueAt: isSent ? step.now : run.dueAt",
    to: "dueAt: run.dueAt",
    why: "what was queued has no instant when it is released",
  },
  { from: "isSent ? { attempt: run.attempt - 1 } : {}", to: "{}", why: "a hold spends an attempt" },
  {
    from: "isSent ? { attempt: run.attempt - 1 } : {}",
    to: "{ attempt: run.attempt - 1 }",
    why: "a run in backoff is tried under the same number again",
  },
  {
    from: 'status: "scheduled", dueAt: null, lane: null',
    to: "dueAt: null, lane: null",
    why: "a held run keeps its slot",
  },
  { from: "{ dueAt, heldByHand: null }", to: "{ heldByHand: null }", why: "what is released has no instant" },
  {
    from: "{ dueAt, heldByHand: null }",
    to: "{ dueAt: step.now, heldByHand: null }",
    why: "what is released goes before its time",
  },
]);

const reschedule = mutantsOf("src/kernel/execution/verbs/dates.ts", [
  { from: "at > now && at <= INSTANT_MS_MAX", to: "at >= now && at <= INSTANT_MS_MAX", why: "now is ahead of now" },
  { from: "at > now && at <= INSTANT_MS_MAX", to: "at > now", why: "any instant is taken, however far ahead" },
  {
    from: "const moved: Timer = { ...armed, at, rescheduled: true };",
    to: "const moved: Timer = { ...armed, at };",
    why: "a patch moves a timer that a person has set",
  },
  {
    from: "{ ...run, firstDueAt: at, planned: at }",
    to: "{ ...run, planned: at }",
    why: "a run is late before its new time has come",
  },
  {
    from: "if (latest < at) {",
    to: "if (latest <= at) {",
    why: "the last instant at which a run is wanted is refused",
  },
  {
    from: "{ heldByHand: { ...held, dueAt: at } }",
    to: "{ dueAt: at }",
    why: "what is held goes, for it was given another instant",
  },
]);

const skip = mutantsOf("src/kernel/execution/verbs/outcomes.ts", [
  {
    from: 'if (run.status === "running") return refuseInFlight(run, "skipped");',
    to: "",
    why: "a run in flight is skipped, and its outcome lost",
  },
  {
    from: "fault !== null || !wouldBeStuck(step)",
    to: "fault !== null || true",
    why: "a skip after which nothing can go on fails the execution",
  },
  { from: "deadLetter: false,", to: "", why: "a dead letter that was skipped waits for a person" },
  {
    from: "{ result, assumed: true }",
    to: "{ result }",
    why: "a reconciler does not see that what was skipped counts as done",
  },
  {
    from: "  skipFailedRuns(step, node);\n",
    to: "",
    why: "what failed of a node that is passed over waits for a person",
  },
  {
    from: "changeState(step, { lastAction: statusOf(skipped, run.claimedAt, { succeeded: true }) });",
    to: "",
    why: "guards do not see that what was skipped counts as done",
  },
]);

const complete = mutantsOf("src/kernel/execution/verbs/outcomes.ts", [
  {
    from: "withdrawTasks(step, ({ run }) => run === before, COMPLETED_BY_OPERATOR)",
    to: "null",
    why: "a task whose answer was given stays open",
  },
  { from: "each.run === id && !each.withdrawn", to: "each.run === id", why: "a task is completed twice" },
  {
    from: 'timing !== "now" && timing !== "later"',
    to: 'timing !== "now"',
    why: "a task that a later state waits for cannot be completed",
  },
]);

const steered = mutantsOf("src/kernel/programs/journey/control-node.ts", [
  {
    from: "if (mark.awaits !== undefined) draft.commands",
    to: "if (false) draft.commands",
    why: "whom a skipped node has asked keeps the task",
  },
  {
    from: 'if (is.kind === "delay") draft.commands',
    to: "if (false) draft.commands",
    why: "the timer of a skipped delay fires",
  },
  { from: "way === ask.as || type === ask.as", to: "type === ask.as", why: "a way cannot be said by its place" },
  {
    from: 'if (mark.status === "pending") return markForSkipping(draft, name, mark);',
    to: "",
    why: "a node ahead ends before it is reached",
  },
  { from: "out.length > 0 && !out.some", to: "!out.some", why: "a last node cannot be skipped" },
]);

const elsewhere = [
  ...mutantsOf("src/kernel/execution/timers.ts", [
    {
      from: " || timer.rescheduled === true) continue;",
      to: ") continue;",
      why: "a patch moves what a person has set",
    },
  ]),
  ...mutantsOf("src/kernel/programs/journey/tokens.ts", [
    {
      from: "if (mark.unwanted) return skipByOperator(draft, node, mark);",
      to: "",
      why: "a node that was to be passed over begins",
    },
  ]),
];

export const verbMutants: readonly Mutant[] = [
  ...[standing, holding, reschedule, skip, complete, steered, elsewhere].flat(),
];
