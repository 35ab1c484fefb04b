// Doubtful attempts: those that may have taken effect although they did not succeed. Every later attempt is marked as a
// possible repeat.
import type { Attempt, Run } from "#schema/engine/run.ts";
import type { ActionError } from "#schema/engine/outcome.ts";

/** Lost, or settled without a known outcome; or itself a possible repeat of such an attempt. */
export function isInDoubt({ endedAt, error, possiblyRepeated }: Attempt): boolean {
  return possiblyRepeated || endedAt === null || (error !== null && mayHaveActed(error));
}

/** Checks the attempts before this one. */
export function mayBeRepeat(run: Run, attempt: number): boolean {
  return run.attempts.some((each) => each.attempt < attempt && isInDoubt(each));
}

/** Without `effect` the error type decides: no response, or a late one. */
export function mayHaveActed({ effect, type }: ActionError): boolean {
  if (effect !== undefined) return effect === "unknown";
  return type === "timeout" || type === "network_error" || type === "effect_unknown";
}
