// Lateness: late work is skipped with a reason, for first attempts, retries, resumes and redrives alike.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Run } from "#schema/engine/run.ts";
import { OCCURRENCE_GRACE_MS } from "#schema/limits/kernel.ts";
import { breakRun, cancelUnwanted, skipRun } from "./endings.ts";
import { evaluate } from "../language/logic.ts";
import { durationMs, instant } from "../language/timing.ts";
import { invalid, scopeOfRun, zoneOf, type Step } from "./current-step.ts";

/** Ends a run that has expired, or whose validity cannot be evaluated; true if it did. */
export function expire(step: Step, run: Run, action: ActionDefinition): boolean {
  if (run.unwanted) {
    cancelUnwanted(step, run);
    return true;
  }
  const end = isLate(step, run, action) ? "late" : pastValidity(step, run, action);
  if (end === null) return false;
  if (typeof end === "string") skipRun(step, run, end);
  else breakRun(step, run, end.message);
  return true;
}

/**
 * The rule for work missed during a pause or an outage: the newest occurrence starts if its lateness is allowed. An
 * action without maxLateness has a short grace for late alarms.
 */
export function isMissed({ now }: Step, { maxLateness }: ActionDefinition, occurrence: number): boolean {
  return maxLateness === undefined && now > occurrence + OCCURRENCE_GRACE_MS;
}

/** The last instant at which the run may start; Infinity if there is no bound, or if it cannot be evaluated. */
export function wantedUntil(step: Step, run: Run, action: ActionDefinition): number {
  const valid = validUntil(step, run, action);
  return Math.min(latestFor(run, action), typeof valid === "number" ? valid : Infinity);
}

function isLate({ now }: Step, run: Run, action: ActionDefinition): boolean {
  return now > latestFor(run, action);
}

function latestFor({ firstDueAt }: Run, { maxLateness }: ActionDefinition): number {
  return maxLateness === undefined || firstDueAt === null ? Infinity : firstDueAt + durationMs(maxLateness);
}

/** The reason to skip the run, or the error of its bound. */
function pastValidity(step: Step, run: Run, action: ActionDefinition): string | ActionError | null {
  const until = validUntil(step, run, action);
  if (typeof until !== "number") return until;
  return step.now > until ? "no_longer_valid" : null;
}

/** null if there is no such bound. */
function validUntil(step: Step, run: Run, action: ActionDefinition): number | ActionError | null {
  if (action.validUntil === undefined) return null;
  const rule = evaluate(action.validUntil, scopeOfRun(step, run), step.work);
  if (!rule.ok) return invalid(`validUntil cannot be evaluated: ${rule.message}`);
  // A missing variable sets no bound.
  if (rule.value === null) return null;
  const until = instant(rule.value, zoneOf(step, action), action.disambiguation);
  return until ?? invalid(`validUntil is ${JSON.stringify(rule.value)}, not an instant`);
}
