// Holds: a run whose connection admits no call, or whose window is closed, waits again. It uses no slot and no attempt,
// and has a reason and an end. Only its validity limits how often this may happen.
import { HOLD_MS_MIN, HOLD_MS_MAX } from "#schema/limits/kernel.ts";
import type { Hold } from "#schema/engine/outcome.ts";
import type { Run } from "#schema/engine/run.ts";
import { letGo } from "./claimant.ts";
import { mayBeRepeat } from "./doubt.ts";
import { cancelUnwanted, skipRun, statusOf } from "./endings.ts";
import { change, changeRun, note, type Step } from "./current-step.ts";

/** Before the attempt was claimed. */
export function putBack(step: Step, run: Run, attempt: number, held: Hold): void {
  note(step, { kind: "run_held", run: run.id, attempt, ...held });
  changeRun(step, run, {
    status: "scheduled",
    attempt: attempt - 1,
    dueAt: held.until,
    held,
    lane: null,
    sentAt: null,
  });
}

export function holdRun(step: Step, run: Run, attempt: number, held: Hold): void {
  const until = Math.min(Math.max(held.until, step.now + HOLD_MS_MIN), step.now + HOLD_MS_MAX);
  note(step, { kind: "run_held", run: run.id, attempt, ...held, until });
  change(step, { lastAction: statusOf(run, run.claimedAt, {}) });
  const back = changeRun(step, letGo(run), {
    status: "scheduled",
    dueAt: until,
    held: { ...held, until },
    ...(held.reason === "awaiting_receipt" ? { underWay: attempt } : {}),
    ...untried(step, run, attempt),
  });
  // Its state was left while it was in flight; since it did not start, it is canceled like any unstarted run.
  if (run.unwanted) cancelUnwanted(step, back);
}

/** The consumer found that the run must not be executed. */
export function skipClaimed(step: Step, run: Run, attempt: number, reason: string): void {
  change(step, { lastAction: statusOf(run, run.claimedAt, {}) });
  const back = changeRun(step, letGo(run), untried(step, run, attempt));
  if (!run.unwanted) return skipRun(step, back, reason);
  cancelUnwanted(step, back);
}

/**
 * No attempt was made. The next one is marked as a possible repeat only if an earlier delivery may have taken effect.
 */
function untried(step: Step, run: Run, attempt: number) {
  return {
    attempt: attempt - 1,
    lane: null,
    sentAt: null,
    claimedAt: null,
    deadlineAt: null,
    attempts: run.attempts.flatMap((each) => {
      if (each.attempt !== attempt) return [each];
      const isLost = each.possiblyRepeated && !(each.firstStartedAt === undefined && mayBeRepeat(run, attempt));
      return isLost ? [{ ...each, endedAt: step.now }] : [];
    }),
  };
}
