// Attempts within limits by key: each limit is asked before the attempt and released after it, and a held run keeps its
// places.
import { expect, test, vi } from "vitest";
import type { Hold, Outcome } from "#schema/engine/outcome.ts";
import type { Cell, WakeItem } from "#schema/engine/cell.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { KeyLimitsPort, KeyLimitTerms, TicketLimit } from "#schema/key-limits/calls.ts";
import { LIMIT_WAKE_ROUNDS_MAX } from "#schema/limits/limits-by-key.ts";
import { ENGINE_FAULT_HOLD_MS, WAIT_IN_PLACE_MS } from "#schema/limits/outgoing/connection-limits.ts";
import { shardOf } from "#services/key-limits/shards.ts";
import { withinLimits } from "#services/key-limits/within-limits.ts";
import { failure, hour, success, T0 } from "#test/support/drive.ts";
import { memoryKeyLimits } from "#test/support/memory/key-limits.ts";

const limit = (terms: KeyLimitTerms, name = "mails"): TicketLimit => ({ name, key: "ada", terms });
const ticket = (n: number, limits: readonly TicketLimit[], more: Partial<Ticket> = {}): Ticket => ({
  tenant: "acme",
  execution: `exe_${n}`,
  run: "1.0",
  attempt: 1,
  action: "mail",
  type: "email",
  config: {},
  idempotencyKey: `exe_${n}/1.0`,
  timeoutMs: 1_000,
  deadlineAt: T0 + 60_000,
  incarnation: T0,
  limits,
  ...more,
});

function world() {
  const clock = { now: T0 };
  const objects = memoryKeyLimits(() => clock.now);
  const [calls, lines, failing]: [string[], object[], Set<string>] = [[], [], new Set()];
  const noted = async <T>(method: keyof KeyLimitsPort, call: () => Promise<T>): Promise<T> => {
    calls.push(method);
    if (failing.has(method)) throw new Error("Network connection lost.");
    return call();
  };
  const keyLimits = (name: string): KeyLimitsPort => ({
    ...objects(name),
    acquireLimit: (...ask) => noted("acquireLimit", () => objects(name).acquireLimit(...ask)),
    releaseLimit: (ask) => noted("releaseLimit", () => objects(name).releaseLimit(ask)),
    passOnLimit: (ask) => noted("passOnLimit", () => objects(name).passOnLimit(ask)),
  });
  const woken: (readonly WakeItem[])[] = [];
  const gone = new Set<string>();
  const wakeRuns = async (name: string, items: readonly WakeItem[]) => {
    if (failing.has(name)) throw new Error("Network connection lost.");
    woken.push(items);
    return items.map(({ execution }) => (gone.has(execution) ? "gone" : "waits"));
  };
  const cell = (name: string): Cell => ({ wakeRuns: wakeRuns.bind(null, name) }) as unknown as Cell; // no other call is made
  const work: Promise<unknown>[] = [];
  const deps = {
    keyLimits,
    cell,
    now: () => clock.now,
    background: (promised: Promise<unknown>) => void work.push(promised),
    log: (line: object) => void lines.push(line),
  };
  /** Resolves with the wake-ups so far, when no more are under way. */
  const wakes = async () => (await Promise.all(work), woken);
  const sent: string[] = [];
  const carryOut = (one: Ticket, run: () => Promise<Outcome> = async () => success()) =>
    withinLimits(deps, one, () => (sent.push(one.execution), run()));
  const use = async (name = "mails") => {
    const { object, key } = await shardOf("acme", name, "ada");
    return objects(object).readLimit(key);
  };
  return { calls, lines, failing, sent, carryOut, use, clock, wakes, gone };
}
const heldBy = (reason: Hold["reason"], until = T0 + hour): Outcome =>
  ({ ...failure(), held: { reason, until, connection: null } }) as Outcome;
const holdOf = (outcome: Outcome): Hold => {
  if (outcome.ok || outcome.held === undefined) throw new Error("the run was not held");
  return outcome.held;
};

test("a run without limits calls no object", async () => {
  const w = world();
  const { limits: _limits, ...free } = ticket(1, []);
  expect((await w.carryOut(free)).ok).toBe(true);
  expect(w.calls).toEqual([]);
});

