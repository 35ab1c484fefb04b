// Doubtful attempts: marks which of a run's attempts may have happened twice, given the provider's idempotency support.
import type { Attempt, Run } from "#schema/engine/run.ts";
import type { IdempotencySupport } from "#schema/idempotency-support.ts";
import type { Deps } from "../deps.ts";

/**
 * Removes the mark `possiblyRepeated` from attempts that the provider recognizes as repeats. A repeat after a crash may
 * have happened twice only if the provider cannot recognize it.
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
