// Operations over many dead letters, over HTTP: preview, start, progress, abort, and refused requests.
import { describe, expect, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { storeOperation, listOperations, purgeOperations } from "#catalog/operations.ts";
import { abortOperation, advance, addPage } from "#policy/operations/pace.ts";
import { OPERATIONS_RUNNING_MAX } from "#schema/limits/upkeep/bulk-operations.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { recordOperationEnd } from "#services/operations/operations.ts";
import { listOperationDeadLetters } from "#services/operations/operation-lookups.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { catalog, NOW, projection, runRow } from "#test/support/catalog.ts";
import { naming } from "#test/support/matchers/naming.ts";

const iso = (at: number) => new Date(at).toISOString();

async function here() {
  const made = api();
  const owner = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    made.ask(method, path, { key: owner.key, headers, ...(body === undefined ? {} : { body }) });
  const fail = (...rows: Partial<RunRow>[]) =>
    applyProjections(catalog(), [
      projection({
        runs: rows.map((row, n) =>
          runRow({
            tenant: owner.tenant,
            execution: `exe_${n}`,
            id: "1.0",
            status: "failed",
            deadLetter: true,
            errorType: "service_unavailable",
            finishedAt: NOW - 1_000 + n,
            ...row,
          }),
        ),
      }),
    ]);
  return { ...made, ...owner, ask, fail };
}

const RETRY = "/v1/dead-letters/retry-all";
const ARCHIVE = "/v1/dead-letters/archive-all";

describe("a preview", () => {
  test("returns the number of matches, their ages and the expected duration, and changes nothing", async () => {
    const { ask, fail, tenant, operations } = await here();
    await fail({}, {}, { errorType: "timeout" }, { errorType: null, definition: "other" }, { finishedAt: NOW + 5 });
    const dry = await must(200, ask("POST", `${RETRY}?dryRun=true`, { filter: {}, perSecond: 3 }));
    expect(dry.body).toEqual({
      dryRun: true,
      matching: 4,
      estimatedSeconds: 2,
      oldest: iso(NOW - 1_000),
      newest: iso(NOW - 997),
      byErrorType: { service_unavailable: 2, timeout: 1, unknown_error: 1 },
      skipped: {},
      sample: expect.objectContaining({ of: 4, outcomes: { gone: 4 }, reasons: { history_gone: 4 } }),
    });
    const some = { definition: "order", failedAfter: iso(NOW - 999), failedBefore: iso(NOW - 998) };
    const few = await must(200, ask("POST", `${ARCHIVE}?dryRun=true`, { filter: some }));
    expect(few.body).toMatchObject({ matching: 1, byErrorType: { service_unavailable: 1 }, sample: null });
    const none = await must(200, ask("POST", `${RETRY}?dryRun=true`, { filter: { errorCode: "x" } }));
    expect(none.body).toMatchObject({ matching: 0, estimatedSeconds: 0, oldest: null, newest: null, byErrorType: {} });
    expect(operations.states.size).toBe(0);
    const list = await listOperations(catalog(), tenant, {}, null, 10);
    expect(list).toMatchObject({ value: { data: [] } });
  });
});

describe("dead letters that the definition handled", () => {
  test("are counted and skipped; an archive with `handled: true` has only them", async () => {
    const { ask, fail, tenant, operations, world } = await here();
    await fail({}, { handled: true }, { handled: true }, {});
    const dry = await must(200, ask("POST", `${RETRY}?dryRun=true`, { filter: {} }));
    expect(dry.body).toMatchObject({ matching: 2, skipped: { handled: 2 }, sample: { of: 4 } });
    const ids = async (path: string, filter: object) => {
      const { body } = await must(202, ask("POST", path, { filter }));
      const state = operations.states.get(`${tenant}/${body.operation.id}`);
      if (state === undefined) throw new Error("it has no object");
      return [body.operation.progress, (await listOperationDeadLetters(world, state.terms, null)).ids];
    };
    const matched = { matched: 4, skipped: { handled: 2 }, remaining: 2 };
    expect(await ids(RETRY, {})).toMatchObject([matched, ["dl_0.1.0", "dl_3.1.0"]]);
    expect(await ids(ARCHIVE, {})).toMatchObject([matched, ["dl_0.1.0", "dl_3.1.0"]]);
    const only = { matched: 2, skipped: {}, remaining: 2 };
    expect(await ids(ARCHIVE, { handled: true })).toMatchObject([only, ["dl_1.1.0", "dl_2.1.0"]]);
    const refused = await must(400, ask("POST", RETRY, { filter: { handled: true } }));
    expect(refused.body.errors[0]).toMatchObject({ pointer: "/filter/handled" });
  });
});

describe("an operation", () => {
  test("starts, is listed, and shows its progress", async () => {
    const { ask, fail, tenant, operations, world } = await here();
    await fail({}, {}, {});
    const filter = { failedAfter: "2026-11-18T13:00:00+02:00", errorType: "service_unavailable" };
    const begun = await must(202, ask("POST", RETRY, { filter, reason: "it is back" }));
    const { id } = begun.body.operation;
    expect(begun.body).toMatchObject({
      repeated: false,
      dryRun: false,
      operation: {
        id: expect.stringMatching(/^op_/),
        verb: "retry",
        status: "running",
        perSecond: 20,
        reason: "it is back",
        filter: { errorType: "service_unavailable", failedAfter: "2026-11-18T11:00:00.000Z" },
        finishedAt: null,
        estimatedEndAt: iso(NOW + 150),
        trouble: null,
        progress: { matched: 3, released: 0, skipped: {}, gone: 0, refused: {}, remaining: 3 },
      },
    });
    const at = `${tenant}/${id}`;
    const state = operations.states.get(at);
    if (state === undefined) throw new Error("it has no object");
    const page = await listOperationDeadLetters(world, state.terms, null);
    expect(page).toEqual({ ids: ["dl_0.1.0", "dl_1.1.0", "dl_2.1.0"], cursor: null });
    const first = { id: "dl_0.1.0", kind: "released" } as const;
    operations.states.set(at, advance(addPage(state, page, NOW), [first], NOW));
    const read = await must(200, ask("GET", `/v1/operations/${id}`));
    expect(read.body).toMatchObject({ status: "running", progress: { released: 1, remaining: 2 } });
    const list = await must(200, ask("GET", "/v1/operations?verb=retry&status=running"));
    expect(list.body).toEqual({ data: [read.body], nextCursor: null });
    const audit = await must(200, ask("GET", `/v1/audit?target=${id}`));
    expect(audit.body.data).toMatchObject([{ verb: "dead_letters.retry_all", reason: "it is back" }]);
  });

  test("is read from the catalog after its object has deleted its state", async () => {
    const { ask, tenant, operations, world } = await here();
    const { body } = await must(202, ask("POST", ARCHIVE, { filter: {} }));
    const { id } = body.operation;
    expect(body.operation).toMatchObject({ verb: "archive", perSecond: 200 });
    const state = operations.states.get(`${tenant}/${id}`);
    if (state === undefined) throw new Error("it has no object");
    const by = { actor: { kind: "key", id: "key_2" }, reason: "a mistake" } as const;
    operations.states.set(`${tenant}/${id}`, abortOperation(state, by, NOW + 5));
    const view = await must(200, ask("GET", `/v1/operations/${id}`));
    const { terms, counts } = state;
    const end = { ...terms, status: "aborted", finishedAt: NOW + 5, counts, remaining: 0 } as const;
    for (let n = 0; n < 2; n++)
      await recordOperationEnd(world, { ...end, estimatedEndAt: null, trouble: null, aborted: by });
    operations.states.delete(`${tenant}/${id}`);
    const later = await must(200, ask("GET", `/v1/operations/${id}`));
    expect(later.body).toEqual(view.body);
    expect((await must(200, ask("GET", "/v1/operations?status=aborted"))).body.data).toEqual([later.body]);
    const refused = await must(409, ask("POST", `/v1/operations/${id}/abort`, {}));
    expect(refused.body.code).toBe("operation_final");
    const audit = await must(200, ask("GET", `/v1/audit?target=${id}`));
    expect(audit.body.data).toMatchObject([
      { verb: "operation.abort", reason: "a mistake", actor: "key:key_2" },
      { verb: "dead_letters.archive_all" },
    ]);
  });

  test("is aborted once; a dry run of the abort changes nothing", async () => {
    const { ask } = await here();
    const { body } = await must(202, ask("POST", RETRY, { filter: {}, perSecond: 1 }));
    const path = `/v1/operations/${body.operation.id}/abort`;
    const dry = await must(200, ask("POST", `${path}?dryRun=true`, { reason: "enough" }));
    expect(dry.body).toMatchObject({ dryRun: true, repeated: false, operation: { status: "aborted" } });
    const read = async () => (await must(200, ask("GET", `/v1/operations/${body.operation.id}`))).body.status;
    expect(await read()).toBe("running");
    const done = await must(200, ask("POST", path, { reason: "enough" }));
    expect(done.body).toMatchObject({ dryRun: false, repeated: false, operation: { status: "aborted" } });
    expect(await read()).toBe("aborted");
    expect((await must(200, ask("POST", path))).body.repeated).toBe(true);
  });

  test("a repeat returns the same operation; another body is refused", async () => {
    const { ask, operations } = await here();
    const headers = { "Idempotency-Key": "all-1" };
    const begun = await must(202, ask("POST", RETRY, { filter: { definition: "a", type: "email" } }, headers));
    const again = await must(202, ask("POST", RETRY, { filter: { type: "email", definition: "a" } }, headers));
    expect(again.body).toEqual({ ...begun.body, repeated: true });
    expect(operations.states.size).toBe(1);
    const other = await must(422, ask("POST", RETRY, { filter: {} }, headers));
    expect(other.body.code).toBe("idempotency_conflict");
    await must(422, ask("POST", ARCHIVE, { filter: { definition: "a", type: "email" } }, headers));
    const unkeyed = await must(202, ask("POST", RETRY, { filter: {} }));
    expect(unkeyed.body.operation.id).not.toBe(begun.body.operation.id);
  });

  test("a repeat after its object has deleted its state returns the outcome and starts nothing", async () => {
    const { ask, tenant, operations, world } = await here();
    const headers = { "Idempotency-Key": "all-2" };
    const filter = { definition: "a" };
    const { body } = await must(202, ask("POST", RETRY, { filter, reason: "it is back" }, headers));
    const at = `${tenant}/${body.operation.id}`;
    const state = operations.states.get(at);
    if (state === undefined) throw new Error("it has no object");
    const end = { ...state.terms, status: "done", finishedAt: NOW + 5, counts: state.counts, remaining: 0 } as const;
    await recordOperationEnd(world, { ...end, estimatedEndAt: null, trouble: null, aborted: null });
    operations.states.delete(at);
    const again = await must(202, ask("POST", RETRY, { filter, reason: "it is back" }, headers));
    expect(again.body).toMatchObject({
      repeated: true,
      operation: { id: body.operation.id, status: "done", finishedAt: iso(NOW + 5) },
    });
    const other = await must(422, ask("POST", RETRY, { filter }, headers));
    expect(other.body.code).toBe("idempotency_conflict");
    expect(operations.states.size).toBe(0);
  });

  test("starts even if the catalog cannot list it", async () => {
    const { ask, world } = await here();
    const { db } = world;
    const batch = db.batch.bind(db);
    Object.assign(db, { batch: () => Promise.reject(new Error("D1_ERROR: Network connection lost.")) });
    const begun = await must(202, ask("POST", RETRY, { filter: {} }));
    Object.assign(db, { batch });
    const { id } = begun.body.operation;
    expect(world.lines).toContainEqual(expect.objectContaining({ event: "operation_not_listed", operation: id }));
    await must(200, ask("GET", `/v1/operations/${id}`));
  });

  test("is purged after the tenant's retention; a running one is not", async () => {
    const { tenant } = await here();
    const row = { tenant, verb: "retry", filter: {}, perSecond: 1, reason: null, actor: "key:k" } as const;
    const counts = { matched: 0, released: 0, skipped: {}, gone: 0, refused: {}, remaining: 0 };
    const begun = { ...row, createdAt: 1, counts, asked: null, stopped: null };
    await storeOperation(catalog(), { ...begun, id: "op_old", finishedAt: 2, status: "done" }, []);
    await storeOperation(catalog(), { ...begun, id: "op_new", finishedAt: NOW, status: "done" }, []);
    await storeOperation(catalog(), { ...begun, id: "op_runs", finishedAt: null, status: "running" }, []);
    expect(await purgeOperations(catalog(), NOW, 10)).toBe(1);
    const left = await listOperations(catalog(), tenant, {}, null, 1);
    if (!left.ok) throw new Error("the list is refused");
    const rest = await listOperations(catalog(), tenant, {}, left.value.nextCursor, 1);
    expect([left, rest]).toMatchObject([
      { value: { data: [{ id: "op_runs" }] } },
      { value: { data: [{ id: "op_new" }] } },
    ]);
  });
});

test("concurrent operations are limited; a repeat of a running one is answered", async () => {
  const { ask, tenant, fail, operations } = await here();
  await fail({});
  const keyed = { "Idempotency-Key": "first" };
  const { id } = (await must(202, ask("POST", RETRY, { filter: {} }, keyed))).body.operation;
  for (let n = 1; n < OPERATIONS_RUNNING_MAX; n++) await must(202, ask("POST", ARCHIVE, { filter: {} }));
  const refused = await must(422, ask("POST", RETRY, { filter: {} }));
  expect(refused.body).toMatchObject({ code: "limit_exceeded", details: { limit: OPERATIONS_RUNNING_MAX } });
  expect(operations.states.size).toBe(OPERATIONS_RUNNING_MAX);
  const again = await must(202, ask("POST", RETRY, { filter: {} }, keyed));
  expect(again.body).toMatchObject({ repeated: true, operation: { id } });
  await must(202, (await here()).ask("POST", RETRY, { filter: {} }));
  const view = await operations.operation(`${tenant}/${id}`).read();
  if (view !== null) await recordOperationEnd({ db: catalog() }, { ...view, status: "done", finishedAt: NOW });
  await must(202, ask("POST", RETRY, { filter: {} }));
});

describe("an invalid request", () => {
  test.each<[string, unknown, object]>([
    ["no filter", {}, { pointer: "/filter", code: "required" }],
    ["a typo", { filter: { definitoin: "a" } }, { pointer: "/filter/definitoin", hint: naming("definition") }],
    ["an invalid instant", { filter: { failedBefore: "yesterday" } }, { pointer: "/filter/failedBefore" }],
    [
      "a window without room",
      { filter: { failedAfter: "2026-11-18T10:00:00Z", failedBefore: "2026-11-18T10:00:00Z" } },
      { pointer: "/filter/failedAfter", message: naming("failedBefore") },
    ],
    ["too fast", { filter: {}, perSecond: 501 }, { pointer: "/perSecond" }],
    ["a fraction per second", { filter: {}, perSecond: 0.5 }, { pointer: "/perSecond" }],
    ["a rate of zero", { filter: {}, perSecond: 0 }, { pointer: "/perSecond" }],
    ["an unknown field", { filter: {}, persecond: 5 }, { pointer: "/persecond", hint: naming("perSecond") }],
  ])("%s is refused with the field and the fix", async (_what, body, finding) => {
    const { ask, operations } = await here();
    const refused = await must(400, ask("POST", RETRY, body));
    expect(refused.body.errors).toMatchObject([finding]);
    await must(400, ask("POST", `${RETRY}?dryRun=true`, body));
    expect(operations.states.size).toBe(0);
  });

  test("an archive refuses perSecond", async () => {
    const { ask } = await here();
    const refused = await must(400, ask("POST", ARCHIVE, { filter: {}, perSecond: 5 }));
    expect(refused.body.errors).toMatchObject([{ pointer: "/perSecond", code: "unknown_field" }]);
  });

  test("a missing operation is 404; a list refuses unknown parameters", async () => {
    const { ask } = await here();
    await must(404, ask("GET", "/v1/operations/op_none"));
    await must(404, ask("POST", "/v1/operations/op_none/abort", {}));
    await must(400, ask("GET", "/v1/operations?status=finished"));
    expect((await must(400, ask("GET", "/v1/operations?verbs=retry"))).body.errors).toMatchObject([
      { pointer: "?verbs" },
    ]);
  });
});
