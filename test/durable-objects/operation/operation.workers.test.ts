// Tests the operation object in workerd: its pace and counts survive evictions, crashes and aborts.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { OperationWork } from "#entrypoints/operation-work.ts";
import type { ItemOutcome, Operation, OperationRequest } from "#schema/operation.ts";
import { bindings, until } from "#test/flows/engine.ts";

const person = { kind: "key", id: "key_1" } as const;
let objects = 0;

type World = {
  /** The test adds the calls that must fail. */
  failures: string[];
  readonly asked: string[][];
  readonly closed: unknown[];
  /** The outcome of an item. Default: released. */
  outcome: (id: string) => Partial<ItemOutcome>;
  /** Called after a page was listed. */
  listed: () => void;
  /** Called during a slice. */
  meanwhile: () => Promise<void>;
};

/** A mock of the Worker for the next operation: dead letters in pages of four. */
function worldOf(count: number): World {
  const world: World = {
    failures: [],
    asked: [],
    closed: [],
    outcome: () => ({}),
    listed: () => {},
    meanwhile: async () => {},
  };
  const id = `op_${objects + 1}`;
  const all = Array.from({ length: count }, (_, n) => `d${n}`);
  const fail = () => {
    const failure = world.failures.shift();
    if (failure !== undefined) throw new Error(failure);
  };
  const spies = [
    vi.spyOn(OperationWork.prototype, "list").mockImplementation(async (_terms, cursor) => {
      fail();
      world.listed();
      const from = Number(cursor ?? 0);
      return { ids: all.slice(from, from + 4), cursor: from + 4 < count ? String(from + 4) : null };
    }),
    vi.spyOn(OperationWork.prototype, "act").mockImplementation(async (_terms, ids) => {
      world.asked.push([...ids]);
      await world.meanwhile();
      fail();
      return ids.map((id) => ({ id, kind: "released", ...world.outcome(id) }) as ItemOutcome);
    }),
    vi.spyOn(OperationWork.prototype, "close").mockImplementation(async (view) => {
      // The call of another test may arrive late.
      if (view.id !== id) return;
      fail();
      world.closed.push({ status: view.status, released: view.counts.released });
    }),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return world;
}

async function open(count: number, over: Partial<OperationRequest> = {}) {
  const id = `op_${++objects}`;
  const stub = bindings.OPERATIONS.getByName(`t/${id}`);
  const operation = stub as unknown as Operation; // RPC stubs answer what the class declares
  const asked = { verb: "retry", filter: {}, perSecond: 2, reason: null, fingerprint: "f" } as const;
  const terms: OperationRequest = {
    id,
    tenant: "t",
    actor: person,
    createdAt: Date.now(),
    matched: count,
    ...asked,
    ...over,
  };
  return {
    stub,
    operation,
    terms,
    begin: () => operation.open(terms),
    view: () => operation.read(),
    sleep: () => evict(stub),
    wake: () => runDurableObjectAlarm(stub),
    ends: () =>
      until("its end", async () => {
        const view = await operation.read();
        return view && view.finishedAt !== null ? view : null;
      }),
    stored: () =>
      runInDurableObject(stub, async (_object, { storage }) => ({
        tables: storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'rows'").toArray().length,
        alarm: await storage.getAlarm(),
      })),
  };
}

test("an alarm runs an operation slice by slice, and the catalog gets its result", async () => {
  const world = worldOf(5);
  const { begin, ends, stored } = await open(5);
  const begun = performance.now();
  expect(await begin()).toMatchObject({ ok: true, value: { repeated: false, operation: { remaining: 5 } } });
  expect(await ends()).toMatchObject({ status: "done", counts: { released: 5 }, remaining: 0, trouble: null });
  expect(performance.now() - begun).toBeGreaterThan(1_900);
  expect(world.asked).toEqual([["d0", "d1"], ["d2", "d3"], ["d4"]]);
  await until("the catalog knows", () => (world.closed.length > 0 ? true : null));
  expect(world.closed).toEqual([{ status: "done", released: 5 }]);
  const { alarm } = await stored();
  expect(Number(alarm) - Date.now()).toBeGreaterThan(6 * 24 * 60 * 60_000);
});

test("a repeated request returns the same operation; another request under its id is refused", async () => {
  worldOf(1);
  const { begin, operation, terms } = await open(1);
  await begin();
  expect(await operation.open({ ...terms, createdAt: 0 })).toMatchObject({ ok: true, value: { repeated: true } });
  const refused = { ok: false, refusal: { code: "idempotency_conflict" } };
  expect(await operation.open({ ...terms, fingerprint: "other" })).toMatchObject(refused);
});

test("a read of an unknown operation stores nothing", async () => {
  const { operation, stored } = await open(0);
  expect(await operation.read()).toBeNull();
  const refused = await operation.abort({ actor: person, reason: null, dryRun: false });
  expect(refused).toMatchObject({ ok: false, refusal: { code: "not_found" } });
  expect(await stored()).toEqual({ tables: 0, alarm: null });
});

test("an operation continues after an eviction between two slices", async () => {
  const world = worldOf(4);
  const { begin, view, sleep, ends } = await open(4);
  await begin();
  await until("the first slice", async () => ((await view())?.counts.released === 2 ? true : null));
  await sleep();
  expect(await view()).toMatchObject({ counts: { released: 2 }, remaining: 2, status: "running" });
  expect(await ends()).toMatchObject({ status: "done", counts: { released: 4 } });
  expect(world.asked.flat()).toEqual(["d0", "d1", "d2", "d3"]);
});

test("a slice whose answer was lost is repeated, and counted once", async () => {
  const world = worldOf(2);
  const { begin, view, ends } = await open(2);
  world.failures = ["the list fails"];
  world.listed = () => void world.failures.push("the slice fails");
  // The first list call fails. Then the slice runs, and its answer is lost.
  await begin();
  const trouble = await until("the slice's trouble", async () => {
    const seen = (await view())?.trouble;
    return seen && seen.error.includes("slice") ? seen : null;
  });
  expect(trouble).toMatchObject({ tries: 1, error: expect.stringContaining("the slice fails") });
  expect(await ends()).toMatchObject({ status: "done", counts: { released: 2 }, trouble: null });
  expect(world.asked).toEqual([
    ["d0", "d1"],
    ["d0", "d1"],
  ]);
});

test("an abort during a slice counts that slice, begins no other, and reaches the catalog", async () => {
  const world = worldOf(6);
  const { begin, operation, view, ends, sleep } = await open(6);
  const reason = "enough";
  let isAborted = false;
  world.meanwhile = () => until("the abort", () => (isAborted ? undefined : null));
  await begin();
  await until("the slice", () => (world.asked.length > 0 ? true : null));
  const dry = await operation.abort({ actor: person, reason, dryRun: true });
  expect(dry).toMatchObject({ ok: true, value: { operation: { status: "aborted" } } });
  expect(await view()).toMatchObject({ status: "running" });
  const done = await operation.abort({ actor: person, reason, dryRun: false });
  expect(done).toMatchObject({ ok: true, value: { repeated: false, operation: { status: "aborted" } } });
  isAborted = true;
  expect(await ends()).toMatchObject({ status: "aborted", aborted: { reason } });
  await until("the catalog knows", () => (world.closed.length > 0 ? true : null));
  expect(world.closed).toEqual([{ status: "aborted", released: 2 }]);
  expect(await view()).toMatchObject({ counts: { released: 2 }, remaining: 4 });
  await sleep();
  const again = await operation.abort({ actor: person, reason: null, dryRun: false });
  expect(again).toMatchObject({ ok: true, value: { repeated: true, operation: { aborted: { reason } } } });
  expect(world.asked).toEqual([["d0", "d1"]]);
});

test("a finished operation cannot be aborted; an unavailable catalog gets its result later", async () => {
  const world = worldOf(0);
  const { begin, operation, ends, view } = await open(0);
  world.listed = () => void (world.failures = ["D1 is down"]);
  await begin();
  expect(await ends()).toMatchObject({ status: "done" });
  const refused = await operation.abort({ actor: person, reason: null, dryRun: false });
  expect(refused).toMatchObject({ ok: false, refusal: { code: "operation_final" } });
  await until("the trouble", async () => ((await view())?.trouble ? true : null));
  await until("the catalog knows", () => (world.closed.length > 0 ? true : null));
  await until("no trouble", async () => ((await view())?.trouble === null ? true : null));
});

test("unreachable items are retried while other items continue", async () => {
  const world = worldOf(4);
  let isAway = true;
  world.outcome = (id) => (id === "d0" && isAway ? { kind: "unreached", error: "being moved" } : {});
  const { begin, view, ends } = await open(4, { perSecond: 4 });
  await begin();
  await until("the others", async () => ((await view())?.counts.released === 3 ? true : null));
  expect(await view()).toMatchObject({ remaining: 1, status: "running", trouble: { error: "being moved" } });
  isAway = false;
  expect(await ends()).toMatchObject({ status: "done", counts: { released: 4 }, trouble: null });
});

test("an operation deletes its rows a week after its end", async () => {
  worldOf(0);
  const { begin, ends, stored, wake, view, stub } = await open(0);
  await begin();
  await ends();
  await until("its rest", async () => (Number((await stored()).alarm) - Date.now() > 60_000 ? true : null));
  await runInDurableObject(stub, (_object, { storage }) => {
    const [row] = storage.sql.exec<{ body: string }>("SELECT body FROM rows").toArray();
    const state = JSON.parse(row?.body ?? "{}");
    storage.sql.exec("UPDATE rows SET body = ?", JSON.stringify({ ...state, finishedAt: 0 }));
  });
  await evict(stub);
  expect(await wake()).toBe(true);
  expect(await view()).toBeNull();
  expect(await stored()).toEqual({ tables: 0, alarm: null });
  expect(await begin()).toMatchObject({ ok: true, value: { repeated: false } });
});
