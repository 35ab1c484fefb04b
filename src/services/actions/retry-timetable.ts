// Retry timetables: lists the retry presets, and computes the times of a policy's attempts.
import { retryPresets } from "#schema/definition/retry-presets.ts";
import { localTimeOf, attemptTimetable, type TimetableEntry } from "#policy/advice/retry-timetable.ts";
import { policyFor, resolveRetry, shouldRetry } from "#kernel/execution/retries/retry.ts";
import { errorNameFinding, retryNameFindings } from "#kernel/verify/retry-names.ts";
import { errorAliases, namedTypes } from "#schema/definition/error-names.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { retryPreset, type ResolvedRetryPolicy, type RetryPolicy, type RetryPreset } from "#schema/definition/retry.ts";
import type { Deps } from "../deps.ts";

export type TimetableRequest = {
  readonly policy: RetryPolicy | RetryPreset;
  readonly startAt: number | null;
  readonly timezone: string | null;
  /**
   * The type or code of the error with which every attempt is assumed to fail. Null: any error that the policy retries.
   */
  readonly error: string | null;
};

export type TimetableAttempt = TimetableEntry & {
  readonly earliestLocal: string | null;
  readonly latestLocal: string | null;
};
export type RetryTimetable = {
  readonly policy: ResolvedRetryPolicy;
  readonly startAt: number;
  readonly timezone: string;
  /** Whether the policy retries the error in the request; null if the request names no error. */
  readonly retried: boolean | null;
  readonly rungs: readonly TimetableAttempt[];
};

export function retryTimetable(
  deps: Pick<Deps, "now">,
  { error, ...request }: TimetableRequest,
): Result<RetryTimetable> {
  const unknown = error === null ? null : errorNameFinding(error, "/error");
  const errors = [...retryNameFindings(request.policy, "/policy"), ...(unknown === null ? [] : [unknown])];
  if (errors.length > 0)
    return refuse({ code: "invalid_input", message: "The request names an unknown error.", errors });
  const resolved = resolveRetry(request.policy, "default");
  const policy = error === null ? resolved : policyFor(resolved, errorOfName(error));
  const startAt = request.startAt ?? deps.now();
  const timezone = request.timezone ?? "UTC";
  const retried = error === null ? null : isRetried(policy, error);
  const rungs = attemptTimetable(policy, startAt).slice(0, retried === false ? 1 : undefined);
  const clocked = rungs.map((rung) => ({
    ...rung,
    earliestLocal: localTimeOf(rung.earliestAt, timezone),
    latestLocal: localTimeOf(rung.latestAt, timezone),
  }));
  return accept({ policy: resolved, startAt, timezone, retried, rungs: clocked });
}

export function namedPolicies(): readonly { readonly name: RetryPreset; readonly policy: ResolvedRetryPolicy }[] {
  return retryPreset.options.map((name) => ({ name, policy: retryPresets[name] }));
}

/** Returns whether the policy retries the named error. It assumes that the runner marks the error as retryable. */
function isRetried(policy: ResolvedRetryPolicy, name: string): boolean {
  return shouldRetry(policy, { ...errorOfName(name), message: "", retryable: true }, 0).retry;
}

/**
 * Returns the error type and code for a name in the request. If the name is a code, the type is unknown_error, because
 * only a runner knows the type of a code.
 */
function errorOfName(name: string): { readonly type: string; readonly code?: string } {
  const [first] = errorAliases[name] ?? [];
  if (first !== undefined) return { type: first };
  return namedTypes.includes(name) ? { type: name } : { type: "unknown_error", code: name };
}
