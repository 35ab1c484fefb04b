// Many dead letters sent again, through the whole Worker: each effect once under its own key, late ones skipped, nothing
// faster than asked for, nothing lost when a cell is away; and nothing of what its machine has taken care of.
import { expect, test } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import type { Parsed } from "#test/support/api.ts";
import { connect, crm, startMany } from "./crm.ts";
import refundedOrder from "../../examples/refunded-order.json";
import { bindings, engine, provider, PROVIDER, until, type Engine } from "./engine.ts";
import { replace } from "./queues.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

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
  expect(done.progress).toEqual({ matched: 12, released: 6, skipped: { late: 6 }, gone: 0, refused: {}, remaining: 0 });
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
});

test("aborted, it leaves the rest what it was; what fails again is not sent again by the same operation", async () => {
  let count = 0;
  const { calls } = provider(() => new Response(`down ${++count}`, { status: 503 }));
  const shop = await engine(order("plain"));
  await connect(shop, {});
  const ids = await startMany(shop, "plain", 6);
  /** Failed for good again, and the catalog knows of each of these tries: what it has listed may be of the time before. */
  const failed = (count: number) =>
    until(`${count} calls that failed`, async () => {
      const runs = await Promise.all(ids.map(async (id) => (await shop.runs(id))[0]));
      if (calls.length !== count || !runs.every(({ deadLetter }) => deadLetter)) return null;
      const { data } = await shop.must(200, "GET", "/v1/dead-letters");
      const tries = data.reduce((sum: number, { attempts }: Parsed) => sum + attempts, 0);
      return data.length === 6 && tries === count ? true : null;
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
});

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
    status: "running",
    progress: { released: 0, remaining: 4 },
    trouble: { error: { message: expect.stringMatching(/\S/), retryable: true } },
  });
  expect(calls).toHaveLength(0);
  away();
  const actor = { kind: "key", id: "by-hand" } as const;
  const command = { kind: "retry", run: run.id, config: null, variables: null, reason: null } as const;
  const asked = { ...command, inputId: "by-hand", fingerprint: "f", actor };
  await shop.cell(first).control([{ execution: first, command: asked, dryRun: false }]);
  await evict(bindings.OPERATIONS.getByName(`${shop.tenant}/${id}`));
  const done = await ends(shop, id);
  expect(done).toMatchObject({ status: "done", trouble: null });
  expect(done.progress).toMatchObject({ released: 1, gone: 1, skipped: { late: 2 }, remaining: 0 });
  for (const execution of [...plain, ...late]) await shop.reaches(execution, "completed");
  expect(calls).toHaveLength(2);
});

