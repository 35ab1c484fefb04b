// Held work is not failed work: a run whose connection lets nothing through, or whose window is closed, goes back in line.
// It keeps no slot, so others go on, spends no attempt, and says why and until when. Lateness alone bounds how often that
// may happen.
import { HOLD_MS_MIN, HOLD_MS_MAX } from "#schema/limits/kernel.ts";
import type { Hold } from "#schema/engine/outcome.ts";
import type { Run } from "#schema/engine/run.ts";
import { letGo } from "./claimant.ts";
import { mayBeRepeat } from "./doubt.ts";
import { cancelUnwanted, skipRun, statusOf } from "./endings.ts";
import { change, changeRun, note, type Step } from "./current-step.ts";

/** Before anybody has taken this attempt in hand. */
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
  // While it was in flight its state was left; now that it has not started after all, it goes like any unstarted run.
  if (run.unwanted) cancelUnwanted(step, back);
}

/** Whoever had it in hand has found that it is not to be done at all. */
export function skipClaimed(step: Step, run: Run, attempt: number, reason: string): void {
  change(step, { lastAction: statusOf(run, run.claimedAt, {}) });
  const back = changeRun(step, letGo(run), untried(step, run, attempt));
  if (!run.unwanted) return skipRun(step, back, reason);
  cancelUnwanted(step, back);
}

/** Nothing was tried. Only where an earlier delivery may have taken effect does the next one have to say so. */
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
