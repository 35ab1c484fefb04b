// Retry policies: selects the policy for an error, and decides whether and when another attempt follows.
import { errorAliases } from "#schema/definition/error-names.ts";
import { retryPresets } from "#schema/definition/retry-presets.ts";
import type {
  JitterKind,
  ResolvedRetryPolicy,
  ResolvedRetryRule,
  ResolvedWaits,
  RetryPolicy,
  RetryPreset,
  RetryRule,
} from "#schema/definition/retry.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { JITTER_ADDED_MS, RETRY_AFTER_MS_MAX, RETRY_BACKOFF_MS_MAX } from "#schema/limits/run-attempts.ts";

export type RetryVerdict =
  | { readonly retry: true }
  | { readonly retry: false; readonly reason: "attempts_exhausted" | "not_retryable" };

/** The delays after one attempt: the shortest and the longest that jitter can give. */
export type RetryStep = { readonly attempt: number; readonly minMs: number; readonly maxMs: number };

/**
 * The policy with all its settings. Settings that an inline policy leaves out come from the engine's defaults.
 * `fallback`: the policy that applies if none is written.
 */
export function resolveRetry(
  policy: RetryPolicy | RetryPreset | undefined,
  fallback: RetryPreset,
): ResolvedRetryPolicy {
  if (policy === undefined) return retryPresets[fallback];
  if (typeof policy === "string") return retryPresets[policy];
  const base = retryPresets.default;
  const waits = waitsOf(policy, base);
  return {
    ...waits,
    retryableErrors: policy.retryableErrors ?? base.retryableErrors,
    nonRetryableErrors: policy.nonRetryableErrors ?? base.nonRetryableErrors,
    rules: (policy.rules ?? []).map((rule) => ({
      ...waitsOf(rule, waits),
      errors: rule.errors,
      retry: rule.retry ?? null,
    })),
    totalTimeMs: policy.totalTimeMs ?? base.totalTimeMs,
  };
}

function waitsOf(said: RetryPolicy | RetryRule, otherwise: ResolvedWaits): ResolvedWaits {
  return {
    maxAttempts: said.maxAttempts ?? otherwise.maxAttempts,
    backoffStrategy: said.backoffStrategy ?? otherwise.backoffStrategy,
    baseDelay: said.baseDelay ?? said.backoffDelay ?? otherwise.baseDelay,
    maxDelay: said.maxDelay ?? otherwise.maxDelay,
    multiplier: said.multiplier ?? otherwise.multiplier,
    jitter: said.jitter === undefined ? otherwise.jitter : jitterOf(said.jitter),
    delays: said.delays ?? otherwise.delays,
  };
}

function jitterOf(jitter: NonNullable<RetryPolicy["jitter"]>): JitterKind {
  if (typeof jitter === "string") return jitter;
  return jitter ? "half" : "none";
}

type Told = Pick<ActionError, "type" | "code" | "details">;

/** The policy for one error. The rule that names this error most exactly replaces the policy's own settings. */
export function policyFor(policy: ResolvedRetryPolicy, error: Told): ResolvedRetryPolicy {
  const rule = bestRule(policy.rules, error);
  if (rule === null) return policy;
  const { errors: _errors, retry, ...waits } = rule;
  if (retry === null) return { ...policy, ...waits };
  const lists = retry
    ? { retryableErrors: [error.type], nonRetryableErrors: [] }
    : { retryableErrors: [], nonRetryableErrors: [error.type] };
  return { ...policy, ...waits, ...lists };
}

/**
 * The rule that names the error most exactly; of several equally exact rules, the first. null if no rule names the
 * error.
 */
function bestRule(rules: readonly ResolvedRetryRule[], error: Told): ResolvedRetryRule | null {
  let [closest, how]: [ResolvedRetryRule | null, number] = [null, 0];
  for (const rule of rules) {
    const close = matchRank(rule.errors, error);
    if (close > how) [closest, how] = [rule, close];
  }
  return closest;
}

/** Whether the total time of the policy has passed at that instant. False if the policy sets no total time. */
export function isBeyondBudget({ totalTimeMs }: ResolvedRetryPolicy, firstStartedAt: number, at: number): boolean {
  return totalTimeMs !== null && at > firstStartedAt + totalTimeMs;
}

/**
 * The delay before the next attempt. `attempt`: the number of the attempt that failed. The policy's maximum limits the
 * delay with jitter. If the provider requests a longer delay, that delay applies instead.
 */
