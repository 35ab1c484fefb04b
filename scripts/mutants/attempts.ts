// Mutants of attempts: starting, dispatching, claiming, settling and holding runs.
import { mutantsOf, type Mutant } from "./mistake.ts";

const runs = mutantsOf("src/kernel/execution/runs.ts", [
  {
    from: "ownRuns(step).unfinished >= UNFINISHED_RUNS_MAX",
    to: "ownRuns(step).unfinished > UNFINISHED_RUNS_MAX",
    why: "one run more than may be",
  },
  { from: "firstDueAt: due.at,", to: "", why: "lateness counts from when a delayed run was made" },
  {
    from: 'action.enabled === false) skipRun(step, run, "disabled");',
    to: 'action.enabled === false && due) skipRun(step, run, "disabled");',
    why: "a disabled action without a delay goes out",
  },
  { from: "delay === undefined || hasStarted(run)", to: "delay === undefined", why: "a patch moves what has begun" },
  { from: "if (isLeft(run)) continue;", to: "", why: "a patch moves runs of a state that is being left" },
  {
    from: "attempt > 0 || config !== null || broughtForward",
    to: "attempt > 0 || config !== null",
    why: "a patch moves what a person has brought forward",
  },
  {
    from: "attempt > 0 || config !== null || broughtForward",
    to: "attempt > 0 || broughtForward",
    why: "a patch moves what was held after its claim",
  },
  {
    from: "attempt > 0 || config !== null || broughtForward",
    to: "config !== null || broughtForward",
    why: "a patch moves what was tried before and then redriven with an edit",
  },
  {
    from: "if (isPausedOrSuspended(step)) return;\n  for (const run of step.state.runs)",
    to: "for (const run of step.state.runs)",
    why: "a paused execution dispatches",
  },
  {
    from: "firstDueAt: occurrence ?? step.now",
    to: "firstDueAt: step.now",
    why: "what is late of a schedule counts from when somebody looked",
  },
  {
    from: 'run.status === "retry" && isDue(run, step.now) &&',
    to: 'run.status === "retry" &&',
    why: "a retry goes before its time",
  },
  { from: "state.runs.filter(occupiesSlot).length;", to: "0;", why: "an execution's concurrency is not kept" },
  { from: "if (begun && occupiesSlot(begun)) free -= 1;", to: "free -= 1;", why: "a run that is skipped takes a slot" },
  { from: "if (begun && occupiesSlot(begun)) free -= 1;", to: "", why: "one step fills more slots than there are" },
  {
    from: "b.priority - a.priority || a.dueAt - b.dueAt",
    to: "a.priority - b.priority || a.dueAt - b.dueAt",
    why: "the least important goes first",
  },
  {
    from: "b.priority - a.priority || a.dueAt - b.dueAt",
    to: "b.priority - a.priority",
    why: "of equals the older goes first, and not the one due earlier",
  },
  {
    from: "b.priority - a.priority || a.dueAt - b.dueAt",
    to: "a.dueAt - b.dueAt || b.priority - a.priority",
    why: "the one due earlier goes first, and not the more important",
  },
  {
    from: "run.dueAt !== null && run.dueAt <= now",
    to: "run.dueAt !== null && run.dueAt < now",
    why: "a run is not due at its very instant",
  },
  {
    from: "if (expireRun(step, run, action)) return null;",
    to: "",
    why: "lateness is not asked for when a run is dispatched",
  },
  {
    from: "laneFor(step, action, run.attempts)",
    to: "laneFor(step, action, [])",
    why: "what nobody has answered goes the way of a first attempt",
  },
  {
    from: 'if (lane === "direct") step.room -= 1;',
    to: "",
    why: "one step begins more direct flights than there is room for",
  },
  {
    from: "lane, sentAt: step.now, resends: 0, dueAt: null });",
    to: "lane, sentAt: step.now, dueAt: null });",
    why: "a later attempt inherits the resends of the one before",
  },
  {
    from: "resends, deadlineAt: null });",
    to: "resends });",
    why: "what was sent again keeps the deadline of what was lost",
  },
  {
    from: 'lane: "queue", sentAt: step.now,',
    to: "sentAt: step.now,",
    why: "what was sent again is said to travel in the lane it was lost in",
  },
]);

const lane = mutantsOf("src/kernel/execution/attempts.ts", [
  {
    from: 'step.room <= 0 || wanted === "queue"',
    to: 'wanted === "queue"',
    why: "a flight begins without room for it",
  },
  { from: "(isShort && !isLost)", to: "(isShort && last === undefined)", why: "no retry flies directly" },
  { from: "(isShort && !isLost)", to: "!isLost", why: "a long action flies directly" },
  {
    from: "<= DIRECT_TIMEOUT_MS_MAX",
    to: "< DIRECT_TIMEOUT_MS_MAX",
    why: "an action of just the longest flight goes through the queue",
  },
  {
    from: "return timeout ?? defaults.timeoutMs;",
    to: "return defaults.timeoutMs;",
    why: "an action's own timeout is not heeded",
  },
]);

