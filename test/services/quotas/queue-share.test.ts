// Queue shares of tenants: a greedy tenant, its neighbours, and invocations that the platform ends. The test sets the clock.
import { beforeEach, expect, test } from "vitest";
import { limitsOf, type Lease, type Report } from "#schema/quota.ts";
import { queueShare } from "#policy/gates/quotas/queue-share.ts";
import type { ActionQueue } from "#schema/engine/message.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { QUEUE_TENANT_SEEN_MS } from "#schema/limits/run-attempts.ts";
import { LEASE_SPENT_MS } from "#schema/limits/tenants/quota-leases.ts";
import { ATTEMPT_OVER_GRACE_MS, HELD_FOR_SHARE_MS, SHARE_LOGGED_MS } from "#schema/limits/tenants/used-quotas.ts";
import { reportUse, type QuotaDeps } from "#services/quotas/isolate-lease.ts";
import { openQueueShare } from "#services/quotas/queue-share.ts";
import { beginAttempt } from "#services/quotas/take-quota.ts";

const TIMEOUT_MS = 49_000;
const done: Outcome = { ok: true, result: null, events: [], startedAt: 0, endedAt: 0 };
let now = 1_000_000;
let tests = 0;
let reports: Report[] = [];
let elsewhere = 0;
let lines: { readonly event: string }[] = [];

/** What one test has seen of tenants the next has forgotten; its tenants are others. */
beforeEach(() => {
  now += QUEUE_TENANT_SEEN_MS + 1;
  tests += 1;
  [reports, elsewhere, lines] = [[], 0, []];
});

const told: Promise<unknown>[] = [];
const deps = {
  now: () => now,
  // Nothing is known of these tenants, so each has the quotas that are there by default.
  db: null,
  log: (line: { readonly event: string }) => void lines.push(line),
  background: (work: Promise<unknown>) => void told.push(work),
  randomBytes: (length: number) => new Uint8Array(length),
  meter: () => ({
    report: async (report: Report): Promise<Lease> => {
      reports.push(report);
      const allowance = { free: 20, used: 0, max: 20_000, resetAt: now + 10_000 };
      const amounts = { startsPerSecond: allowance, actionsPerDay: { ...allowance, max: 10_000_000 } };
      const live = { free: 1, used: 0, max: 500_000 };
      const counts = { inFlightElsewhere: elsewhere, inQueueElsewhere: { short: elsewhere, slow: 0 } };
      return { amounts, live, ...counts, at: now, until: now + 10_000, shouldCount: false };
    },
  }),
} as unknown as QuotaDeps; // all that is asked for here

type Begun = { readonly end: () => Promise<Outcome>; readonly isHeld: () => Promise<boolean> };

/** An action of the tenant in an invocation: of its own, if none is given. */
async function begin(name: string, invocation = openQueueShare(deps), queue: ActionQueue = "short"): Promise<Begun> {
  const release = Promise.withResolvers<Outcome>();
  let isRunning = false;
  const ticket = { tenant: `${name}-${tests}`, deadlineAt: now + TIMEOUT_MS } as Ticket; // all that is read of it
  const outcome = invocation(ticket, queue, () => {
    isRunning = true;
    return release.promise;
  });
  // Whether it is held is known before anything else is waited for.
  await new Promise((resolve) => setImmediate(resolve));
  return { end: () => (release.resolve(done), outcome), isHeld: async () => !isRunning && !(await outcome).ok };
}

async function beginMany(name: string, count: number): Promise<readonly Begun[]> {
  const all: Begun[] = [];
  for (let n = 0; n < count; n++) all.push(await begin(name));
  return all;
}

async function countHeld(begun: readonly Begun[]): Promise<number> {
  const held = await Promise.all(begun.map(({ isHeld }) => isHeld()));
  return held.filter(Boolean).length;
}

/** What operators read of it. Of these tenants' terms the log has lines, too. */
const shareLines = () => lines.filter(({ event }) => event === "queue_share_taken");

test("a burst of a single tenant takes all but a reserve, and the rest is held with the reason", async () => {
  const burst = await beginMany("greedy", queueShare(1));
  expect(await countHeld(burst)).toBe(0);
  const more = await begin("greedy");
  expect(await more.end()).toMatchObject({
    ok: false,
    error: { code: "queue_share", retryable: true },
    held: { reason: "queue_share", until: now + HELD_FOR_SHARE_MS, connection: null },
  });
  const share = { event: "queue_share_taken", queue: "short", share: queueShare(1), tenants: 1 };
  expect(shareLines()).toMatchObject([share]);
  await burst[0]?.end();
  expect(await countHeld([await begin("greedy"), await begin("greedy")])).toBe(1);
  expect(shareLines()).toHaveLength(1);
  now += SHARE_LOGGED_MS;
  const again = await beginMany("greedy", queueShare(1) + 2);
  expect([await countHeld(again), shareLines().length]).toEqual([2, 2]);
});

test("each queue has its own share: slow actions hold no short ones of their tenant", async () => {
  const slow: Begun[] = [];
  for (let n = 0; n < queueShare(1); n++) slow.push(await begin("greedy", openQueueShare(deps), "slow"));
  expect(await countHeld([...slow, await begin("greedy")])).toBe(0);
  expect(await countHeld([await begin("greedy", openQueueShare(deps), "slow")])).toBe(1);
});

