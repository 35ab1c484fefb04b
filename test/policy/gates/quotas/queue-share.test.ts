// Tests how many queue consumers the runs of a tenant may occupy.
import { expect, test } from "vitest";
import { noLease } from "#policy/gates/quotas/lease.ts";
import { isShareUsedUp, queueShare } from "#policy/gates/quotas/queue-share.ts";
import type { Lease } from "#schema/quota.ts";

/** The number of consumer invocations per queue, as the platform documents it. */
const CONSUMERS = 250;

test.each([
  // Columns: tenants, share.
  [0, 200],
  [1, 200],
  [2, 100],
  [3, 66],
  [10, 20],
  [20, 10],
  [1_000, 10],
])("with %i tenants allows each %i invocations", (tenants, share) => {
  expect(queueShare(tenants)).toBe(share);
});

test("of a single tenant leaves room for another", () => {
  expect(queueShare(1)).toBeLessThan(CONSUMERS);
  for (const tenants of [2, 3, 7, 20]) expect(tenants * queueShare(tenants)).toBeLessThan(CONSUMERS);
});

test.each([
  // Columns: attempts here, attempts elsewhere, tenants, used up.
  [0, undefined, 1, false],
  [199, undefined, 1, false],
  [200, undefined, 1, true],
  [99, 0, 2, false],
  [40, 60, 2, true],
  [65, 0, 3, false],
  [6, 60, 3, true],
])("with %i attempts here, %s elsewhere and %i tenants is used up: %s", (here, elsewhere, tenants, taken) => {
  const answer = elsewhere === undefined ? {} : { inQueueElsewhere: { short: elsewhere, slow: 0 } };
  const lease = { inFlightElsewhere: 0, ...answer } as Lease; // the function reads only these fields
  const held = { ...noLease, inQueue: { short: here, slow: 0 } };
  expect(isShareUsedUp({ ...held, lease }, "short", tenants)).toBe(taken);
  expect(isShareUsedUp({ ...held, lease }, "slow", tenants)).toBe(false);
  if (elsewhere === undefined) expect(isShareUsedUp(held, "short", tenants)).toBe(taken);
});
