// Error names in retry policies. A name that no error can have is refused, because a policy with this name would never
// apply.
import { codePatterns, errorAliases, everyErrorName, isErrorName, namedTypes } from "#schema/definition/error-names.ts";
import type { RetryPolicy, RetryPreset } from "#schema/definition/retry.ts";
import type { Finding } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { pointer } from "../programs/machine/pointers.ts";
import { finding } from "./finding.ts";

export function retryNameFindings(policy: RetryPolicy | RetryPreset, where: string): readonly Finding[] {
  if (typeof policy === "string") return [];
  const { retryableErrors = [], nonRetryableErrors = [], rules = [] } = policy;
  return [
    ...nameFindings(retryableErrors, pointer(where, "retryableErrors")),
    ...nameFindings(nonRetryableErrors, pointer(where, "nonRetryableErrors")),
    ...rules.flatMap(({ errors }, n) => nameFindings(errors, pointer(pointer(pointer(where, "rules"), n), "errors"))),
  ];
}

function nameFindings(names: readonly string[], where: string): readonly Finding[] {
  return names.flatMap((name, n) => {
    const found = errorNameFinding(name, pointer(where, n));
    return found === null ? [] : [found];
  });
}

export function errorNameFinding(name: string, where: string): Finding | null {
  if (isErrorName(name)) return null;
  const near = didYouMean(name, everyErrorName);
  const guess = near === null ? "" : `Did you mean ${near}? `;
  return finding(
    where,
    "unknown_error_name",
    `${JSON.stringify(name)} is not the name of an error`,
    `${guess}${known}`,
  );
}

const types = [...namedTypes, ...Object.keys(errorAliases)].join(", ");
const known = `Types: ${types}. Codes: ${codePatterns.map(({ like }) => like).join(", ")}, and those of GET /v1/retry-policies.`;
