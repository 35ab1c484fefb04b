// Which attempts may have had their effect though they did not succeed: whatever goes out after one of them says that it
// may be a repeat.
import type { Attempt, Run } from "#schema/engine/run.ts";
import type { ActionError } from "#schema/engine/outcome.ts";

/** Lost, or settled with nobody knowing; or itself perhaps a repeat of such a one. */
export function isInDoubt({ endedAt, error, possiblyRepeated }: Attempt): boolean {
  return possiblyRepeated || endedAt === null || (error !== null && mayHaveActed(error));
}

/** Of the attempts before this one. */
export function mayBeRepeat(run: Run, attempt: number): boolean {
  return run.attempts.some((each) => each.attempt < attempt && isInDoubt(each));
}

/** What runners of before do not say is told by the type: nobody answered, or not in time. */
export function mayHaveActed({ effect, type }: ActionError): boolean {
  if (effect !== undefined) return effect === "unknown";
  return type === "timeout" || type === "network_error" || type === "effect_unknown";
}
