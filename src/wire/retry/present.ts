// Retry policies and retry timetables as API objects.
import { codePatterns, errorAliases, namedCodes, namedTypes } from "#schema/definition/error-names.ts";
import type { ResolvedRetryPolicy, RetryPreset } from "#schema/definition/retry.ts";
import type { ApiRetryTimetable, ApiNamedPolicies, ApiResolvedPolicy } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

type Ladder = {
  readonly policy: ResolvedRetryPolicy;
  readonly startAt: number;
  readonly timezone: string;
  readonly retried: boolean | null;
  readonly rungs: readonly {
    readonly attempt: number;
    readonly waitMinMs: number;
    readonly waitMaxMs: number;
    readonly earliestAt: number;
    readonly latestAt: number;
    readonly earliestLocal: string | null;
    readonly latestLocal: string | null;
  }[];
};

export function presentRetryTimetable({ policy, startAt, timezone, retried, rungs }: Ladder): ApiRetryTimetable {
  return {
    policy: presentPolicy(policy),
    startAt: toInstant(startAt),
    timezone,
    retried,
    rungs: rungs.map((rung) => ({
      attempt: rung.attempt,
      wait: { minMs: rung.waitMinMs, maxMs: rung.waitMaxMs },
      earliest: { at: toInstant(rung.earliestAt), local: rung.earliestLocal },
      latest: { at: toInstant(rung.latestAt), local: rung.latestLocal },
    })),
  };
}

export function presentNamed(
  named: readonly { readonly name: RetryPreset; readonly policy: ResolvedRetryPolicy }[],
): ApiNamedPolicies {
  const aliases = Object.entries(errorAliases).map(([alias, types]) => [alias, [...types]] as [string, string[]]);
  return {
    data: named.map(({ name, policy }) => ({ name, policy: presentPolicy(policy) })),
    errors: {
      types: [...namedTypes],
      codes: [...namedCodes],
      patterns: codePatterns.map(({ like }) => like),
      aliases: Object.fromEntries(aliases),
    },
  };
}

function presentPolicy(policy: ResolvedRetryPolicy): ApiResolvedPolicy {
  const { delays, retryableErrors, nonRetryableErrors, rules } = policy;
  return {
    ...policy,
    delays: [...delays],
    retryableErrors: [...retryableErrors],
    nonRetryableErrors: [...nonRetryableErrors],
    rules: rules.map((rule) => ({ ...rule, errors: [...rule.errors], delays: [...rule.delays] })),
  };
}
