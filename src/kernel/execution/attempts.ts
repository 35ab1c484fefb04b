// Attempts of a run: decides the lane of an attempt and which delivery of a message may claim the attempt. Called at
// dispatch, claim and settlement.
import { defaults } from "#schema/defaults.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Lane } from "#schema/definition/action-fields.ts";
import type { Claimant, Run, Attempt } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { DIRECT_TIMEOUT_MS_MAX, SLOW_ABOVE_MS } from "#schema/limits/run-attempts.ts";
import type { Step } from "./current-step.ts";
import { isInDoubt } from "./possible-repeats.ts";

/**
 * True if this claimant already holds the attempt and claims it again, because it did not receive the first response.
 * The caller then returns the same ticket and starts no new attempt.
 */
export function isRepeatedClaim({ status, claimedBy }: Run, by: Claimant | undefined): boolean {
  return status === "running" && isSameClaimant(claimedBy, by);
}

/**
 * True if the queue delivered the message that holds the claim again. The earlier delivery has crashed, so the same
 * attempt may be claimed again. This is allowed once per attempt, because the attempt itself may crash its consumer.
 * After a second crash, and while the execution is paused, the attempt waits for its deadline instead.
 */
export function isRedelivery(step: Step, run: Run, by: Claimant | undefined): boolean {
  const { status, attempt, attempts, claimedBy, unwanted } = run;
  if (status !== "running" || !claimedBy || claimedBy.message !== by?.message) return false;
  if (step.state.status === "paused" && !unwanted) return false;
  const isSecond = attempts.some((each) => each.attempt === attempt && each.firstStartedAt !== undefined);
  return by.delivery > claimedBy.delivery && !isSecond;
}

/**
 * The response to a settlement may carry the next run of the execution. If the consumer then crashes, no queue message
 * names this carried run. A redelivery of the earlier message therefore claims it. Returns the carried run and its
 * attempt; null if this message carries none.
 */
export function carriedRunToClaim(step: Step, by: Claimant | undefined): CarriedClaim | null {
  if (!by) return null;
  for (const run of step.state.runs) {
    const { message, after } = run.claimedBy ?? {};
    if (after === undefined || message !== by.message) continue;
    if (isRepeatedClaim(run, by) || isRedelivery(step, run, by)) {
      return { run: run.id, attempt: run.attempt, by: { ...by, after } };
    }
  }
  return null;
}

type CarriedClaim = { readonly run: string; readonly attempt: number; readonly by: NonNullable<Run["claimedBy"]> };

/**
 * The run that a settlement's response carried to this claimant, and that the claimant now holds. null if there is
 * none.
 */
export function carriedRunOf({ runs }: ExecutionState, by: Claimant | undefined): Run | null {
  return runs.find((run) => run.claimedBy?.after !== undefined && isRepeatedClaim(run, by)) ?? null;
}

export function isClaimedBy({ claimedBy }: Run, message: string | undefined): boolean {
  return claimedBy !== undefined && claimedBy.message === message;
}

/**
 * The run that the response to this settlement carried. The response is built again from it if the claimant did not
 * receive the first one. null if the response carried no run.
 */
export function runInResponseTo({ runs }: ExecutionState, { run, attempt, by }: Settlement): Run | null {
  const after = settlementName(run, attempt);
  return runs.find((each) => isRepeatedClaim(each, by) && each.claimedBy?.after === after) ?? null;
}

type Settlement = { readonly run: string; readonly attempt: number; readonly by: Claimant };

export function settlementName(run: string, attempt: number): string {
  return `${run}#${attempt}`;
}

export function withoutClaimant(run: Run): Run {
  if (!run.claimedBy) return run;
  const { claimedBy: _claimedBy, ...rest } = run;
  return rest;
}

function isSameClaimant(one: Claimant | undefined, other: Claimant | undefined): boolean {
  return one !== undefined && one.arrival === other?.arrival;
}

/**
 * The lane of the next attempt. The direct lane saves the hop through the queue. Long actions use the queue, which also
 * limits the load. After a lost attempt the next one uses the queue, because the direct lane may have caused the loss.
 */
export function laneFor(step: Step, action: ProgramAction, attempts: readonly Attempt[]): "direct" | "queue" {
  const wanted: Lane = action.lane ?? step.program.definition.lane ?? "auto";
  if (step.room <= 0 || wanted === "queue") return "queue";
  const last = attempts.at(-1);
  const isLost = last !== undefined && isInDoubt(last);
  const isShort = timeoutOf(action) <= DIRECT_TIMEOUT_MS_MAX;
  return wanted === "direct" || (isShort && !isLost) ? "direct" : "queue";
}

export function timeoutOf({ timeout }: ProgramAction): number {
  return timeout ?? defaults.timeoutMs;
}

/**
 * The timeout that the queue message of a slow action contains; an empty object for a short action. Messages with a
 * timeout go to a separate queue, so that slow actions do not delay short ones.
 */
export function slowTimeout(action: ProgramAction): { readonly timeoutMs?: number } {
  const timeoutMs = timeoutOf(action);
  return timeoutMs > SLOW_ABOVE_MS ? { timeoutMs } : {};
}