test("with a neighbour a greedy tenant has half, and the neighbour's next action runs at once", async () => {
  await (await begin("neighbour")).end();
  const burst = await beginMany("greedy", 400);
  expect(await countHeld(burst)).toBe(400 - queueShare(2));
  expect(await countHeld(await beginMany("neighbour", 10))).toBe(0);
});

test("a tenant that has taken everything gets nothing more after a neighbour comes, until it is below its half", async () => {
  const burst = await beginMany("greedy", queueShare(1));
  expect(await countHeld([await begin("neighbour"), await begin("greedy")])).toBe(1);
  for (const each of burst.slice(0, queueShare(1) - queueShare(2))) await each.end();
  expect(await countHeld([await begin("greedy")])).toBe(1);
  await burst.at(-1)?.end();
  expect(await countHeld([await begin("greedy")])).toBe(0);
});

test("three competing tenants get equal shares, in any order", async () => {
  const names = ["first", "second", "third"];
  for (const name of names) await (await begin(name)).end();
  const begun = new Map<string, Begun[]>(names.map((name) => [name, []]));
  for (let n = 0; n < 100; n++) for (const name of names) begun.get(name)?.push(await begin(name));
  const held = await Promise.all(names.map((name) => countHeld(begun.get(name) ?? [])));
  expect(held).toEqual(Array(3).fill(100 - queueShare(3)));
});

test("a neighbour that was not seen for a minute needs no room", async () => {
  await (await begin("neighbour")).end();
  const burst = await beginMany("greedy", queueShare(2));
  expect(await countHeld([...burst, await begin("greedy")])).toBe(1);
  now += QUEUE_TENANT_SEEN_MS;
  expect(await countHeld([await begin("greedy")])).toBe(0);
});

test("actions in one invocation occupy one slot, until the last of them ends", async () => {
  const invocation = openQueueShare(deps);
  const together = [await begin("greedy", invocation), await begin("greedy", invocation)];
  const others = await beginMany("greedy", queueShare(1) - 1);
  expect(await countHeld([...together, ...others, await begin("greedy", invocation)])).toBe(0);
  expect(await countHeld([await begin("greedy")])).toBe(1);
  await together[0]?.end();
  expect(await countHeld([await begin("greedy")])).toBe(1);
});

test("an invocation that the platform ended releases its slot after its last action's deadline", async () => {
  const burst = await beginMany("greedy", queueShare(1) - 1);
  const invocation = openQueueShare(deps);
  await begin("greedy", invocation);
  now += 10_000;
  await begin("greedy", invocation);
  now += TIMEOUT_MS + ATTEMPT_OVER_GRACE_MS - 10_000;
  // Those of the burst are over by now.
  expect(await countHeld([...burst, ...(await beginMany("greedy", queueShare(1)))])).toBe(1);
  now += 10_000;
  expect(await countHeld([await begin("greedy")])).toBe(0);
});

test("so does an attempt in either lane", () => {
  const limits = limitsOf({ inFlight: 1 });
  const tenant = `flight-${tests}`;
  expect(beginAttempt(deps, tenant, limits, now + 1_000)).not.toBeNull();
  expect(beginAttempt(deps, tenant, limits, now + 1_000)).toBeNull();
  now += 1_000;
  expect(beginAttempt(deps, tenant, limits, now + 1_000)).not.toBeNull();
});

test("reports of other isolates count, and a tenant well below its share reports nothing", async () => {
  const few = await beginMany("greedy", 9);
  for (const each of few) await each.end();
  expect(reports).toEqual([]);
  elsewhere = queueShare(1) - 10;
  const burst = await beginMany("greedy", 10);
  await Promise.all(told);
  expect(reports.map(({ inQueue }) => inQueue)).toEqual([{ short: 10, slow: 0 }]);
  expect(await countHeld([...burst, await begin("greedy")])).toBe(1);
});

test("an isolate without room refreshes its lease, and continues after other isolates' actions ended", async () => {
  elsewhere = queueShare(1);
  await Promise.all([...(await beginMany("greedy", 10)), Promise.all(told)]);
  expect(await countHeld([await begin("greedy")])).toBe(1);
  elsewhere = 0;
  // What it was told is too new to be asked again.
  expect(await countHeld([await begin("greedy")])).toBe(1);
  now += LEASE_SPENT_MS;
  expect(await countHeld([await begin("greedy")])).toBe(1);
  await Promise.all(told);
  expect(await countHeld([await begin("greedy")])).toBe(0);
});

test("so does an isolate whose tenant has all its attempts in progress elsewhere", async () => {
  const limits = limitsOf({ inFlight: 1 });
  const tenant = `flight-elsewhere-${tests}`;
  const begun = (): boolean => {
    const flight = beginAttempt(deps, tenant, limits, now + 1_000);
    flight?.end();
    return flight !== null;
  };
  elsewhere = 1;
  expect(begun()).toBe(true);
  await reportUse(deps, tenant, limits);
  expect(begun()).toBe(false);
  elsewhere = 0;
  now += LEASE_SPENT_MS;
  expect(begun()).toBe(false);
  await Promise.all(told);
  expect(begun()).toBe(true);
});