const settle = mutantsOf("src/kernel/execution/settle.ts", [
  { from: "if (!isThisAttempt || (", to: "if ((", why: "a message of an earlier attempt claims the next" },
  {
    from: '(run.status !== "queued" && !isRedelivery(step, run, by))',
    to: "false",
    why: "an attempt is claimed twice",
  },
  {
    from: "if (isThisAttempt && isRepeatedClaim(run, by)) return null;",
    to: "",
    why: "whoever did not hear its answer is refused",
  },
  {
    from: "attempt <= (run.redriven?.attemptsBeforeEdit ?? 0)",
    to: "false",
    why: "a success of before an edit is taken for one of what was changed",
  },
  {
    from: 'run.status === "running" && !isClaimedBy(run, of)',
    to: "false",
    why: "what somebody has in hand fails because another message was given up",
  },
  { from: "expireRun(step, run, action) ? null :", to: "", why: "lateness is not asked for at the claim" },
  { from: "render(run.edit ?? action.config,", to: "render(action.config,", why: "what a person changed is not sent" },
  {
    from: "config: run.config === null ? config : null });",
    to: "config });",
    why: "a config that was frozen before is in the journal once more",
  },
  {
    from: 'run.status !== "running" || !ids.includes(run.id)',
    to: 'run.status !== "running"',
    why: "a restart sends out again what others have in hand",
  },
  {
    from: "if (run.unwanted) loseAttempt(step, run);",
    to: "if (false) loseAttempt(step, run);",
    why: "what nobody wants any more goes out again after a restart",
  },
  {
    from: 'else if (step.state.status !== "paused") resend',
    to: "else resend",
    why: "what was in hand at a restart goes out though the execution is paused",
  },
  {
    from: "if (run.unwanted) return endAbandonedAttempt(step, run, error, spent);",
    to: "",
    why: "what nobody wants any more is tried again",
  },
  {
    from: '!(outcome.ok || run.status === "running")',
    to: "!outcome.ok && false",
    why: "a late failure ends what was sent again",
  },
  {
    from: '!(outcome.ok || run.status === "running")',
    to: 'run.status !== "running"',
    why: "a late success is refused",
  },
  {
    from: "policy, error, attempt - attemptsBefore);",
    to: "policy, error, attempt);",
    why: "a redriven run gets no tries of its own",
  },
  { from: "once ? { ...policy, maxAttempts: 1 } : policy", to: "policy", why: "one more try becomes many" },
  {
    from: "retryDelayMs(policy, attempt - attemptsBefore,",
    to: "retryDelayMs(policy, attempt,",
    why: "a redriven run's waits go on where they were",
  },
  {
    from: "run.attempts.find((each) => each.attempt > attemptsBefore)",
    to: "run.attempts[0]",
    why: "a redriven run's budget of time was spent before it began",
  },
  { from: "(costEstimate ?? 0) + spent", to: "spent", why: "the cost of earlier attempts is forgotten" },
]);

const claimant = mutantsOf("src/kernel/execution/attempts.ts", [
  {
    from: "if (isRepeatedClaim(run, by) || isRedelivery(step, run, by)) {",
    to: "if (isRepeatedClaim(run, by)) {",
    why: "what a consumer had come to when it died waits for its deadline",
  },
  {
    from: "by.delivery > claimedBy.delivery && !isSecond",
    to: "by.delivery > claimedBy.delivery",
    why: "a run that ends its consumers is given to one after the other",
  },
  {
    from: "by.delivery > claimedBy.delivery && !isSecond",
    to: "!isSecond",
    why: "an earlier delivery takes an attempt away from a later one",
  },
  {
    from: "each.firstStartedAt !== undefined",
    to: "each.possiblyRepeated",
    why: "an attempt after one in doubt is left to its deadline where its consumer dies",
  },
  {
    from: "!claimedBy || claimedBy.message !== by?.message",
    to: "!claimedBy || !by",
    why: "another message takes an attempt away from who has it in hand",
  },
  {
    from: 'if (step.state.status === "paused" && !unwanted) return false;',
    to: "",
    why: "what was lost goes out again though the execution is paused",
  },
  { from: "one.arrival === other?.arrival", to: "true", why: "everybody who asks is answered as the one who claimed" },
]);

const hold = mutantsOf("src/kernel/execution/due/holds.ts", [
  {
    from: "Math.max(held.until, step.now + HOLD_MS_MIN)",
    to: "held.until",
    why: "a hold into the past comes back at once",
  },
  { from: ", step.now + holdMsMax);", to: ", Infinity);", why: "a hold has no end" },
  {
    from: "attempt: attempt - 1,\n    lane: null,\n    sentAt: null,\n    claimedAt",
    to: "attempt,\n    lane: null,\n    sentAt: null,\n    claimedAt",
    why: "a hold spends an attempt",
  },
  {
    from: "return isLost ? [{ ...each, endedAt: step.now }] : [];",
    to: "return [];",
    why: "a hold makes it forget that it may have taken effect",
  },
  {
    from: "if (run.unwanted) cancelAbandoned(step, back);",
    to: "",
    why: "what was held goes out though its state was left",
  },
]);

const doubt = mutantsOf("src/kernel/execution/possible-repeats.ts", [
  {
    from: "return wasClaimed || mayBeRepeat(run, attempt);",
    to: "return false;",
    why: "an attempt carried out twice does not say so",
  },
  {
    from: "wasClaimed || mayBeRepeat(run, attempt)",
    to: "wasClaimed",
    why: "what goes out after a lost answer does not say that it may be a repeat",
  },
  {
    from: "return wasClaimed || mayBeRepeat(run, attempt);",
    to: "return run.attempts.length > 0;",
    why: "every retry says that it may be a repetition",
  },
  { from: "possiblyRepeated || endedAt === null", to: "endedAt === null", why: "a refused repeat ends the doubt" },
  { from: "endedAt === null || ", to: "", why: "a lost attempt is in no doubt" },
  { from: "each.attempt < attempt && ", to: "", why: "an attempt that is given again is held to be its own repeat" },
  { from: 'effect === "unknown"', to: "true", why: "what never went out is held to have had its effect" },
  { from: 'type === "timeout" || ', to: "", why: "a deadline is believed to have stopped the effect" },
]);

export const attemptMutants: readonly Mutant[] = [...runs, ...lane, ...settle, ...claimant, ...hold, ...doubt];
