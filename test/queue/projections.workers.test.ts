// The consumers of projections: acknowledged when written, tried again later when not, and let go when malformed.
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { expect, it } from "vitest";
import { alertChannelRows } from "#catalog/alert-channels.ts";
import { insertNamed } from "#catalog/named.ts";
import { listAudit } from "#catalog/audit.ts";
import { countDeadLetters } from "#catalog/dead-letters.ts";
import { openDb } from "#catalog/db.ts";
import { findExecution } from "#catalog/executions.ts";
import { listRuns } from "#catalog/runs.ts";
import { consumeDeadProjections } from "#queue/projections-dead.ts";
import { consumeProjections, retryDelaySeconds } from "#queue/projections.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { openRecurring } from "#policy/calendar/recurring.ts";
import { rowOf, type RecurringRow } from "#schema/recurring/row.ts";
import { alertChannel } from "#schema/alert.ts";
import type { Deps } from "#services/deps.ts";
import {
  absentCell,
  auditRow,
  brokenBinding,
  database,
  executionRow,
  newTenant,
  NOW,
  projection,
  runRow,
  world,
} from "#test/support/catalog.ts";

import { specOf } from "#test/support/recurring-trace.ts";

type Consumer = (batch: MessageBatch, deps: Deps) => Promise<void>;

async function consume(consumer: Consumer, deps: Deps, bodies: readonly unknown[], attempts = 1) {
  const messages = bodies.map((body, n) => ({ id: `m${n}`, timestamp: new Date(NOW), attempts, body }));
  const batch = createMessageBatch("projections", messages);
  await consumer(batch, deps);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { acked: explicitAcks, retried: retryMessages };
}

it("what was written is acknowledged", async () => {
  const deps = world();
  const tenant = newTenant();
  const bodies = ["exe_1", "exe_2"].map((id) => projection({ executions: [executionRow({ tenant, id })] }));
  expect(await consume(consumeProjections, deps, bodies)).toEqual({ acked: ["m0", "m1"], retried: [] });
  expect(await findExecution(deps.db, tenant, "exe_2", null)).not.toBeNull();
});

it("with D1 down everything is tried again, after growing waits", async () => {
  const deps = world({ db: openDb(brokenBinding) });
  const body = projection({ executions: [executionRow({ tenant: newTenant() })] });
  expect(await consume(consumeProjections, deps, [body])).toMatchObject({ acked: [], retried: [{ msgId: "m0" }] });
  expect([1, 2, 3, 4, 8, 50].map(retryDelaySeconds)).toEqual([5, 10, 20, 40, 600, 600]);
});

it("a malformed message is let go loudly and does not hold up the others", async () => {
  const deps = world();
  const tenant = newTenant();
  const good = projection({ executions: [executionRow({ tenant })] });
  const { acked, retried } = await consume(consumeProjections, deps, [{ v: 2 }, good, "rubbish"]);
  expect([acked.toSorted(), retried]).toEqual([["m0", "m1", "m2"], []]);
  expect(deps.lines).toMatchObject([
    { level: "error", id: "m0" },
    { level: "error", id: "m2" },
  ]);
});

/** updatedAt must be whole: D1 refuses the row for what is in it. */
function poisoned(tenant: string, id = "exe_bad") {
  return executionRow({ tenant, id, updatedAt: 0.5 });
}

/** A D1 that counts the batches it is given, and refuses each with this, if anything. */
function counting(refusal: string | null) {
  const counted = { batches: 0 };
  const real = database();
  const batch: D1Database["batch"] = (statements) => {
    counted.batches += 1;
    return refusal === null ? real.batch(statements) : Promise.reject(new Error(refusal));
  };
  const binding = { batch, prepare: real.prepare.bind(real) } as unknown as D1Database; // what projections use
  return { counted, db: openDb(binding) };
}

it("a row that D1 refuses holds up neither other messages nor its own message's other rows", async () => {
  const deps = world();
  const tenant = newTenant();
  const ids = Array.from({ length: 9 }, (_, n) => `exe_${n}`);
  const good = ids.map((id) => projection({ executions: [executionRow({ tenant, id })] }));
  const beside = [executionRow({ tenant, id: "exe_beside" }), poisoned(tenant)];
  const mixed = projection({ executions: beside, runs: [runRow({ tenant, execution: "exe_run" })] });
  const { acked, retried } = await consume(consumeProjections, deps, [...good.slice(0, 4), mixed, ...good.slice(4)]);
  expect([acked.length, retried.map(({ msgId }) => msgId)]).toEqual([9, ["m4"]]);
  for (const id of [...ids, "exe_beside"]) expect(await findExecution(deps.db, tenant, id, null)).not.toBeNull();
  expect(await listRuns(deps.db, tenant, "exe_run", {}, null, 9)).toMatchObject({ value: { data: [{ id: "1.1" }] } });
  expect(await findExecution(deps.db, tenant, "exe_bad", null)).toBeNull();
});

