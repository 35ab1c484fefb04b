// What a step asks for the whole execution: that it fails, or that it is paused. There may be several who ask.
import type { ActionError } from "#schema/engine/outcome.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import type { Step } from "./current-step.ts";

export type Verdict = {
  readonly kind: "pause" | "fail";
  readonly error: ActionError;
  /** Children are not waited for. */
  readonly atOnce?: true;
};

/** To fail outranks to pause, whichever comes first; of equals the first one says why. */
export function giveVerdict(step: Step, verdict: Verdict): null {
  // What has ended cannot be stopped: a verdict would bring it back to life.
  if (isFinalStatus(step.state.status)) return null;
  if (step.state.ending && !verdict.atOnce) return null;
  if (step.verdict === null || (step.verdict.kind === "pause" && verdict.kind === "fail")) step.verdict = verdict;
  return null;
}
