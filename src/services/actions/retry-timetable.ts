// Retry timetables: lists the retry presets, and computes the times of a policy's attempts.
import { retryPresets } from "#schema/definition/retry-presets.ts";
import { localTimeOf, attemptTimetable, type TimetableEntry } from "#policy/advice/retry-timetable.ts";
import { policyFor, resolveRetry, shouldRetry } from "#kernel/execution/retries/retry.ts";
import { errorNameFinding, retryNameFindings } from "#kernel/verify/retry-names.ts";
import { errorAliases, namedTypes } from "#schema/definition/error-names.ts";
import { meaningOfStatus } from "#schema/engine/http-status.ts";
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

/** Returns whether the policy retries the named error. */
function isRetried(policy: ResolvedRetryPolicy, name: string): boolean {
  return shouldRetry(policy, { ...errorOfName(name), message: "" }, 0).retry;
}

type NamedError = { readonly type: string; readonly code?: string; readonly retryable: boolean };

/**
 * Returns the error for a name in the request. The type of an HTTP status is known. The type of another code is
 * unknown_error, because only a runner knows it, and the runner is assumed to mark the error as retryable.
 */
function errorOfName(name: string): NamedError {
  const status = /^http_([1-5]\d\d)$/.exec(name)?.[1];
  if (status !== undefined) {
    const [type, retryable] = meaningOfStatus(Number(status));
    return { type, code: name, retryable };
  }
  const [first] = errorAliases[name] ?? [];
  if (first !== undefined) return { type: first, retryable: true };
  return namedTypes.includes(name)
    ? { type: name, retryable: true }
    : { type: "unknown_error", code: name, retryable: true };
}