it("a row that is refused time and again is dropped with a log line and a row in the audit table", async () => {
  const deps = world();
  const tenant = newTenant();
  const body = projection({ executions: [poisoned(tenant)] });
  for (const attempts of [1, 2, 3])
    expect(await consume(consumeProjections, deps, [body], attempts)).toMatchObject({ acked: [], retried: [{}] });
  expect(await consume(consumeProjections, deps, [body], 4)).toEqual({ acked: ["m0"], retried: [] });
  expect(deps.lines).toMatchObject([{ level: "error", event: "projection_row_refused", dropped: 1 }]);
  expect(await listAudit(deps.db, tenant, {}, null, 9)).toMatchObject({
    value: { data: [{ verb: "catalog.row_dropped", target: "exe_bad", reason: expect.any(String) }] },
  });
});

it.each([
  ["D1 does not answer", "D1_ERROR: Network connection lost."],
  ["a migration is still to come", "D1_ERROR: table runs has no column named incarnation: SQLITE_ERROR"],
])("where %s, a batch stays a batch, however often it has come", async (_what, refusal) => {
  const { counted, db } = counting(refusal);
  const bodies = ["exe_1", "exe_2", "exe_3"].map((id) =>
    projection({ executions: [executionRow({ tenant: newTenant(), id })] }),
  );
  for (const attempts of [1, 4, 8])
    expect((await consume(consumeProjections, world({ db }), bodies, attempts)).retried).toHaveLength(3);
  expect(counted.batches).toBe(3);
});

it("after an outage what has piled up is written together", async () => {
  const { counted, db } = counting(null);
  const bodies = Array.from({ length: 40 }, (_, n) =>
    projection({ executions: [executionRow({ tenant: newTenant(), id: `exe_${n}` })] }),
  );
  expect((await consume(consumeProjections, world({ db }), bodies, 8)).acked).toHaveLength(40);
  expect(counted.batches).toBe(1);
});

it("with everything refused, D1 is not asked for each row", async () => {
  const { counted, db } = counting("D1_ERROR: CHECK constraint failed: SQLITE_CONSTRAINT");
  const executions = Array.from({ length: 1_000 }, (_, n) => executionRow({ tenant: newTenant(), id: `exe_${n}` }));
  const { retried } = await consume(consumeProjections, world({ db }), [projection({ executions })]);
  expect(retried).toHaveLength(1);
  expect(counted.batches).toBeLessThan(150);
});

it("dead projections are told again by their cells, or come back where they were not, and their audit rows are written", async () => {
  const asked: Record<string, readonly string[]> = {};
  const tenant = newTenant();
  const deps = world({
    cell: (name) => ({
      ...absentCell,
      reproject: async (ids) => {
        if (name.endsWith("exe_broken")) throw new Error("overloaded");
        asked[name] = ids;
        return ids.filter((id) => id === "exe_untold_p1");
      },
    }),
  });
  const audit = auditRow({ tenant });
  const bodies = [
    projection({ executions: [executionRow({ tenant })], audit: [audit] }),
    projection({ executions: [executionRow({ tenant, id: "exe_broken" })] }),
    projection({ runs: [runRow({ tenant, execution: "exe_a_p1" }), runRow({ tenant, execution: "exe_b_p1" })] }),
    { v: 9 },
    projection({ runs: [runRow({ tenant, execution: "exe_untold_p1" }), runRow({ tenant, execution: "exe_c_p1" })] }),
  ];
  const { acked, retried } = await consume(consumeDeadProjections, deps, bodies);
  expect([acked.toSorted(), retried.map(({ msgId }) => msgId)]).toEqual([
    ["m0", "m2", "m3"],
    ["m1", "m4"],
  ]);
  const pool = ["exe_a_p1", "exe_b_p1", "exe_untold_p1", "exe_c_p1"];
  expect(asked).toEqual({ [`${tenant}/exe_1`]: ["exe_1"], [`${tenant}/pool/1`]: pool });
  expect(await listAudit(deps.db, tenant, {}, null, 9)).toMatchObject({ value: { data: [audit] } });
});

