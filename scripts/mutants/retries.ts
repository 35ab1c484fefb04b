// Mutants of failure handling: retries, redrives by an operator, earlier retries, and permanent failures.
import { mutantsOf, type Mutant } from "./mistake.ts";

const retry = mutantsOf("src/kernel/execution/retries/retry.ts", [
  { from: "attempt >= policy.maxAttempts", to: "attempt > policy.maxAttempts", why: "one attempt more than may be" },
  {
    from: "at > firstStartedAt + totalTimeMs",
    to: "at >= firstStartedAt + totalTimeMs",
    why: "a budget of time ends an instant early",
  },
  { from: "policy.baseDelay * attempt;", to: "policy.baseDelay * (attempt - 1);", why: "linear waits begin with none" },
  {
    from: "policy.multiplier ** (attempt - 1)",
    to: "policy.multiplier ** attempt",
    why: "exponential waits are one step ahead",
  },
  {
    from: "policy.delays[attempt - 1] ?? policy.delays.at(-1)",
    to: "policy.delays[attempt - 1] ?? policy.delays[0]",
    why: "waits beyond those written out begin anew",
  },
  {
    from: "return waitMs * (0.5 + chance * 0.5);",
    to: "return waitMs * (0.5 + chance);",
    why: "half of a wait by chance is the whole of it",
  },
  {
    from: "Math.min(Math.floor(withJitter(backoff, policy.jitter, chance)), cap)",
    to: "Math.floor(withJitter(backoff, policy.jitter, chance))",
    why: "chance goes beyond the longest wait",
  },
  { from: "Math.max(delayMs, asked)", to: "delayMs", why: "what a provider asks for is not heeded" },
  {
    from: "Math.min(Math.ceil(retryAfterMs), RETRY_AFTER_MS_MAX)",
    to: "Math.ceil(retryAfterMs)",
    why: "a provider puts a run off for years",
  },
  { from: "Number.isNaN(retryAfterMs) ? 0 :", to: "", why: "a provider's nonsense makes an instant that is none" },
  { from: "if (never > 0 && never >= only) return false;", to: "", why: "what is not to be tried again is" },
  {
    from: "if (never > 0 && never >= only) return false;",
    to: "if (never > 0) return false;",
    why: "a vague never goes over a closer name",
  },
  { from: "if (close > how)", to: "if (close >= how && close > 0)", why: "of equally close rules the last decides" },
  {
    from: "error.retryable && !NOT_RETRYABLE.has(error.type)",
    to: "error.retryable",
    why: "a wrong password is tried again",
  },
]);

const redrive = mutantsOf("src/kernel/execution/retries/redrive.ts", [
  { from: "unwanted: false,\n", to: "", why: "a redriven run stays unwanted, and is not tried again" },
  {
    from: "step.program.nodes === undefined ? null : run.boundTo,",
    to: "run.boundTo,",
    why: "a redriven run goes with the state it belonged to",
  },
  {
    from: "config: isEdited ? null : run.config,",
    to: "config: null,",
    why: "a run sent again as it was is rendered anew",
  },
  { from: "config: isEdited ? null : run.config,", to: "config: run.config,", why: "an edit is not sent" },
  {
    from: "config: isEdited ? null : run.config,",
    to: "config: input.config === null ? run.config : null,",
    why: "new variables are not sent",
  },
  { from: "attemptsBefore: attempt,", to: "attemptsBefore: 0,", why: "a redriven run has no tries left" },
  {
    from: "(isEdited ? { attemptsBeforeEdit: attempt } : {})",
    to: "{}",
    why: "an edit forgets which attempts went out before it",
  },
  { from: "(redriven?.times ?? 0) + 1", to: "1", why: "how often a run was redriven is not counted" },
  {
    from: "run.edit ?? actionOf(step, run.action).config, config",
    to: "actionOf(step, run.action).config, config",
    why: "a second edit undoes the first",
  },
  {
    from: "if (deadLetterUntil(run) > step.now)",
    to: "if (deadLetterUntil(run) >= step.now)",
    why: "a dead letter does not expire at its very instant",
  },
  {
    from: "waitsForPerson(run) || run.finishedAt === null",
    to: "waitsForPerson(run)",
    why: "an execution whose dead letter was just redriven counts as settled",
  },
  {
    from: "before.attempt > 0 || before.firstDueAt !== before.createdAt",
    to: "before.attempt > 0",
    why: "a redriven run waits for its delay once more",
  },
  {
    from: "before.attempt > 0 || before.firstDueAt !== before.createdAt",
    to: "before.firstDueAt !== before.createdAt",
    why: "a redriven run that was tried waits for a delay",
  },
  {
    from: "due.at === null && isFinalStatus(step.state.status)",
    to: "due.at === null && false",
    why: "what is redriven waits without end for a variable nobody can patch",
  },
]);

