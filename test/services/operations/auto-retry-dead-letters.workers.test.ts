// Automatic retry after an outage: starts one operation, starts none, or asks to try later.
import { expect, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { OPERATIONS_RUNNING_MAX } from "#schema/limits/upkeep/bulk-operations.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { autoRetryDeadLetters } from "#services/operations/auto-retry-dead-letters.ts";
import { abortOperation } from "#policy/operations/pace.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { catalog, NOW, projection, runRow } from "#test/support/catalog.ts";
import { naming } from "#test/support/matchers/naming.ts";

const since = NOW - 10_000;

async function here(selfHeal?: object) {
  const made = api();
  const owner = await tenantWithKey(made);
  const { tenant } = owner;
  const body = {
    name: "crm",
    provider: "http",
    baseUrl: "https://crm.example.com",
    breaker: {},
    ...(selfHeal ? { selfHeal } : {}),
  };
  const { id: connection } = (await must(201, made.ask("POST", "/v1/connections", { key: owner.key, body }))).body;
  const fail = (...rows: Partial<RunRow>[]) =>
    applyProjections(catalog(), [
      projection({
        runs: rows.map((row, n) =>
          runRow({
            tenant,
            execution: `exe_${n}`,
            id: "1.0",
            status: "failed",
            deadLetter: true,
            connection,
            errorType: "service_unavailable",
            finishedAt: since + n,
            ...row,
          }),
        ),
      }),
    ]);
  const { world, operations } = made;
  const heal = (last: { operation: string; since: number } | null = null, at = since) =>
    autoRetryDeadLetters(
      { ...world, operation: (name) => operations.operation(name) },
      { tenant, connection, since: at, last },
    );
  const terms = (operation: string) => operations.states.get(`${tenant}/${operation}`)?.terms;
  return { ...made, ...owner, connection, fail, heal, terms };
}

test("retries all dead letters of the outage if the connection's settings ask for it, and no others", async () => {
  const { fail, heal, terms, operations, connection } = await here({ times: 2, perSecond: 7 });
  await fail(
    ...[{}, { errorType: "timeout" }, { selfHeal: true }],
    ...[{ selfHeal: false }, { errorType: "not_found" }, { connection: "con_other" }, { connection: null }],
    ...[{ handled: true }, { finishedAt: since - 1 }, { deadLetter: false }],
  );
  const answer = await heal();
  expect(answer).toMatchObject({ kind: "begun", since });
  if (answer.kind !== "begun") throw new Error("nothing was begun");
  expect(terms(answer.operation)).toMatchObject({
    verb: "retry",
    matched: 3,
    perSecond: 7,
    heal: { connection, times: 2 },
    reason: naming("crm"),
    actor: { kind: "engine", id: "self-heal" },
  });
  // An answer that was lost is the same operation.
  expect(await heal()).toEqual(answer);
  expect(operations.states.size).toBe(1);
});

test("retries only the actions that ask for it if the connection's settings do not", async () => {
  const { fail, heal, terms } = await here();
  await fail({}, { selfHeal: true }, { selfHeal: false });
  const answer = await heal();
  if (answer.kind !== "begun") throw new Error("nothing was begun");
  expect(terms(answer.operation)).toMatchObject({ matched: 1, perSecond: 5, heal: { times: null } });
});

test("starts nothing without dead letters, or without the connection", async () => {
  const { fail, heal, ask, key, operations } = await here({});
  expect(await heal()).toEqual({ kind: "nothing" });
  await fail({});
  await must(200, ask("DELETE", "/v1/connections/crm", { key }));
  expect(await heal()).toEqual({ kind: "nothing" });
  expect(operations.states.size).toBe(0);
});

test("waits while the operation before runs, and includes what it left over", async () => {
  const { fail, heal, tenant, operations, terms } = await here({});
  await fail({}, {});
  const first = await heal();
  if (first.kind !== "begun") throw new Error("nothing was begun");
  const last = { operation: first.operation, since };
  expect(await heal(last, NOW)).toEqual({ kind: "busy" });
  const at = `${tenant}/${first.operation}`;
  const state = operations.states.get(at);
  if (state === undefined) throw new Error("it has no object");
  operations.states.set(at, {
    ...state,
    status: "stopped",
    stopped: { why: "away", failed: 0, of: 0 },
    finishedAt: NOW,
  });
  const next = await heal(last, NOW - 1);
  expect(next).toMatchObject({ kind: "begun", since });
  if (next.kind !== "begun") throw new Error("nothing was begun");
  expect(terms(next.operation)).toMatchObject({ matched: 2, filter: { failedAfter: since } });
  // What a person has ended stays so.
  operations.states.set(at, abortOperation(state, { actor: { kind: "key", id: "key_1" }, reason: null }, NOW));
  expect(await heal(last, NOW - 2)).toEqual({ kind: "nothing" });
});

test("waits while too many operations run; an operation begun with other settings counts as begun", async () => {
  const { fail, heal, ask, key } = await here({});
  await fail({});
  for (let n = 0; n < OPERATIONS_RUNNING_MAX; n++)
    await must(202, ask("POST", "/v1/operations", { key, body: { verb: "pause", filter: {} } }));
  expect(await heal()).toEqual({ kind: "busy" });
  const { body } = await must(200, ask("GET", "/v1/operations?limit=1", { key }));
  await must(200, ask("POST", `/v1/operations/${body.data[0].id}/abort`, { key }));
  expect(await heal()).toEqual({ kind: "busy" });
});
