// Mutants of an execution's stored state: variables, receipts, and their limits.
import { mutantsOf, type Mutant } from "./mistake.ts";

export const memoryMutants: readonly Mutant[] = [
  ...mutantsOf("src/kernel/execution/outbox/outbox.ts", [
    {
      from: "some((message) => sentAgainAt(message) <= step.now)",
      to: "some((message) => sentAgainAt(message) < step.now)",
      why: "messages are not sent again at their very instant",
    },
    { from: "message.tries + (isDue ? 1 : 0)", to: "1", why: "the gaps between messages do not grow" },
    { from: "left.length >= before.length ||", to: "", why: "what stays owed is sent at once, and again" },
    {
      from: "sendMessages(step, [...messages.slice(first), ...messages.slice(0, first)]);",
      to: "sendMessages(step, messages);",
      why: "messages that cannot be handled block all others",
    },
    {
      from: "if (messages.some(isUnsent)) sendMessages(step, messages);",
      to: "",
      why: "what is new waits for an alarm",
    },
  ]),
  ...mutantsOf("src/kernel/execution/outbox/outbox.ts", [
    {
      from: "if (step.state.createdAt !== incarnation) return null;",
      to: "",
      why: "a confirmation of an earlier execution with the same id counts",
    },
  ]),
  ...mutantsOf("src/kernel/execution/tasks/task-updates.ts", [
    {
      from: "return isCreating ? []",
      to: "return false ? []",
      why: "a task is withdrawn while its run may still make it",
    },
    { from: "(missed + 1) * everyMs", to: "everyMs", why: "each reminder that was missed comes afterwards" },
    { from: "left <= 1", to: "left <= 0", why: "there is one reminder too many" },
    { from: "`remind/${run}/${number}`", to: "`remind/${run}`", why: "an older reminder counts as the newest" },
    { from: 'maker?.status === "ok" ||', to: "", why: "a task that somebody has let go of is looked for again" },
    { from: "withdrawn.looks + 1 < TASK_SEARCHES_MAX", to: "true", why: "what never was is looked for for ever" },
  ]),
  ...mutantsOf("src/kernel/execution/tasks/open-tasks.ts", [
    {
      from: "if (!task || task.withdrawn) return;",
      to: "if (!task) return;",
      why: "what is withdrawn is withdrawn anew",
    },
    { from: "if (task && !task.withdrawn) {", to: "if (task) {", why: "the end of a withdrawn task is taken" },
    {
      from: "if (!task && !runOf(step, run)) return null;",
      to: "return null;",
      why: "late ends of let go tasks are taken",
    },
    { from: 'by.status === "canceled"', to: "false", why: "what is made for a state that was left stays open" },
    { from: "list.length >= TASKS_OPEN_MAX", to: "list.length > TASKS_OPEN_MAX", why: "one task too many is kept" },
    {
      from: 'standalone !== undefined && status !== "canceled"',
      to: "standalone !== undefined",
      why: "a canceled action's task stays",
    },
  ]),
  ...mutantsOf("src/kernel/execution/receipts/receipts.ts", [
    {
      from: "isSame: receipt.fingerprint === fingerprint",
      to: "isSame: true",
      why: "a key with another body gets the first answer",
    },
    {
      from: "id === inputId && kind === mine",
      to: "id === inputId",
      why: "an event with the id of a start counts as that start",
    },
    { from: "all.length > RECEIPTS_MAX", to: "all.length >= RECEIPTS_MAX", why: "one receipt fewer is kept whole" },
    { from: "gone && !gone.unkeyed ?", to: "gone ?", why: "what nobody comes back for takes a digest's room" },
    {
      from: "until <= now) ? older",
      to: "until < now) ? older",
      why: "digests are kept an instant longer",
      lives: "They are promised for a day at least, and leave by the hour: an instant more keeps the promise.",
    },
    {
      from: "Math.ceil(now / RECEIPT_GROUP_MS)",
      to: "Math.floor(now / RECEIPT_GROUP_MS)",
      why: "a digest leaves before it was promised to",
    },
  ]),
  ...mutantsOf("src/kernel/execution/state-bytes.ts", [
    {
      from: "isFinalRun(status) && !deadLetter && config !== null",
      to: "isFinalRun(status) && config !== null",
      why: "a dead letter forgets what it was to send",
    },
    {
      from: "size <= STATE_BYTES_MAX) return null;\n  const message = `the stored state",
      to: "size < STATE_BYTES_MAX) return null;\n  const message = `the stored state",
      why: "an execution of just the greatest size takes nothing",
    },
  ]),
  ...mutantsOf("src/kernel/execution/own-lists.ts", [
    {
      from: "own.unfinished += counted(isUnfinished(run)) - counted(before !== undefined && isUnfinished(before));",
      to: "own.unfinished += counted(isUnfinished(run));",
      why: "a run that changes counts once more",
    },
    {
      from: "dropTimer(step, timer.id);\n",
      to: "",
      why: "a timer armed again is armed twice",
      lives:
        "Whatever arms a timer anew has taken the old one away before: it fired, its state was left, or XState said so. A second lock.",
    },
  ]),
  ...mutantsOf("src/kernel/execution/current-step.ts", [
    { from: "step.chances += 1;", to: "", why: "runs of one step wait equally long by chance" },
    { from: "step.triggersMade += 1;", to: "", why: "triggers of one step are one" },
  ]),
];