it("what a dead message says of an execution is written: the one that stands in for it knows nothing of it", async () => {
  const tenant = newTenant();
  const deps = world({ cell: () => ({ ...absentCell, reproject: async () => [] }) });
  const was = executionRow({ tenant, id: "exe_1", seq: 5 });
  const run = runRow({ tenant, execution: "exe_1", attempt: 2, seq: 5, incarnation: was.createdAt });
  const newer = { ...was, seq: 7, status: "canceled", finishedAt: NOW } as const;
  await consume(consumeProjections, deps, [projection({ executions: [newer] })]);
  expect((await consume(consumeDeadProjections, deps, [projection({ executions: [was], runs: [run] })])).acked).toEqual(
    ["m0"],
  );
  expect(await findExecution(deps.db, tenant, "exe_1", null)).toMatchObject({ status: "canceled", seq: 7 });
  const runs = await listRuns(deps.db, tenant, "exe_1", {}, null, 9);
  expect(runs).toMatchObject({ value: { data: [{ id: run.id, attempt: 2 }] } });
});

it("dead audit rows that D1 refuses are dropped like others, and hold up nobody", async () => {
  const tenant = newTenant();
  const deps = world({ cell: () => ({ ...absentCell, reproject: async () => [] }) });
  const good = auditRow({ tenant });
  const bad = auditRow({ tenant, id: "aud_2", at: 0.5 });
  const bodies = [projection({ audit: [bad] }), projection({ audit: [good] })];
  expect((await consume(consumeDeadProjections, deps, bodies)).acked).toEqual(["m1"]);
  expect((await consume(consumeDeadProjections, deps, bodies, 4)).acked.toSorted()).toEqual(["m0", "m1"]);
  expect(deps.lines).toMatchObject([{ event: "projection_row_refused" }]);
});

it("dead rows of audit and of what recurs wait for D1, those of executions do not", async () => {
  const tenant = newTenant();
  const deps = world({ db: openDb(brokenBinding), cell: () => ({ ...absentCell, reproject: async () => [] }) });
  const audit = auditRow({ tenant });
  const bodies = [
    projection({ audit: [audit] }),
    projection({ executions: [executionRow({ tenant })] }),
    projection({ recurring: [recurringOf(tenant)] }),
  ];
  const { acked, retried } = await consume(consumeDeadProjections, deps, bodies);
  expect([acked, retried.map(({ msgId }) => msgId)]).toEqual([["m1"], ["m0", "m2"]]);
});

it("what cannot be told to alert channels brings its message back three times; the rows are written at once", async () => {
  const deps = world({ actionTypes, configFindings, cell: () => ({ ...absentCell, start: refuseToStart }) });
  const tenant = newTenant();
  const channel = { kind: "webhook", config: { url: "https://ops.example.com" } };
  const { name, enabled, ...settings } = alertChannel.parse({ name: "ops", channel });
  const row = { tenant, id: `alc_${tenant}`, createdAt: NOW, updatedAt: NOW, deletedAt: null };
  await insertNamed(
    deps.db,
    alertChannelRows,
    "alertChannels",
    { ...row, name, enabled, settings },
    auditRow({ tenant }),
  );
  const dead = runRow({ tenant, status: "failed", deadLetter: true, priority: 99 });
  const bodies = [projection({ runs: [dead] }), projection({ executions: [executionRow({ tenant })] })];
  for (const attempts of [1, 2, 3]) {
    const { acked, retried } = await consume(consumeProjections, deps, bodies, attempts);
    expect([acked, retried.map(({ msgId }) => msgId)]).toEqual([["m1"], ["m0"]]);
    expect(await countDeadLetters(deps.db, tenant, {})).toBe(1);
  }
  expect((await consume(consumeProjections, deps, bodies, 4)).acked.toSorted()).toEqual(["m0", "m1"]);
  expect(deps.lines.filter(({ event }) => event === "alerts_given_up")).toMatchObject([
    { level: "error", failures: [{ tenant, severity: "critical" }] },
  ]);
});

function recurringOf(tenant: string): RecurringRow {
  const terms = { tenant, id: "rec_1", fingerprint: "f", spec: specOf(), createdAt: NOW, enabled: true };
  const opened = openRecurring(terms, NOW);
  if (!opened.ok) throw new Error(opened.refusal.message);
  return rowOf(opened.value);
}

async function refuseToStart(): Promise<never> {
  throw Object.assign(new Error("moved"), { retryable: true });
}
