import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acquire, openGate, release, viewGate, stateToStore, type GateState } from "#policy/gates/connection.ts";
import type { AcquireAnswer, ReleaseItem, ConnectionLimits } from "#schema/gate.ts";

const T = 1_000_000;
const free: ConnectionLimits = { rate: null, concurrency: null, breaker: null };
const two: ConnectionLimits = { ...free, concurrency: 2 };
const fivePerSecond: ConnectionLimits = { ...free, rate: { calls: 5, perMs: 1_000, burst: 1 } };
const guarded: ConnectionLimits = {
  ...free,
  breaker: { failureRatio: 0.5, windowMs: 10_000, minimumCalls: 2, openMs: 30_000, halfOpenProbes: 1 },
};

function ask(
  state: GateState,
  terms: ConnectionLimits,
  keys: string,
  now = T,
): { state: GateState; answers: readonly AcquireAnswer[] } {
  const items = [...keys].map((key) => ({ key, expiresAt: now + 60_000, promisedAt: null }));
  return acquire(state, terms, items, now);
}

function back(lease: string, outcome: ReleaseItem["outcome"] = "ok", retryAfterMs: number | null = null): ReleaseItem {
  return { lease, outcome, retryAfterMs };
}

const granted = (lease: string | null): AcquireAnswer => ({ ok: true, lease });

describe("concurrency", () => {
  test("grants as many leases as there are slots, and the same lease to a repeated request", () => {
    const { state, answers } = ask(openGate, two, "abcaa");
    expect(answers).toEqual([
      granted("a"),
      granted("b"),
      { ok: false, hold: { reason: "concurrency", until: T + 500 } },
      granted("a"),
      granted("a"),
    ]);
    expect(viewGate(state, two, T).inUse).toBe(2);
  });

  test("a repeated request under its key extends the lease and never shortens it", () => {
    const one = ask(openGate, two, "a").state;
    const longer = ask(one, two, "a", T + 5_000).state;
    expect(longer.leases["a"]).toEqual({ begunAt: T, expiresAt: T + 65_000, isProbe: false });
    const item = { key: "a", expiresAt: T + 1, promisedAt: null };
    expect(acquire(longer, two, [item], T + 5_000).state.leases).toEqual(longer.leases);
  });

  test("two deliveries of one attempt use two slots", () => {
    const one = { ...free, concurrency: 1 };
    const [first, second] = ["exe_1/1.0/1/dlv_a", "exe_1/1.0/1/dlv_b"];
    const items = [first, second].map((key) => ({ key, expiresAt: T + 60_000, promisedAt: null }));
    expect(acquire(openGate, one, items, T).answers).toMatchObject([granted(first), { ok: false }]);
  });

  test("the number of waiting calls is visible", () => {
    expect(viewGate(ask(openGate, two, "abcde").state, two, T)).toMatchObject({ inUse: 2, waiting: 3 });
    expect(ask(ask(openGate, two, "abcde").state, free, "f").state.line).toEqual([]);
  });

  test("a released slot or the slot of an expired lease is free", () => {
    const full = ask(openGate, two, "ab").state;
    expect(ask(release(full, two, [back("a")], T + 1), two, "c", T + 1).answers).toEqual([granted("c")]);
    expect(ask(full, two, "c", T + 60_000).answers).toEqual([granted("c")]);
    expect(viewGate(full, two, T + 60_000).inUse).toBe(0);
  });

  test("releasing a lease twice, or an unknown lease, changes nothing", () => {
    const full = ask(openGate, two, "ab").state;
    expect(release(full, two, [back("zz")], T)).toEqual(full);
  });
});

