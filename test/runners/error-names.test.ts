// Tests of the error names for retry policies: every code and type of runners, connections and the engine must have
// one. A new code fails here until src/schema/definition/error-names.ts lists it.
import { expect, it } from "vitest";
import { retryPresets } from "#schema/definition/retry-presets.ts";
import { errorAliases, everyErrorName, isErrorName, namedCodes, namedTypes } from "#schema/definition/error-names.ts";
import { codes, ofServices, types, typesWritten } from "./failure-codes.ts";

/** Codes of token endpoints, and codes that are composed at run time. */
const besides = [
  ..."catalog_unavailable connection_changed consent_required invalid_client invalid_grant invalid_scope".split(" "),
  ..."token_answer_invalid token_endpoint_unavailable unauthorized_client undeliverable".split(" "),
];

it("every code of a failure has a name for retry policies, and there are no other names", () => {
  expect(namedCodes.toSorted()).toEqual([...new Set([...codes, ...ofServices, ...besides])].toSorted());
});

it("every error type has a name for retry policies", () => {
  expect([...types, ...typesWritten].filter((type) => !namedTypes.includes(type))).toEqual(["awaiting_receipt"]);
});

it("names are unique, and presets and aliases use existing names", () => {
  expect(Object.keys(errorAliases).filter((alias) => [...namedTypes, ...namedCodes].includes(alias))).toEqual([]);
  const named = Object.values(retryPresets).flatMap((preset) => [
    ...preset.retryableErrors,
    ...preset.nonRetryableErrors,
    ...preset.rules.flatMap(({ errors }) => errors),
  ]);
  expect([...named, ...Object.values(errorAliases).flat()].filter((name) => !isErrorName(name))).toEqual([]);
  expect(everyErrorName.every(isErrorName)).toBe(true);
});
