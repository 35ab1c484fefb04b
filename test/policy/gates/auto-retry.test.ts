import { describe, expect, test } from "vitest";
import {
  recordBreakerChange,
  recordAutoRetryAnswer,
  autoRetryDueAt,
  noAutoRetry,
  type AutoRetry,
} from "#policy/gates/auto-retry.ts";
import { closedBreaker, type Breaker } from "#policy/gates/breaker.ts";
import { AUTO_RETRY_FLAPPING_MS, AUTO_RETRY_QUIET_MS, AUTO_RETRY_START_AGAIN_MS } from "#schema/limits/run-attempts.ts";

const T = 10_000_000;
const breaker = { failureRatio: 0.5, windowMs: 10_000, minimumCalls: 4, openMs: 30_000, halfOpenProbes: 1 };
const terms = { breaker, quietMs: 5_000 };
const open: Breaker = { kind: "open", until: T + 30_000, turnedAway: 0 };
const halfOpen: Breaker = { kind: "half_open", succeeded: 0, turnedAway: 0, since: T + 31_000 };

/** Applies changes of the breaker at these times, in seconds from T. */
function turned(...turns: readonly [Breaker["kind"], number][]): AutoRetry {
  let before: Breaker["kind"] = "closed";
  return turns.reduce((healing, [kind, second]) => {
    const next = recordBreakerChange(healing, [before, kind], terms, T + second * 1_000);
    before = kind;
    return next;
  }, noAutoRetry);
}
const asked = (healing: AutoRetry): number => {
  if (healing.since === null) throw new Error("there is no outage");
  return healing.since;
};
const begin = (healing: AutoRetry, at: number, operation = "op_1"): AutoRetry =>
  recordAutoRetryAnswer(healing, asked(healing), { kind: "begun", operation, since: asked(healing) }, at);

describe("an outage", () => {
  test("begins with the calls that opened the breaker, and ends when the breaker stayed closed for the quiet time", () => {
    const healing = turned(["open", 0], ["half_open", 30], ["closed", 31]);
    expect(healing).toMatchObject({ since: T - 10_000, closedAt: T + 31_000, quietMs: 5_000, flaps: 0 });
    expect(autoRetryDueAt(healing, closedBreaker)).toBe(T + 36_000);
    expect(autoRetryDueAt(noAutoRetry, closedBreaker)).toBeNull();
  });

  test("continues while probes fail", () => {
    const healing = turned(["open", 0], ["half_open", 30], ["open", 31], ["half_open", 61], ["closed", 62]);
    expect(healing).toMatchObject({ since: T - 10_000, closedAt: T + 62_000, flaps: 0 });
  });

  test("doubles the quiet time with each early reopening, up to an hour", () => {
    const once = turned(["open", 0], ["closed", 31], ["open", 33], ["closed", 64]);
    expect(once).toMatchObject({ since: T - 10_000, flaps: 1 });
    expect(autoRetryDueAt(once, closedBreaker)).toBe(T + 64_000 + 10_000);
    const often = { ...once, flaps: 40 };
    expect(autoRetryDueAt(often, closedBreaker)).toBe(T + 64_000 + AUTO_RETRY_QUIET_MS.most);
  });

  test("without calls that probe the provider ends too", () => {
    const healing = turned(["open", 0]);
    expect(autoRetryDueAt(healing, open)).toBe(open.until + 5_000);
    expect(autoRetryDueAt(turned(["open", 0], ["half_open", 31]), halfOpen)).toBe(T + 31_000 + 5_000);
    const { since: _since, ...old } = halfOpen;
    expect(autoRetryDueAt(healing, old)).toBeNull();
    expect(autoRetryDueAt(healing, closedBreaker)).toBeNull();
  });

  test("uses the default quiet time if the connection sets none", () => {
    const healing = recordBreakerChange(noAutoRetry, ["closed", "open"], { breaker: null }, T);
    expect(healing).toMatchObject({ since: T, quietMs: AUTO_RETRY_QUIET_MS.usual });
  });

  test("does not begin or end without a change of the breaker, or when a healthy breaker closes again", () => {
    const healing = turned(["open", 0]);
    expect(recordBreakerChange(healing, ["open", "open"], terms, T)).toBe(healing);
    expect(recordBreakerChange(healing, ["open", "half_open"], terms, T)).toBe(healing);
    expect(recordBreakerChange(noAutoRetry, ["half_open", "closed"], terms, T)).toBe(noAutoRetry);
  });
});

describe("the answer to starting the retry operation", () => {
  const over = turned(["open", 0], ["closed", 31]);

  test("begun or nothing to retry: the outage is handled", () => {
    const begun = begin(over, T + 36_000);
    expect(begun).toMatchObject({ since: null, closedAt: null, begunAt: T + 36_000 });
    expect(begun.last).toEqual({ operation: "op_1", since: T - 10_000 });
    expect(autoRetryDueAt(begun, closedBreaker)).toBeNull();
    const nothing = recordAutoRetryAnswer(over, asked(over), { kind: "nothing" }, T + 36_000);
    expect(nothing).toMatchObject({ since: null, closedAt: null, begunAt: null, last: null });
  });

  test("busy: the retry is due again later", () => {
    const busy = recordAutoRetryAnswer(over, asked(over), { kind: "busy" }, T + 36_000);
    expect(autoRetryDueAt(busy, closedBreaker)).toBe(T + 36_000 + AUTO_RETRY_START_AGAIN_MS);
  });

  test("another outage that has begun meanwhile is still to be handled", () => {
    const other = { ...over, since: T + 77, closedAt: T + 99 };
    expect(recordAutoRetryAnswer(other, asked(over), { kind: "nothing" }, T)).toMatchObject({
      since: T + 77,
      closedAt: T + 99,
    });
    const begun = recordAutoRetryAnswer(other, asked(over), { kind: "begun", operation: "op_1", since: 1 }, T);
    expect(begun).toMatchObject({ since: T + 77, closedAt: T + 99, last: { operation: "op_1", since: 1 } });
  });

  test("a new outage soon after a retry doubles the quiet time; after a calm hour the count restarts", () => {
    const again = (healing: AutoRetry, at: number) => recordBreakerChange(healing, ["half_open", "open"], terms, at);
    const first = again(begin(over, T), T + 1_000);
    expect(first).toMatchObject({ since: T + 1_000 - 10_000, flaps: 1 });
    const second = again(begin(first, T + 5_000), T + 6_000);
    expect(second.flaps).toBe(2);
    const late = again(begin(second, T + 9_000), T + 9_000 + AUTO_RETRY_FLAPPING_MS);
    expect(late.flaps).toBe(0);
  });
});