describe("the rate", () => {
  test("is checked last, so that a call without a lease uses none of it", () => {
    const terms = { ...fivePerSecond, concurrency: 1 };
    const full = ask(openGate, terms, "a").state;
    const refused = ask(full, terms, "bcd", T + 200);
    expect(refused.answers.every((answer) => !answer.ok && answer.hold.reason === "concurrency")).toBe(true);
    expect(refused.state.rate).toEqual(full.rate);
  });

  test("needs no lease if no limit counts releases", () => {
    expect(ask(openGate, fivePerSecond, "ab").answers).toEqual([
      granted(null),
      { ok: false, hold: { reason: "rate_limited", until: T + 200 } },
    ]);
    expect(ask(openGate, free, "a").answers).toEqual([granted(null)]);
  });

  test("counts the calls that wait for the rate, until they have returned", () => {
    const perMinute: ConnectionLimits = { ...free, rate: { calls: 1, perMs: 60_000, burst: 1 } };
    const { state } = ask(openGate, perMinute, "abcd");
    expect(viewGate(state, perMinute, T).waiting).toBe(3);
    const item = { key: "b", expiresAt: T + 120_000, promisedAt: T + 60_000 };
    const returned = acquire(state, perMinute, [item], T + 60_000);
    expect(returned.answers).toEqual([granted(null)]);
    expect(viewGate(returned.state, perMinute, T + 60_000).waiting).toBe(2);
    expect(viewGate(state, perMinute, T + 3_600_000).waiting).toBe(0);
    expect(viewGate(ask(openGate, free, "a").state, free, T).waiting).toBe(0);
  });

  test("a pause requested by the provider applies to all calls", () => {
    const taken = ask(openGate, two, "a").state;
    const paused = release(taken, two, [back("a", "ignored", 5_000)], T);
    expect(ask(paused, two, "b").answers).toEqual([{ ok: false, hold: { reason: "retry_after", until: T + 5_000 } }]);
    expect(viewGate(paused, two, T).nextAt).toBe(T + 5_000);
  });

  test.each<[string, ConnectionLimits, number]>([
    ["a rate only", fivePerSecond, 200],
    ["no limit at all", free, 20],
  ])("applies to a connection with %s, whose calls need no lease", (_what, terms, apartMs) => {
    const { state, answers } = ask(openGate, terms, "a");
    expect(answers).toEqual([granted(null)]);
    const paused = release(state, terms, [back("a", "ignored", 5_000)], T);
    expect(ask(paused, terms, "bc", T + 1).answers).toEqual([
      { ok: false, hold: { reason: "retry_after", until: T + 5_000 } },
      { ok: false, hold: { reason: "retry_after", until: T + 5_000 + apartMs } },
    ]);
    expect(stateToStore(release(state, terms, [back("a", "ignored", 60_000)], T), T)).not.toBeNull();
    expect(ask(paused, terms, "d", T + 5_000).answers).toEqual([granted(null)]);
    const long = release(state, terms, [back("a", "ignored", 86_400_000)], T);
    expect(viewGate(long, terms, T).nextAt).toBe(T + 15 * 60_000);
  });
});

describe("the breaker", () => {
  const opened = release(ask(openGate, guarded, "ab").state, guarded, [back("a", "failed"), back("b", "failed")], T);

  test("opens after too many failures and names the end", () => {
    expect(viewGate(opened, guarded, T).breaker).toEqual({ status: "open", until: T + 30_000, calls: 0, failed: 0 });
    expect(ask(opened, guarded, "c").answers).toEqual([
      { ok: false, hold: { reason: "circuit_open", until: T + 30_000 } },
    ]);
  });

  test("closes after one successful probe", () => {
    const later = T + 30_000;
    expect(viewGate(opened, guarded, later).breaker.status).toBe("half_open");
    const probing = ask(opened, guarded, "cd", later);
    expect(probing.answers).toEqual([
      granted("c"),
      { ok: false, hold: { reason: "circuit_open", until: later + 1_000 } },
    ]);
    const closed = release(probing.state, guarded, [back("c")], later + 50);
    expect(ask(closed, guarded, "d", later + 1_000).answers).toEqual([granted("d")]);
    expect(viewGate(closed, guarded, later).breaker).toEqual({ status: "closed", until: null, calls: 0, failed: 0 });
  });

  test("a call that began before it opened neither is a probe nor uses a probe's slot", () => {
    const state = ask(openGate, guarded, "abx").state;
    const open = release(state, guarded, [back("a", "failed"), back("b", "failed")], T);
    expect(ask(open, guarded, "c", T + 30_000).answers).toEqual([granted("c")]);
  });

  test("an ignored outcome or a lost probe leaves the next call to probe", () => {
    const later = T + 30_000;
    const probing = ask(opened, guarded, "c", later).state;
    expect(ask(release(probing, guarded, [back("c", "ignored")], later), guarded, "d", later).answers).toEqual([
      granted("d"),
    ]);
    expect(ask(probing, guarded, "d", later + 60_000).answers).toEqual([granted("d")]);
  });

  test("counts calls while it is closed", () => {
    const state = release(ask(openGate, guarded, "ab").state, guarded, [back("a"), back("b", "failed")], T);
    const one = release(ask(openGate, guarded, "a").state, guarded, [back("a")], T);
    expect(viewGate(one, guarded, T).breaker).toMatchObject({ calls: 1, failed: 0 });
    expect(viewGate(one, guarded, T + 10_000).breaker, "beyond the window").toMatchObject({ calls: 0, failed: 0 });
    expect(viewGate(state, guarded, T).breaker.status).toBe("open");
  });

  test("closes after a refused request; an outcome without information about the provider changes nothing", () => {
    const later = T + 30_000;
    const probing = ask(opened, guarded, "c", later).state;
    const refused = release(probing, guarded, [{ ...back("c", "ignored"), answered: true }], later);
    expect(viewGate(refused, guarded, later).breaker.status).toBe("closed");
    const untold = release(probing, guarded, [back("c", "ignored")], later);
    expect(viewGate(untold, guarded, later).breaker.status).toBe("half_open");
  });

  test("a repeated report of a call counts once, and an unknown call does not count", () => {
    const once = release(ask(openGate, guarded, "ab").state, guarded, [back("a", "failed")], T);
    const twice = release(once, guarded, [back("a", "failed"), back("zz", "failed")], T);
    expect(viewGate(twice, guarded, T).breaker).toMatchObject({ status: "closed", calls: 1, failed: 1 });
  });

  test("is dropped if the connection no longer configures one", () => {
    expect(ask(opened, two, "c")).toMatchObject({ answers: [granted("c")], state: { breaker: { kind: "closed" } } });
  });
});

