// Possible repeats: decides whether an attempt may repeat an effect of an earlier attempt whose outcome is unknown.
// Such an attempt has the flag `possiblyRepeated`.
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Attempt, Run } from "#schema/engine/run.ts";

/** The flag `possiblyRepeated` of an attempt that is claimed now. */
export function isPossibleRepeat(run: Run, attempt: number): boolean {
  const wasClaimed = run.attempts.some((each) => each.attempt === attempt);
  return wasClaimed || mayBeRepeat(run, attempt);
}

/**
 * True if the effect of the attempt is unknown. The attempt was lost, its error has an unknown effect, or it may repeat
 * such an attempt.
 */
export function isInDoubt({ endedAt, error, possiblyRepeated }: Attempt): boolean {
  return possiblyRepeated || endedAt === null || (error !== null && mayHaveActed(error));
}

/** True if an attempt of the run before `attempt` may have taken effect. */
export function mayBeRepeat(run: Run, attempt: number): boolean {
  return run.attempts.some((each) => each.attempt < attempt && isInDoubt(each));
}

/**
 * True if a failed attempt may have taken effect. If the error has no `effect`, its type decides: the effect is unknown
 * after a missing or late response.
 */
export function mayHaveActed({ effect, type }: ActionError): boolean {
  if (effect !== undefined) return effect === "unknown";
  return type === "timeout" || type === "network_error" || type === "effect_unknown";
}
