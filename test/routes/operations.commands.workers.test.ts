// Operations over many executions, over HTTP: starting, progress, and refused requests.
import { expect, onTestFinished, test, vi } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { COMMANDED_EXECUTIONS_MAX, COMMAND_BYTES_MAX } from "#schema/limits/upkeep/bulk-operations.ts";
import * as counting from "#catalog/operation-executions.ts";
import { recordOperationEnd } from "#services/operations/operations.ts";
import { findOperationExecutions } from "#services/operations/operation-lookups.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { catalog, executionRow, NOW, projection } from "#test/support/catalog.ts";
import { viewOperation } from "#policy/operations/pace.ts";

async function here() {
  const made = api();
  const owner = await tenantWithKey(made);
  const ask = (body: unknown, { query = "", headers = {} } = {}) =>
    made.ask("POST", `/v1/operations${query}`, { key: owner.key, headers, body });
  const read = (path: string) => made.ask("GET", path, { key: owner.key });
  const list = (count: number) =>
    applyProjections(catalog(), [
      projection({
        executions: Array.from({ length: count }, (_, n) =>
          executionRow({
            tenant: owner.tenant,
            id: `exe_${n}`,
            createdAt: NOW - 9 + n,
            status: "waiting",
            finishedAt: null,
          }),
        ),
      }),
    ]);
  return { ...made, ...owner, ask, read, list };
}

test("the response shows the verb, the filter, the rate and the stop condition", async () => {
  const { ask, read, list, tenant, operations, world } = await here();
  await list(3);
  const filter = { definition: "order", createdBefore: "2027-01-01T00:00:00+02:00", status: "waiting" };
  const body = {
    verb: "patch",
    variables: { list: 2027 },
    filter,
    perSecond: 2,
    stopAt: { failedShare: 0, states: ["bad"] },
  };
  const begun = await must(202, ask({ ...body, reason: "new prices" }));
  const { id } = begun.body.operation;
  expect(begun.body).toMatchObject({
    repeated: false,
    dryRun: false,
    operation: {
      of: "executions",
      verb: "patch",
      asks: { variables: { list: 2027 } },
      status: "running",
      perSecond: 2,
      filter: { definition: "order", status: "waiting", createdBefore: "2026-12-31T22:00:00.000Z" },
      stopAt: { failedShare: 0, after: 20, states: ["bad"] },
      stopped: null,
      progress: { matched: 3, remaining: 3 },
    },
  });
  const state = operations.states.get(`${tenant}/${id}`);
  if (state === undefined) throw new Error("it has no object");
  const found = await findOperationExecutions(world, state.terms, null);
  expect(found).toEqual({ found: [0, 1, 2].map((n) => [`exe_${n}`, NOW - 9 + n]), cursor: null });
  const listed = await must(200, read("/v1/operations?verb=patch"));
  expect(listed.body.data).toMatchObject([{ id, verb: "patch", of: "executions" }]);
  expect((await must(200, read("/v1/operations?verb=retry"))).body.data).toEqual([]);
  // A stopped operation, read from the catalog after its object has deleted its state.
  const stopped = {
    ...state,
    status: "stopped",
    finishedAt: NOW + 5,
    stopped: { why: "refused", failed: 2, of: 3 },
  } as const;
  await recordOperationEnd(world, viewOperation(stopped, NOW));
  operations.states.delete(`${tenant}/${id}`);
  const later = await must(200, read(`/v1/operations/${id}`));
  expect(later.body).toMatchObject({
    status: "stopped",
    stopped: { why: "refused", failed: 2, of: 3 },
    stopAt: { failedShare: 0 },
    verb: "patch",
    asks: { variables: { list: 2027 } },
    finishedAt: new Date(NOW + 5).toISOString(),
  });
});

test("executions created after the start do not match", async () => {
  const { ask, list } = await here();
  await list(12);
  const dry = await must(200, ask({ verb: "pause", filter: {} }, { query: "?dryRun=true" }));
  expect(dry.body).toMatchObject({ matching: 9, byStatus: { waiting: 9 }, byDefinition: { "order@1": 9 } });
});