export function retryDelayMs(policy: ResolvedRetryPolicy, attempt: number, chance: number, retryAfterMs = 0): number {
  const cap = Math.min(policy.maxDelay ?? RETRY_BACKOFF_MS_MAX, RETRY_BACKOFF_MS_MAX);
  const backoff = Math.min(backoffMs(policy, attempt), cap);
  const delayMs = Math.min(Math.floor(withJitter(backoff, policy.jitter, chance)), cap);
  // The runner has parsed the Retry-After header. NaN means that the header is invalid.
  const asked = Number.isNaN(retryAfterMs) ? 0 : Math.min(Math.ceil(retryAfterMs), RETRY_AFTER_MS_MAX);
  return Math.max(delayMs, asked);
}

function backoffMs(policy: ResolvedRetryPolicy, attempt: number): number {
  switch (policy.backoffStrategy) {
    case "fixed":
      return policy.baseDelay;
    case "linear":
      return policy.baseDelay * attempt;
    case "exponential":
      return policy.baseDelay * policy.multiplier ** (attempt - 1);
    case "custom":
      return policy.delays[attempt - 1] ?? policy.delays.at(-1) ?? policy.baseDelay;
  }
}

function withJitter(waitMs: number, jitter: JitterKind, chance: number): number {
  switch (jitter) {
    case "none":
      return waitMs;
    case "full":
      return waitMs * chance;
    case "half":
      return waitMs * (0.5 + chance * 0.5);
    case "tenth":
      return waitMs * (0.9 + chance * 0.2);
    case "added":
      return waitMs + chance * JITTER_ADDED_MS;
  }
}

/** Error types that are not retried by default. A policy's own lists take precedence over this list. */
const NOT_RETRYABLE: ReadonlySet<string> = new Set([
  "authentication_failed",
  "authorization_failed",
  "invalid_configuration",
  "malformed_request",
]);

export function shouldRetry(policy: ResolvedRetryPolicy, error: ActionError, attempt: number): RetryVerdict {
  if (attempt >= policy.maxAttempts) return { retry: false, reason: "attempts_exhausted" };
  return isRetryable(policy, error) ? { retry: true } : { retry: false, reason: "not_retryable" };
}

function isRetryable(policy: ResolvedRetryPolicy, error: ActionError): boolean {
  const [never, only] = [matchRank(policy.nonRetryableErrors, error), matchRank(policy.retryableErrors, error)];
  if (never > 0 && never >= only) return false;
  if (policy.retryableErrors.length > 0) return only > 0;
  return error.retryable && !NOT_RETRYABLE.has(error.type);
}

/** The shortest and longest delay after each attempt of a policy, for display. */
export function retryTimetable(policy: ResolvedRetryPolicy): readonly RetryStep[] {
  return Array.from({ length: policy.maxAttempts - 1 }, (_, index) => ({
    attempt: index + 1,
    minMs: retryDelayMs(policy, index + 1, 0),
    maxMs: retryDelayMs(policy, index + 1, 1),
  }));
}

type MatchedError = Pick<ActionError, "type" | "code" | "details">;

/** How exactly a name matches an error. A higher number is a more exact match; 0 means no match. */
const MATCH_RANKS = { none: 0, alias: 1, statusClass: 2, type: 3, status: 4, code: 5 } as const;

/** The rank of the most exact match among several names. */
export function matchRank(names: readonly string[], error: MatchedError): number {
  return names.reduce<number>((closest, name) => Math.max(closest, rankOf(name, error)), MATCH_RANKS.none);
}

function rankOf(name: string, error: MatchedError): number {
  const { type, code } = error;
  if (name === code) return MATCH_RANKS.code;
  const status = statusOf(error);
  if (status !== null && name === `http_${status}`) return MATCH_RANKS.status;
  if (name === type) return MATCH_RANKS.type;
  if (status !== null && name === `http_${Math.floor(status / 100)}xx`) return MATCH_RANKS.statusClass;
  return Object.hasOwn(errorAliases, name) && errorAliases[name]?.includes(type) ? MATCH_RANKS.alias : MATCH_RANKS.none;
}

/**
 * The HTTP status of an error; null if it has none. Some runners use a code of their own instead of http_409, and store
 * the status in the details.
 */
function statusOf({ code = "", details }: MatchedError): number | null {
  const status = details?.["status"];
  if (typeof status === "number") return status;
  const written = /^http_(\d{3})$/.exec(code)?.[1];
  return written === undefined ? null : Number(written);
}
