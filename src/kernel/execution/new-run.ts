// Run construction: creates a run, and changes a run when its attempt is claimed. Used for the runs of an execution and
// for a reconciler's collection, which is stored outside the list of runs.
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Claimant, Attempt, Run } from "#schema/engine/run.ts";
import { firstStartOf } from "#schema/engine/run.ts";
import type { JsonObject } from "#schema/json.ts";
import { timeoutOf, withoutClaimant } from "./attempts.ts";
import type { Step } from "./current-step.ts";
import { isPossibleRepeat } from "./possible-repeats.ts";

/** A run without attempts, due now. `trigger`: the number of the stored trigger that caused it. */
export function newRun(step: Step, action: ProgramAction, trigger: number): Run {
  const run: Run = {
    id: `${step.seq}.${step.runsMade}`,
    action: action.actionId,
    type: action.type,
    status: "scheduled",
    trigger,
    boundTo: null,
    priority: action.priority ?? 0,
    createdAt: step.now,
    dueAt: step.now,
    firstDueAt: step.now,
    attempt: 0,
    lane: null,
    sentAt: null,
    resends: 0,
    claimedAt: null,
    deadlineAt: null,
    config: null,
    attempts: [],
    error: null,
    result: null,
    reason: null,
    deadLetter: false,
    unwanted: false,
    finishedAt: null,
    costEstimate: null,
  };
  step.runsMade += 1;
  return run;
}

type Claim = {
  readonly attempt: number;
  readonly lane: "direct" | "queue";
  readonly by?: Claimant | undefined;
  readonly config: JsonObject;
};

/** The run with its claimed attempt: its rendered config and its deadline are set. */
export function runInAttempt({ now }: Step, run: Run, action: ProgramAction, claim: Claim): Run {
  const { attempt, lane, by, config } = claim;
  const earlier = run.attempts.find((each) => each.attempt === attempt);
  const begun: Attempt = {
    attempt,
    lane,
    startedAt: now,
    ...(earlier ? { firstStartedAt: firstStartOf(earlier) } : {}),
    endedAt: null,
    error: null,
    nextAttemptAt: null,
    possiblyRepeated: isPossibleRepeat(run, attempt),
  };
  return {
    ...withoutClaimant(run),
    status: "running",
    config,
    lane,
    claimedAt: now,
    deadlineAt: now + timeoutOf(action),
    ...(by ? { claimedBy: by } : {}),
    attempts: [...run.attempts.filter((each) => each.attempt !== attempt), begun],
  };
}
