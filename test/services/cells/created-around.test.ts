// The time at which an execution was created, as far as its id contains it.
import { expect, it } from "vitest";
import { createdAround, dedupedExecutionId, keyedExecutionId, newExecutionId } from "#services/cells/ids-and-cells.ts";
import { newPool } from "#policy/pools/layout.ts";

const NOW = Date.UTC(2026, 10, 18, 12);
const HOUR = 3_600_000;
const around = { from: NOW - HOUR, to: NOW + HOUR };

it.each([
  ["of its own", newExecutionId("own", null, NOW, new Uint8Array(11))],
  ["in a pool", newExecutionId("pooled", newPool, NOW, new Uint8Array(11))],
  ["with a dedup key", await dedupedExecutionId(newPool, "acme", "invoice-7", NOW)],
])("an id %s contains the time", (_what, id) => {
  expect(createdAround(id)).toEqual(around);
});

it.each([
  ["of an Idempotency-Key", await keyedExecutionId(newPool, "acme", "k")],
  ["of the caller's own", "exe_order-7"],
])("an id %s contains no time", (_what, id) => {
  expect(createdAround(id)).toBeNull();
});