test("a sent attempt costs two calls for each limit, and releases its slots", async () => {
  const w = world();
  const one = ticket(1, [limit({ concurrency: 1 }), limit({ concurrency: 1 }, "calls")]);
  expect(
    await w.carryOut(
      one,
      async () => (expect(await w.use()).toMatchObject({ inUse: [{ run: "exe_1/1.0" }] }), success()),
    ),
  ).toEqual(success());
  expect(w.calls).toEqual(["acquireLimit", "acquireLimit", "releaseLimit", "releaseLimit"]);
  expect(await w.use()).toBeNull();
});

test("a run above a limit is held with its place, and not sent", async () => {
  const w = world();
  const limits = [limit({ concurrency: 5 }, "calls"), limit({ concurrency: 1 })];
  let second: Outcome | null = null;
  await w.carryOut(ticket(1, limits), async () => ((second = await w.carryOut(ticket(2, limits))), success()));
  expect(second).toMatchObject({
    ok: false,
    held: {
      reason: "limit_concurrency",
      until: T0 + 1_000,
      places: [
        { name: "calls", since: T0, stage: "turn", ahead: 0 },
        { name: "mails", since: T0, stage: "line", ahead: 0 },
      ],
    },
  });
  expect(w.sent).toEqual(["exe_1"]);
  expect(await w.use("calls")).toBeNull();
});

test.each<[string, KeyLimitTerms, object]>([
  ["rate_limited_by_key", { rate: { max: 1, perMs: hour } }, { nextAt: T0 + hour }],
  ["singleton", { singleton: "skip" }, {}],
])("a run is skipped as %s, but not if an earlier delivery may have been sent", async (skipped, terms, more) => {
  const w = world();
  await w.carryOut(ticket(1, [limit(terms)]), async () => {
    expect(await w.carryOut(ticket(2, [limit(terms)]))).toMatchObject({ ok: false, skipped, ...more });
    return success();
  });
  const doubtful: readonly Partial<Ticket>[] = [
    { possiblyRepeated: true },
    { attempt: 2 },
    { held: { reason: "awaiting_receipt", until: T0, connection: null } },
  ];
  for (const [n, more] of doubtful.entries()) await w.carryOut(ticket(3 + n, [limit(terms)], more));
  expect(w.sent).toEqual(["exe_1", "exe_3", "exe_4", "exe_5"]);
});

test("a run that returns shows its place, and a limit that was not asked keeps it", async () => {
  const w = world();
  const debounce = limit({ debounce: { forMs: 1_000, atMostMs: null } });
  const held = holdOf(await w.carryOut(ticket(1, [debounce])));
  expect(held).toMatchObject({ reason: "limit_debounce", places: [{ stage: "debounce", since: T0 }] });
  w.clock.now = T0 + 1_000;
  const other = { name: "calls", since: T0 - 1, stage: "line", ahead: 0 } as const;
  const back = { held: { ...held, places: [...(held.places ?? []), other] } };
  const blocked = holdOf(await w.carryOut(ticket(1, [debounce], back), async () => heldBy("rate_limited")));
  expect(blocked).toMatchObject({ reason: "rate_limited", places: [{ name: "mails", stage: "turn" }, other] });
  expect((await w.carryOut(ticket(1, [debounce], { held: blocked }))).ok).toBe(true);
});

test("a short wait is spent in the invocation", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const w = world();
  const throttle = limit({ throttle: { calls: 10, perMs: 1_000, burst: 1 } });
  await w.carryOut(ticket(1, [throttle]));
  const second = w.carryOut(ticket(2, [throttle]));
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  w.clock.now += 100;
  await vi.advanceTimersByTimeAsync(100);
  expect((await second).ok).toBe(true);
  vi.useRealTimers();
  expect(w.sent).toEqual(["exe_1", "exe_2"]);
});

test.each<[string, Outcome, number]>([
  ["a sent one", success(), 100],
  ["one that waits for its receipt", heldBy("awaiting_receipt"), 100],
  ["one that its connection held", heldBy("rate_limited"), 1_000],
  ["one that was skipped", { ...failure(), skipped: "capped" } as Outcome, 1_000],
])("the duration of %s counts only if something was sent", async (_name, outcome, expectedMs) => {
  const w = world();
  const limits = [limit({ concurrency: 1, rate: { max: 100, perMs: hour } })];
  for (let n = 0; n < 60; n++) await w.carryOut(ticket(n, limits), async () => ((w.clock.now += 100), outcome));
  const base = w.clock.now;
  await w.carryOut(ticket(100, limits), async () => {
    const { until } = holdOf(await w.carryOut(ticket(101, limits, { deadlineAt: base + 300 })));
    expect(Math.round((until - base) / 100) * 100).toBe(expectedMs);
    return success();
  });
});

