// The verdict of a step about the whole execution: it fails, or it is paused. Several may be requested.
import type { ActionError } from "#schema/engine/outcome.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import type { Step } from "./current-step.ts";

export type Verdict = {
  readonly kind: "pause" | "fail";
  readonly error: ActionError;
  /** The end does not wait for children. */
  readonly atOnce?: true;
};

/** A failure takes precedence over a pause; of equals the first one gives the reason. */
export function giveVerdict(step: Step, verdict: Verdict): null {
  // A final status cannot change.
  if (isFinalStatus(step.state.status)) return null;
  if (step.state.ending && !verdict.atOnce) return null;
  if (step.verdict === null || (step.verdict.kind === "pause" && verdict.kind === "fail")) step.verdict = verdict;
  return null;
}