describe("the state kept while the object sleeps", () => {
  const failed = release(ask(openGate, guarded, "a").state, guarded, [back("a", "failed")], T);
  const opened = release(ask(failed, guarded, "b").state, guarded, [back("b", "failed")], T);
  const crowd = { ...ask(openGate, two, "abcdefghijklmnopqrstuvwxyz", T).state, tookMs: 10_000 };
  test.each<[string, GateState, boolean]>([
    ["an unused gate", openGate, false],
    ["a return time of a fast rate", ask(openGate, fivePerSecond, "a").state, false],
    [
      "a return time of a slow rate",
      ask(openGate, { ...free, rate: { calls: 1, perMs: 60_000, burst: 1 } }, "a").state,
      true,
    ],
    ["a lease", ask(openGate, two, "a").state, true],
    ["a released lease", release(ask(openGate, two, "a").state, two, [back("a")], T), false],
    ["successful calls", release(ask(openGate, guarded, "a").state, guarded, [back("a")], T), false],
    ["a queue of seconds", { ...ask(openGate, two, "abc").state, leases: {} }, false],
    ["a queue of minutes", { ...ask(crowd, two, "yz0123456789ABCDEF").state, leases: {} }, true],
    ["a failed call", failed, true],
    ["an open breaker", opened, true],
    ["a pause", release(openGate, two, [back("a", "ignored", 60_000)], T), true],
  ])("%s: %#", (_what, state, isKept) => {
    expect(stateToStore(state, T)).toEqual(isKept ? state : null);
  });
});

test("after the clock was set back holds no call longer than its original wait", () => {
  const hour = 3_600_000;
  const terms: ConnectionLimits = { ...fivePerSecond, ...guarded, concurrency: 2, rate: fivePerSecond.rate };
  const busy = ask(openGate, terms, "abcdef", T + hour).state;
  const paused = release(busy, terms, [back("a", "ignored", 5_000)], T + hour);
  expect(viewGate(paused, terms, T).nextAt).toBe(T + 5_000);
  const putBack = release(paused, terms, [], T);
  expect(ask(putBack, terms, "g", T + 12_000).answers).toEqual([granted("g")]);
  expect(viewGate(putBack, terms, T + 60_000).inUse).toBe(0);
  const opened = ["a", "b"].reduce(
    (state, key) => release(ask(state, guarded, key, T + hour).state, guarded, [back(key, "failed")], T + hour),
    openGate,
  );
  expect(viewGate(opened, guarded, T).breaker).toMatchObject({ status: "open", until: T + 30_000 });
});

test("in random traffic has at most as many leases as slots, one per key", () => {
  const events = fc.array(
    fc.record({
      key: fc.constantFrom(..."abcdefgh"),
      what: fc.constantFrom("ask", "ok", "failed", "ignored"),
      after: fc.integer({ min: 0, max: 5_000 }),
    }),
    { maxLength: 150 },
  );
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 4 }), (happened, concurrency) => {
      const terms: ConnectionLimits = {
        ...fivePerSecond,
        ...guarded,
        concurrency,
        rate: { calls: 3, perMs: 1_000, burst: 2 },
      };
      let state = openGate;
      let now = T;
      for (const { key, what, after } of happened) {
        now += after;
        if (what === "ask") {
          const asked = ask(state, terms, key, now);
          state = asked.state;
          const [answer] = asked.answers;
          if (answer?.ok === false) expect(answer.hold.until).toBeGreaterThan(now);
        } else state = release(state, terms, [back(key, what as ReleaseItem["outcome"])], now);
        expect(Object.keys(state.leases).length).toBeLessThanOrEqual(concurrency);
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }
    }),
  );
});