test("what the connection's limit holds back spends no attempt, and comes through in its time", async () => {
  const asked: { readonly key: string; readonly at: number }[] = [];
  let isDown = true;
  provider(({ key }) => {
    if (!isDown) asked.push({ key, at: performance.now() });
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
  // Every flow's provider is asked through one fetch: what another file left behind is not counted here.
  const mine = asked.filter(({ key }) => ids.some((id) => key.startsWith(`${id}/`)));
  const at = mine.map((each) => each.at);
  expect(mine.map(({ key }) => key).toSorted()).toEqual(ids.map((id) => `${id}/1.0`).toSorted());
  for (const [n, from] of at.entries()) expect((at[n + 9] ?? Infinity) - from).toBeGreaterThan(1_000);
  for (const id of ids) expect((await shop.runs(id))[0]).toMatchObject({ status: "ok", attempt: 2, held: null });
});

const variables = { shopUrl: PROVIDER, total: 100 };

/** Their shipping was refused for good, and their money went back. */
async function refunded(count: number) {
  const { calls } = provider(({ url }) =>
    url.pathname === "/shipments" ? new Response("no such address", { status: 422 }) : Response.json({}),
  );
  const shop = await engine(refundedOrder);
  const ids = await Promise.all(Array.from({ length: count }, () => shop.start("refunded-order", { variables })));
  for (const id of ids) expect((await shop.reaches(id, "completed")).states).toEqual(["refunded"]);
  return { shop, ids, calls };
}

const letters = (shop: Engine, count: number, query = "") =>
  until(`${count} dead letters`, async () => {
    const { data } = await shop.must(200, "GET", `/v1/dead-letters${query}`);
    return data.length === count ? data : null;
  });
const asked = (calls: readonly { readonly url: URL }[], path: string) =>
  calls.filter(({ url }) => url.pathname === path).length;

test("retry-all over its definition sends nothing, and says of each that it is handled", async () => {
  const { shop, ids, calls } = await refunded(3);
  const listed = await letters(shop, 3, "?handled=true");
  expect(listed.every(({ handled }: { handled: boolean }) => handled)).toBe(true);
  expect(await letters(shop, 3)).toEqual(listed);
  expect(await letters(shop, 0, "?handled=false")).toEqual([]);

  const body = { filter: { definition: "refunded-order" }, reason: "the carrier is back" };
  const dry = await shop.must(200, "POST", "/v1/dead-letters/retry-all?dryRun=true", { body });
  expect(dry).toMatchObject({
    matching: 0,
    estimatedSeconds: 0,
    skipped: { handled: 3 },
    sample: {
      of: 3,
      outcomes: { skipped: 3 },
      reasons: { handled: 3 },
      repeatSafe: { safe: 0, unsafe: 0 },
      executionsEnded: 3,
    },
  });
  for (const item of dry.sample.items)
    expect(item).toMatchObject({ reason: "handled", says: naming("action.ship.failed") });

  const { operation } = await shop.must(202, "POST", "/v1/dead-letters/retry-all", { body });
  expect((await ends(shop, operation.id)).progress).toEqual({
    matched: 3,
    released: 0,
    skipped: { handled: 3 },
    gone: 0,
    refused: {},
    remaining: 0,
  });
  expect([asked(calls, "/shipments"), asked(calls, "/refunds")]).toEqual([3, 3]);
  for (const id of ids) {
    expect((await shop.journal(id)).map(({ kind }) => kind)).not.toContain("run_redriven");
    const ofActions = (await shop.runs(id)).map(({ action, handled }) => [action, handled]);
    expect(Object.fromEntries(ofActions)).toMatchObject({ ship: true, refund: false });
  }
});

test("by hand it is refused with what was done since, and sent where somebody insists", async () => {
  const { shop, calls } = await refunded(1);
  const [{ id }] = await letters(shop, 1);
  const shown = await shop.must(200, "GET", `/v1/dead-letters/${id}`);
  expect(shown).toMatchObject({
    standing: "handled",
    handled: true,
    handledBy: { event: "action.ship.failed", state: "refunding", at: expect.stringMatching(/Z$/) },
    next: [{ verb: "read" }, { verb: "retry_forced" }, { verb: "archive" }],
  });
  expect(shown.machineReaction.at(-1).says).toMatch(namingPattern("ship"));
  const refused = await shop.must(409, "POST", `/v1/dead-letters/${id}/retry`, { body: {} });
  expect(refused).toMatchObject({
    code: "run_not_startable",
    detail: naming("action.ship.failed", "refunding", "refunded"),
  });
  expect(JSON.stringify(refused)).toContain("force");
  expect(asked(calls, "/shipments")).toBe(1);
  const body = { force: true, reason: "she wants it all the same" };
  const dry = await shop.must(200, "POST", `/v1/dead-letters/${id}/retry?dryRun=true`, { body });
  expect(dry).toMatchObject({ dryRun: true, standing: "sent_again" });
  expect(await shop.must(200, "POST", `/v1/dead-letters/${id}/retry`, { body })).toMatchObject({
    standing: "sent_again",
  });
  await until("the second try", () => (asked(calls, "/shipments") === 2 ? true : null));
  // It has failed again, and its machine is done: now it waits for a person.
  const [again] = await until("one that waits", async () => {
    const { data } = await shop.must(200, "GET", "/v1/dead-letters?handled=false");
    return data.length === 1 ? data : null;
  });
  expect(again).toMatchObject({ id, handled: false });
});

test("a state that waits for the success keeps it waiting for a person, until the machine goes on without", async () => {
  provider(({ url }) => (url.pathname === "/shipments" ? new Response("", { status: 422 }) : Response.json({})));
  const waiting = {
    ...refundedOrder,
    name: "patient-order",
    states: {
      ...refundedOrder.states,
      shipping: { on: { "action.ship.ok": "shipped", "action.ship.failed": "needs_attention" } },
      needs_attention: { on: { "action.ship.ok": "shipped", "order.canceled": "refunding" } },
    },
  };
  const shop = await engine(waiting);
  const execution = await shop.start("patient-order", { variables });
  await letters(shop, 1, "?handled=false");
  const body = { filter: {} };
  const dry = await shop.must(200, "POST", "/v1/dead-letters/retry-all?dryRun=true", { body });
  expect(dry).toMatchObject({
    matching: 1,
    skipped: {},
    sample: { of: 1, outcomes: { sent: 1 }, repeatSafe: { safe: 1, unsafe: 0 } },
  });
  await shop.must(200, "POST", `/v1/executions/${execution}/events`, { body: { type: "order.canceled" } });
  await shop.reaches(execution, "completed");
  expect(await letters(shop, 1, "?handled=true")).toMatchObject([{ actionId: "ship" }]);
});
