import { expect, test } from "vitest";
import { directCallsMax } from "#policy/gates/direct-call-limit.ts";
import { DIRECT_IN_FLIGHT_MAX, POOLED_IN_FLIGHT_MAX } from "#schema/limits/run-attempts.ts";

test.each([
  ["a cell of one execution", "acme/exe_1", DIRECT_IN_FLIGHT_MAX],
  ["a cell of a pool", "acme/pool/101", POOLED_IN_FLIGHT_MAX],
  ["a cell number that no pool has", "acme/pool/7", DIRECT_IN_FLIGHT_MAX],
])("%s has its own limit of direct calls", (_, cell, max) => {
  expect(directCallsMax(cell)).toBe(max);
});