test("a repeat returns the same operation, also after its object has deleted its state; another body is refused", async () => {
  const { ask, tenant, operations, world } = await here();
  const headers = { "Idempotency-Key": "all" };
  const body = { verb: "event", event: { type: "go", payload: 1 }, filter: { definition: "order" } };
  const { id } = (await must(202, ask(body, { headers }))).body.operation;
  expect((await must(202, ask(body, { headers }))).body).toMatchObject({ repeated: true, operation: { id } });
  const other = { ...body, event: { type: "go", payload: 2 } };
  expect((await must(422, ask(other, { headers }))).body.code).toBe("idempotency_conflict");
  const state = operations.states.get(`${tenant}/${id}`);
  if (state === undefined) throw new Error("it has no object");
  await recordOperationEnd(world, viewOperation({ ...state, status: "done", finishedAt: NOW + 5 }, NOW));
  operations.states.delete(`${tenant}/${id}`);
  expect((await must(202, ask(body, { headers }))).body).toMatchObject({
    repeated: true,
    operation: { status: "done" },
  });
  expect((await must(422, ask(other, { headers }))).body.code).toBe("idempotency_conflict");
  expect(operations.states.size).toBe(0);
});

test.each<[string, object, string]>([
  ["an unknown verb", { verb: "explode", filter: {} }, "/verb"],
  ["no filter", { verb: "pause" }, "/filter"],
  ["an unknown field of the filter", { verb: "pause", filter: { stat: "open" } }, "/filter/stat"],
  ["a field of another verb", { verb: "pause", filter: {}, variables: {} }, "/variables"],
  ["a patch without variables", { verb: "patch", filter: {} }, "/variables"],
  ["an event of the engine's own", { verb: "event", event: { type: "task_completed" }, filter: {} }, "/event/type"],
  [
    "nothing between two instants",
    { verb: "pause", filter: { createdAfter: "2027-01-01T00:00:00Z", createdBefore: "2026-01-01T00:00:00Z" } },
    "/filter/createdAfter",
  ],
  ["neither a node nor an action", { verb: "skip", filter: {} }, ""],
  [
    "a timer and an action",
    { verb: "reschedule", timer: "t", action: "a", at: "2099-01-01T00:00:00Z", filter: {} },
    "",
  ],
  ["an instant that is past", { verb: "reschedule", action: "a", at: "2001-01-01T00:00:00Z", filter: {} }, "/at"],
  ["no action", { verb: "hold", filter: {} }, "/action"],
  ["an unknown mode", { verb: "desire", desired: {}, mode: "maybe", filter: {} }, "/mode"],
  ["a share above 1", { verb: "pause", filter: {}, stopAt: { failedShare: 2 } }, "/stopAt/failedShare"],
  ["a rate above the limit", { verb: "pause", filter: {}, perSecond: 501 }, "/perSecond"],
])("refused with the field: %s", async (_what, body, pointer) => {
  const { ask, operations } = await here();
  const refused = await must(400, ask(body));
  expect(refused.body.errors.map((each: { pointer: string }) => each.pointer)).toContain(pointer);
  expect(operations.states.size).toBe(0);
});

test("the verb's payload and the number of executions are limited", async () => {
  const { ask, operations } = await here();
  const payload = "x".repeat(COMMAND_BYTES_MAX);
  const wide = await must(422, ask({ verb: "event", event: { type: "go", payload }, filter: {} }));
  expect(wide.body).toMatchObject({
    code: "limit_exceeded",
    details: { field: "operation", limit: COMMAND_BYTES_MAX },
  });
  await must(422, ask({ verb: "event", event: { type: "go", payload }, filter: {} }, { query: "?dryRun=true" }));
  const one = { definition: "order", version: 1, status: "waiting", oldest: 0, newest: 1 } as const;
  const spy = vi
    .spyOn(counting, "countMatchingExecutions")
    .mockResolvedValue([{ ...one, count: COMMANDED_EXECUTIONS_MAX + 1 }]);
  onTestFinished(() => spy.mockRestore());
  const many = await must(422, ask({ verb: "pause", filter: {} }));
  expect(many.body).toMatchObject({
    code: "limit_exceeded",
    details: { field: "filter", size: COMMANDED_EXECUTIONS_MAX + 1 },
  });
  expect(operations.states.size).toBe(0);
});
