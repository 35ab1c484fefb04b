// Tests the limits of stored deliveries, their order, and how a failed delivery continues.
import { describe, expect, test } from "vitest";
import { afterDelivery, isOlder, rateRefusal, roomRefusal } from "#policy/inbound/deliveries.ts";
import type { DeliveryOutcome } from "#schema/inbound/delivery.ts";
import { naming } from "#test/support/matchers/naming.ts";

const terms = { tenant: "acme", trigger: "trg_1", kind: "webhook", perMinute: 60, burst: 3 } as const;

test.each([
  [{ pending: 9_999, stuck: 9_999, stuckBytes: 1 }, null],
  [
    { pending: 0, published: 5_000, stuck: 0, stuckBytes: 0 },
    { size: 5_000, limit: 5_000 },
  ],
  [
    { pending: 10_000, stuck: 0, stuckBytes: 0 },
    { size: 10_000, limit: 10_000 },
  ],
  [
    { pending: 0, stuck: 10_000, stuckBytes: 0 },
    { size: 10_000, limit: 10_000 },
  ],
  [
    { pending: 0, stuck: 1, stuckBytes: 256 * 1024 * 1024 },
    { size: 256 * 1024 * 1024, limit: 256 * 1024 * 1024 },
  ],
])("with %j stored, further deliveries are refused: %s", (waiting, full) => {
  const refusal = roomRefusal({ published: 4_999, ...waiting }, terms);
  if (full === null) expect(refusal).toBe(null);
  else
    expect(refusal).toMatchObject({
      code: "deliveries_full",
      message: naming(full.size, full.limit),
      details: { field: "deliveries", ...full },
      retryAfterS: 300,
    });
});

test("an exceeded rate names the retry time", () => {
  expect(rateRefusal(terms, 7)).toMatchObject({
    code: "rate_limited",
    message: naming(60, 3),
    details: { perMinute: 60, burst: 3, retryAfterS: 7 },
    retryAfterS: 7,
  });
});

test.each([
  [1, null, false],
  [1, 2, true],
  [2, 2, false],
  ["2026-01-01", "2026-01-02", true],
  ["b", "a", false],
  [1, "2", true],
  ["9", "10", true],
  ["10", 9.5, false],
  ["1.5", "1.25", false],
  ["9007199254740992", "9007199254740993", true],
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z", true],
  ["2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00Z", false],
  ["2026-13-01T00:00:00Z", "2026-01-01T00:00:00Z", null],
  [1, "2026-01-01T00:00:00Z", null],
  ["v1", 2, null],
])("%j is older than %j: %s", (value, newest, older) => expect(isOlder(value, newest)).toBe(older));

describe("after a delivery", () => {
  const reason = { code: "unavailable", message: "moving" };
  const DAY = 86_400_000;
  test.each<[DeliveryOutcome, number, number, unknown]>([
    [{ kind: "applied" }, 0, 0, { kind: "done" }],
    [{ kind: "published" }, 0, 0, { kind: "published" }],
    [{ kind: "failed", reason }, 0, 0, { kind: "failed", reason }],
    [{ kind: "later", reason }, 0, 0, { kind: "retry", at: 1_000, tries: 1 }],
    [{ kind: "later", reason }, 99, 0, { kind: "retry", at: 600_000, tries: 100 }],
    [{ kind: "later", reason }, 0, DAY, { kind: "failed", reason: { code: "not_delivered", message: "moving" } }],
  ])("%j after %d tries and %d ms", (came, tries, now, next) => {
    expect(afterDelivery(came, { tries, since: 0 }, now)).toEqual(next);
  });
});