const endings = mutantsOf("src/kernel/execution/run-endings.ts", [
  {
    from: "waiting >= OPEN_DEAD_LETTERS_MAX",
    to: "waiting > OPEN_DEAD_LETTERS_MAX",
    why: "one dead letter more than may be",
  },
  {
    from: 'if (run.status === "running") changeRun(step, run, { unwanted: true });\n    else cancelRun',
    to: "cancelRun",
    why: "what is in flight is canceled, and its outcome lost",
  },
  { from: "isFinalRun(run.status) || !which(run)", to: "!which(run)", why: "what is over is canceled" },
  { from: "Math.max(0, run.attempt - 1)", to: "run.attempt", why: "guards see one retry more than there was" },
  {
    from: "priority > CRITICAL_ABOVE_PRIORITY",
    to: "priority >= CRITICAL_ABOVE_PRIORITY",
    why: "what is just important is critical",
  },
]);

const verdict = mutantsOf("src/kernel/execution/current-step.ts", [
  {
    from: "if (isFinalStatus(step.state.status)) return null;",
    to: "",
    why: "a run that fails after the end ends it once more",
  },
  {
    from: '(step.verdict.kind === "pause" && verdict.kind === "fail")',
    to: "false",
    why: "to pause, asked for first, outranks to fail",
  },
  {
    from: '(step.verdict.kind === "pause" && verdict.kind === "fail")',
    to: "true",
    why: "of several verdicts the last one wins",
  },
]);

const runNow = mutantsOf("src/kernel/execution/verbs/dates.ts", [
  {
    from: "{ dueAt: step.now, planned, broughtForward: true, ...hours, ...free }",
    to: "{ dueAt: step.now, firstDueAt: step.now, broughtForward: true }",
    why: "what was brought forward is late before its own time has come",
  },
  {
    from: "{ dueAt: step.now, planned, broughtForward: true, ...hours, ...free }",
    to: "{ dueAt: step.now }",
    why: "what was brought forward is forgotten to have been",
  },
  {
    from: 'run.status !== "scheduled" && run.status !== "retry"',
    to: 'run.status !== "scheduled"',
    why: "a retry cannot be brought forward",
  },
  {
    from: "const { delay: _delay, ...atOnce } = action;",
    to: "const atOnce = action;",
    why: "an action begun by hand waits for its delay",
  },
]);

const handled = mutantsOf("src/kernel/execution/retries/handled.ts", [
  {
    from: "if (!run?.deadLetter || step.verdict !== null) return;",
    to: "if (!run?.deadLetter) return;",
    why: "what its machine came to grief over is handled",
  },
  {
    from: " || isSuccessAwaited(step, run, run.heard)",
    to: "",
    why: "what its machine waits to have sent again is handled",
  },
  {
    from: 'state.status === "canceled" || ',
    to: "",
    why: "a machine that was canceled waits for a success all the same",
  },
  { from: " || newest?.id !== id", to: "", why: "what was begun anew is waited for twice" },
  { from: "run.finishedAt === finishedAt && ", to: "", why: "a parent takes care of what failed in its child before" },
  { from: "[...took, begun]", to: "took", why: "what another region took note of is handled where it happened" },
  {
    from: "return heard ? { heard: null, handledAt: null } : {};",
    to: "return {};",
    why: "what was sent again by force stays handled",
  },
]);

export const retryMutants: readonly Mutant[] = [...retry, ...redrive, ...endings, ...verdict, ...runNow, ...handled];
