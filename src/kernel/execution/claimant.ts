// The claimant of an attempt in the queue lane. A response may be lost on its way to a consumer: the same claimant that
// asks again gets the same response, and no other does. A redelivery of the message proves that its first consumer is
// gone.
import type { Claimant, Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Step } from "./current-step.ts";

/** The claimant did not get the response to its claim, and asks again: no attempt has started. */
export function isAnsweredAgain({ status, claimedBy }: Run, by: Claimant | undefined): boolean {
  return status === "running" && isSame(claimedBy, by);
}

/**
 * The message was delivered again, so the delivery that claimed the attempt is over, with unknown effect. Allowed once
 * per attempt: the attempt itself may have crashed its consumer, and after two crashes it waits for its deadline. The
 * same holds while paused. An abandoned attempt ends instead.
 */
export function isGivenAgain(step: Step, run: Run, by: Claimant | undefined): boolean {
  const { status, attempt, attempts, claimedBy, unwanted } = run;
  if (status !== "running" || !claimedBy || claimedBy.message !== by?.message) return false;
  if (step.state.status === "paused" && !unwanted) return false;
  const isSecond = attempts.some((each) => each.attempt === attempt && each.firstStartedAt !== undefined);
  return by.delivery > claimedBy.delivery && !isSecond;
}

/**
 * A message carries the runs of its execution one after another: the first run is settled, and the consumer of the next
 * one is gone. No queue contains that next run, so only this message can continue it before its deadline.
 */
export function carriedOn(step: Step, by: Claimant | undefined): Carried | null {
  if (!by) return null;
  for (const run of step.state.runs) {
    const { message, after } = run.claimedBy ?? {};
    if (after === undefined || message !== by.message) continue;
    if (isAnsweredAgain(run, by) || isGivenAgain(step, run, by)) {
      return { run: run.id, attempt: run.attempt, by: { ...by, after } };
    }
  }
  return null;
}

type Carried = { readonly run: string; readonly attempt: number; readonly by: NonNullable<Run["claimedBy"]> };

/** The same, from the claimant's view. */
export function carriedBy({ runs }: ExecutionState, by: Claimant | undefined): Run | null {
  return runs.find((run) => run.claimedBy?.after !== undefined && isAnsweredAgain(run, by)) ?? null;
}

export function isInHandOf({ claimedBy }: Run, message: string | undefined): boolean {
  return claimedBy !== undefined && claimedBy.message === message;
}

/** The run that this settlement's response contained, for a claimant that did not receive it. */
export function broughtBy({ runs }: ExecutionState, { run, attempt, by }: Settlement): Run | null {
  const after = settlementName(run, attempt);
  return runs.find((each) => isAnsweredAgain(each, by) && each.claimedBy?.after === after) ?? null;
}

type Settlement = { readonly run: string; readonly attempt: number; readonly by: Claimant };

export function settlementName(run: string, attempt: number): string {
  return `${run}#${attempt}`;
}

/** The run without its claimant. */
export function letGo(run: Run): Run {
  if (!run.claimedBy) return run;
  const { claimedBy: _claimedBy, ...rest } = run;
  return rest;
}

function isSame(one: Claimant | undefined, other: Claimant | undefined): boolean {
  return one !== undefined && one.arrival === other?.arrival;
}
