// Who has an attempt in hand in the queue lane. An answer may be lost on its way to a consumer: whoever asks again gets
// the same one, and nobody else does. What its own message delivers later comes from one whose consumer is gone.
import type { Claimant, Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Step } from "./current-step.ts";

/** It had no answer to its claim, and asks again: nothing has been begun. */
export function isAnsweredAgain({ status, claimedBy }: Run, by: Claimant | undefined): boolean {
  return status === "running" && isSame(claimedBy, by);
}

/**
 * Its message came again, so the delivery that claimed it is over, and nobody knows how far that one got. Once an
 * attempt: what ended two consumers may have ended them by itself, and then it waits for its deadline. So it does while
 * paused, when nothing may go out. One that nobody wants ends instead of being given again.
 */
export function isGivenAgain(step: Step, run: Run, by: Claimant | undefined): boolean {
  const { status, attempt, attempts, claimedBy, unwanted } = run;
  if (status !== "running" || !claimedBy || claimedBy.message !== by?.message) return false;
  if (step.state.status === "paused" && !unwanted) return false;
  const isSecond = attempts.some((each) => each.attempt === attempt && each.firstStartedAt !== undefined);
  return by.delivery > claimedBy.delivery && !isSecond;
}

/**
 * A message carries its execution's runs one after another: the one that it was sent for is settled, and whoever had the
 * next in hand is gone. No queue has that one, so nothing but this message can bring it on before its deadline.
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

/** The same, seen by whoever it was given to. */
export function carriedBy({ runs }: ExecutionState, by: Claimant | undefined): Run | null {
  return runs.find((run) => run.claimedBy?.after !== undefined && isAnsweredAgain(run, by)) ?? null;
}

export function isInHandOf({ claimedBy }: Run, message: string | undefined): boolean {
  return claimedBy !== undefined && claimedBy.message === message;
}

/** The run that this settlement brought, for whoever did not hear of it. */
export function broughtBy({ runs }: ExecutionState, { run, attempt, by }: Settlement): Run | null {
  const after = settlementName(run, attempt);
  return runs.find((each) => isAnsweredAgain(each, by) && each.claimedBy?.after === after) ?? null;
}

type Settlement = { readonly run: string; readonly attempt: number; readonly by: Claimant };

export function settlementName(run: string, attempt: number): string {
  return `${run}#${attempt}`;
}

/** Nobody has it in hand any more. */
export function letGo(run: Run): Run {
  if (!run.claimedBy) return run;
  const { claimedBy: _claimedBy, ...rest } = run;
  return rest;
}

function isSame(one: Claimant | undefined, other: Claimant | undefined): boolean {
  return one !== undefined && one.arrival === other?.arrival;
}
