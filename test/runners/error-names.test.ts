// What a retry policy may name, held against what runners, connections and the engine say. A new code or type fails here
// until src/schema/definition/error-names.ts names it.
import { expect, it } from "vitest";
import { retryPresets } from "#schema/definition/retry-presets.ts";
import { errorAliases, everyErrorName, isErrorName, namedCodes, namedTypes } from "#schema/definition/error-names.ts";
import { codes, ofServices, types, typesWritten } from "./failure-codes.ts";

/** Said by token endpoints, or put together where no pattern finds them. */
const besides = [
  ..."catalog_unavailable connection_changed consent_required invalid_client invalid_grant invalid_scope".split(" "),
  ..."token_answer_invalid token_endpoint_unavailable unauthorized_client undeliverable".split(" "),
];

it("every code that a failure may have can be named, and no other", () => {
  expect(namedCodes.toSorted()).toEqual([...new Set([...codes, ...ofServices, ...besides])].toSorted());
});

it("every type that an error may have can be named", () => {
  expect([...types, ...typesWritten].filter((type) => !namedTypes.includes(type))).toEqual(["awaiting_receipt"]);
});

it("no name stands for two things, and what the presets and aliases name is there", () => {
  expect(Object.keys(errorAliases).filter((alias) => [...namedTypes, ...namedCodes].includes(alias))).toEqual([]);
  const named = Object.values(retryPresets).flatMap((preset) => [
    ...preset.retryableErrors,
    ...preset.nonRetryableErrors,
    ...preset.rules.flatMap(({ errors }) => errors),
  ]);
  expect([...named, ...Object.values(errorAliases).flat()].filter((name) => !isErrorName(name))).toEqual([]);
  expect(everyErrorName.every(isErrorName)).toBe(true);
});
