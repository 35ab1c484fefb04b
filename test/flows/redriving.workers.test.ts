// Many dead letters sent again, through the whole Worker: each effect once under its own key, late ones skipped, nothing
// faster than asked for, and nothing lost when a cell is away.
import { evictDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import type { Parsed } from "#test/support/api.ts";
import { connect, crm, startMany } from "./crm.ts";
import { bindings, engine, provider, until, type Engine } from "./engine.ts";
import { replace } from "./queues.ts";

/** Waits for a person when its call has failed. */
function order(name: string, more: object = {}): object {
  const failed = { on: { "action.ask.ok": "done", "action.ask.skipped": "done" } };
  const states = { asking: { on: { "action.ask.ok": "done", "action.ask.failed": "failed" } }, failed };
  return { ...crm(name, more), placement: "pooled", states: { ...states, done: { type: "final" } } };
}

async function previewed(shop: Engine, matching: number, filter: object = {}): Promise<Parsed> {
  const path = "/v1/dead-letters/retry-all?dryRun=true";
  return until(`${matching} dead letters`, async () => {
    const found = await shop.must(200, "POST", path, { body: { filter } });
    return found.matching === matching ? found : null;
  });
}

const begin = async (shop: Engine, body: object, verb = "retry"): Promise<string> =>
  (await shop.must(202, "POST", `/v1/dead-letters/${verb}-all`, { body })).operation.id;

const read = (shop: Engine, id: string): Promise<Parsed> => shop.must(200, "GET", `/v1/operations/${id}`);

const ends = (shop: Engine, id: string): Promise<Parsed> =>
  until("its end", async () => {
    const operation = await read(shop, id);
    return operation.finishedAt === null ? null : operation;
  });

/** So many that failed, and as many again that will be late. */
async function failing(count: number) {
  let isDown = true;
  const { calls } = provider(() => (isDown ? new Response("down", { status: 503 }) : Response.json({})));
  const shop = await engine(order("plain"), order("late", { maxLateness: "PT0.2S" }));
  await connect(shop, {});
  const [plain, late] = [await startMany(shop, "plain", count), await startMany(shop, "late", count)];
  await previewed(shop, 2 * count);
  const before = calls.splice(0).map(({ key }) => key);
  isDown = false;
  return { shop, calls, plain, late, before };
}

test("all are sent again at the pace asked for, each once under its own key; late ones are skipped with the reason", async () => {
  const { shop, calls, plain, late, before } = await failing(6);
  const id = await begin(shop, { filter: { errorType: "service_unavailable" }, perSecond: 4, reason: "it is back" });
  const half = await until("its first slice", async () => {
    const operation = await read(shop, id);
    return operation.progress.remaining < 12 ? operation : null;
  });
  expect(half).toMatchObject({ status: "running", progress: { matched: 12 }, estimatedEndAt: expect.any(String) });
  const done = await ends(shop, id);
  expect(done.progress).toEqual({
    ...{ matched: 12, released: 6, skipped: { late: 6 }, gone: 0, refused: {}, remaining: 0 },
  });
  expect(done).toMatchObject({ status: "done", estimatedEndAt: null, trouble: null });
  expect(Date.parse(done.finishedAt) - Date.parse(done.createdAt)).toBeGreaterThanOrEqual(2_000);
  for (const execution of [...plain, ...late]) await shop.reaches(execution, "completed");
  const keys = plain.map((execution) => before.find((key) => key.startsWith(execution)));
  expect(calls.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
  const [run] = await shop.runs(String(plain[0]));
  expect(run).toMatchObject({ status: "ok", attempt: 2, deadLetter: false });
  expect((await shop.runs(String(late[0])))[0]).toMatchObject({ status: "skipped", reason: "late" });
  await previewed(shop, 0);
  const redriven = (await shop.journal(String(plain[0]))).find(({ kind }) => kind === "run_redriven");
  expect(redriven).toMatchObject({ reason: "it is back", actor: { kind: "key" } });
  const listed = await until("its end in the list", async () => {
    const { data } = await shop.must(200, "GET", "/v1/operations?status=done");
    return data.length > 0 ? data : null;
  });
  expect(listed).toEqual([done]);
  // Its object is not asked any more: the catalog has it all.
  const audit = await shop.must(200, "GET", `/v1/audit?target=${id}`);
  expect(audit.data).toMatchObject([{ verb: "dead_letters.retry_all", reason: "it is back" }]);
}, 30_000);

test("aborted, it leaves the rest what it was; what fails again is not sent again by the same operation", async () => {
  let count = 0;
  const { calls } = provider(() => new Response(`down ${++count}`, { status: 503 }));
  const shop = await engine(order("plain"));
  await connect(shop, {});
  const ids = await startMany(shop, "plain", 6);
  /** Failed for good again, and the catalog knows. */
  const failed = (count: number) =>
    until(`${count} calls that failed`, async () => {
      const runs = await Promise.all(ids.map(async (id) => (await shop.runs(id))[0]));
      return calls.length === count && runs.every(({ deadLetter }) => deadLetter) ? previewed(shop, 6) : null;
    });
  await failed(6);
  const slow = await begin(shop, { filter: {}, perSecond: 2 });
  await until("its first slice", async () => ((await read(shop, slow)).progress.released > 0 ? true : null));
  const { operation } = await shop.must(200, "POST", `/v1/operations/${slow}/abort`, {
    body: { reason: "still down" },
  });
  expect(operation).toMatchObject({ status: "aborted", progress: { released: 2, remaining: 4 } });
  await until("the audit log", async () => {
    const { data } = await shop.must(200, "GET", `/v1/audit?target=${slow}`);
    return data.length === 2 ? data : null;
  });
  await failed(8);
  const all = await ends(shop, await begin(shop, { filter: { definition: "plain" }, perSecond: 100 }));
  expect(all).toMatchObject({ status: "done", progress: { released: 6, remaining: 0 } });
  await failed(14);
  const archived = await ends(shop, await begin(shop, { filter: {}, reason: "settled by hand" }, "archive"));
  expect(archived).toMatchObject({ verb: "archive", status: "done", progress: { released: 6 } });
  await previewed(shop, 0);
  expect(calls).toHaveLength(14);
}, 30_000);

test("while their cells are away nothing is lost; one that was sent again by hand is gone", async () => {
  const { shop, plain, late, calls } = await failing(2);
  const [first = ""] = plain;
  const [run] = await shop.runs(first);
  const away = replace(bindings.EXECUTIONS, "getByName", (real, name) => {
    const stub = real(name) as object;
    return new Proxy(stub, {
      get: (target, method) =>
        method === "control"
          ? () => Promise.reject(Object.assign(new Error("the object is being moved"), { retryable: true }))
          : Reflect.get(target, method),
    });
  });
  const id = await begin(shop, { filter: {}, perSecond: 50 });
  const held = await until("its trouble", async () => {
    const operation = await read(shop, id);
    return operation.trouble ? operation : null;
  });
  expect(held).toMatchObject({
    ...{ status: "running", progress: { released: 0, remaining: 4 } },
    trouble: { error: expect.stringContaining("being moved") },
  });
  expect(calls).toHaveLength(0);
  away();
  const actor = { kind: "key", id: "by-hand" } as const;
  const command = { kind: "retry", run: run.id, config: null, variables: null, reason: null } as const;
  const asked = { ...command, inputId: "by-hand", fingerprint: "f", actor };
  await shop.cell(first).control([{ execution: first, command: asked, dryRun: false }]);
  await evictDurableObject(bindings.OPERATIONS.getByName(`${shop.tenant}/${id}`));
  const done = await ends(shop, id);
  expect(done).toMatchObject({ status: "done", trouble: null });
  expect(done.progress).toMatchObject({ released: 1, gone: 1, skipped: { late: 2 }, remaining: 0 });
  for (const execution of [...plain, ...late]) await shop.reaches(execution, "completed");
  expect(calls).toHaveLength(2);
}, 30_000);

test("what the connection's limit holds back spends no attempt, and comes through in its time", async () => {
  const at: number[] = [];
  let isDown = true;
  provider(() => {
    if (!isDown) at.push(performance.now());
    return isDown ? new Response("down", { status: 503 }) : Response.json({});
  });
  const shop = await engine(order("plain"));
  await connect(shop, {});
  const ids = await startMany(shop, "plain", 20);
  await previewed(shop, 20);
  isDown = false;
  await shop.must(200, "PATCH", "/v1/connections/crm", { body: { rateLimit: { perSecond: 8 } } });
  expect(await ends(shop, await begin(shop, { filter: {}, perSecond: 500 }))).toMatchObject({
    progress: { released: 20 },
  });
  for (const id of ids) await shop.reaches(id, "completed");
  expect(at).toHaveLength(20);
  for (const [n, from] of at.entries()) expect((at[n + 9] ?? Infinity) - from).toBeGreaterThan(1_000);
  for (const id of ids) expect((await shop.runs(id))[0]).toMatchObject({ status: "ok", attempt: 2, held: null });
}, 30_000);