test("without an answer of the object nothing is sent, and the run is held for some seconds", async () => {
  const w = world();
  w.failing.add("acquireLimit");
  const until = T0 + ENGINE_FAULT_HOLD_MS;
  expect(await w.carryOut(ticket(1, [limit({ concurrency: 1 })]))).toMatchObject({
    held: { reason: "unavailable", until },
  });
  expect([w.sent, w.lines]).toMatchObject([[], [{ event: "key_limit_not_reached" }]]);
});

test("a slot that cannot be released does not change the outcome", async () => {
  const w = world();
  w.failing.add("releaseLimit");
  expect(await w.carryOut(ticket(1, [limit({ concurrency: 1 })]))).toEqual(success());
  expect(await w.use()).toMatchObject({ inUse: [{ run: "exe_1/1.0", until: T0 + 70_000 }] });
});

test("the end of a run wakes the next run of the key, at one call more", async () => {
  const w = world();
  const limits = [limit({ concurrency: 1 })];
  await w.carryOut(ticket(1, limits), async () => {
    for (const n of [2, 3]) await w.carryOut(ticket(n, limits));
    return success();
  });
  expect(await w.wakes()).toEqual([[{ execution: "exe_2", run: "1.0", limit: "mails", at: T0 }]]);
  expect(w.calls).toEqual(["acquireLimit", "acquireLimit", "acquireLimit", "releaseLimit"]);
});

test("runs that no longer wait pass their slot on, and a cell that does not answer keeps it", async () => {
  const w = world();
  const limits = [limit({ concurrency: 1 })];
  for (const n of [2, 3]) w.gone.add(`exe_${n}`);
  w.failing.add("acme/exe_4");
  await w.carryOut(ticket(1, limits), async () => {
    for (const n of [2, 3, 4, 5]) await w.carryOut(ticket(n, limits));
    return success();
  });
  expect((await w.wakes()).flat().map(({ execution }) => execution)).toEqual(["exe_2", "exe_3"]);
  expect(await w.use()).toMatchObject({ waiting: 2, next: [{ run: "exe_4/1.0", until: T0 }, { run: "exe_5/1.0" }] });
  expect(w.lines).toMatchObject([{ event: "runs_not_woken", cell: "acme/exe_4" }]);
});

test("one release passes a slot on a limited number of times", async () => {
  const w = world();
  const limits = [limit({ concurrency: 1 })];
  const many = Array.from({ length: LIMIT_WAKE_ROUNDS_MAX + 5 }, (_, n) => n + 2);
  for (const n of many) w.gone.add(`exe_${n}`);
  await w.carryOut(ticket(1, limits), async () => {
    for (const n of many) await w.carryOut(ticket(n, limits));
    return success();
  });
  expect(await w.wakes()).toHaveLength(LIMIT_WAKE_ROUNDS_MAX);
});

test("a slot that cannot be passed on does not change the outcome", async () => {
  const w = world();
  const limits = [limit({ concurrency: 1 })];
  w.failing.add("passOnLimit");
  w.gone.add("exe_2");
  const outcome = w.carryOut(ticket(1, limits), async () => (await w.carryOut(ticket(2, limits)), success()));
  expect(await outcome).toEqual(success());
  await w.wakes();
  expect(w.lines).toMatchObject([{ event: "key_limit_not_passed_on" }]);
});

test("a run that needs a slot does not wait in the invocation, because a release wakes held runs only", async () => {
  const w = world();
  const limits = [limit({ concurrency: 1, rate: { max: 100, perMs: hour } })];
  for (let n = 0; n < 60; n++) await w.carryOut(ticket(n, limits), async () => ((w.clock.now += 1), success()));
  await w.carryOut(ticket(100, limits), async () => {
    const { until } = holdOf(await w.carryOut(ticket(101, limits)));
    expect(until - w.clock.now).toBeLessThanOrEqual(WAIT_IN_PLACE_MS);
    return success();
  });
});

test("keys and tenants have digests of their own, and a key is always in the same object", async () => {
  const [ada, again, bob, other] = await Promise.all([
    shardOf("acme", "mails", "ada"),
    shardOf("acme", "mails", "ada"),
    shardOf("acme", "mails", "bob"),
    shardOf("other", "mails", "ada"),
  ]);
  expect(again).toEqual(ada);
  expect(new Set([ada.key, bob.key, other.key]).size).toBe(3);
  expect(ada.object).toMatch(/^limit:acme\/mails\/\d+$/);
  expect(other.object).toMatch(/^limit:other\//);
});
