// Doubtful attempts: marks those attempts of a run that may have taken effect twice, given the provider's idempotency
// support.
import type { Attempt, Run } from "#schema/engine/run.ts";
import type { IdempotencySupport } from "#schema/idempotency-support.ts";
import type { Deps } from "../deps.ts";

/**
 * Removes the mark `possiblyRepeated` from attempts whose repeats the provider recognizes. An attempt that was repeated
 * after a crash may have taken effect twice only if the provider does not.
 */
export function withDoubtfulAttempts(deps: Pick<Deps, "repeatsOf">, run: Run): Run {
  if (!run.attempts.some(({ possiblyRepeated }) => possiblyRepeated)) return run;
  const repeats = deps.repeatsOf(run.type, run.config ?? {});
  const windowMs = windowOf(repeats);
  const isInDoubt = ({ possiblyRepeated, startedAt }: Attempt): boolean =>
    possiblyRepeated && startedAt - (run.firstDueAt ?? run.createdAt) >= windowMs;
  return { ...run, attempts: run.attempts.map((each) => ({ ...each, possiblyRepeated: isInDoubt(each) })) };
}

function windowOf(repeats: IdempotencySupport): number {
  switch (repeats.mode) {
    case "none":
      return 0;
    case "provider":
      return repeats.windowMs ?? Infinity;
    case "harmless":
      return Infinity;
  }
}
