// Tests projections: their cost in written rows, and that repeated, late or unrelated messages change nothing.
import { describe, expect, it } from "vitest";
import { listAudit } from "#catalog/audit.ts";
import { listExecutions } from "#catalog/executions/list-executions.ts";
import { findExecution, noteChecks, overdueExecutions } from "#catalog/executions.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { listRuns } from "#catalog/runs.ts";
import type { ExecutionRow, ProjectionMessage } from "#schema/engine/projection.ts";
import { auditRow, catalog, executionRow, newTenant, NOW, projection, runRow } from "#test/support/catalog.ts";

const db = catalog();

async function listed(tenant: string): Promise<readonly ExecutionRow[]> {
  const page = await listExecutions(db, tenant, {}, null, 200);
  if (!page.ok) throw new Error(page.refusal.message);
  return page.value.data;
}

function finishedWithThreeRuns(tenant: string) {
  const runs = ["1.1", "2.1", "3.1"].map((id, n) => runRow({ tenant, id, seq: n + 1, costEstimate: 0.25, version: 1 }));
  return projection({ executions: [executionRow({ tenant, seq: 4 })], runs });
}

/** Returns the statements that the batch of these messages executes. */
async function statementsOf(messages: readonly ProjectionMessage[]): Promise<readonly string[]> {
  const asked: string[] = [];
  const prepare = (query: string): D1PreparedStatement => {
    asked.push(query);
    return db.$client.prepare(query);
  };
  const batch = (all: D1PreparedStatement[]) => db.$client.batch(all);
  await applyProjections({ $client: { prepare, batch } } as unknown as typeof db, messages); // the function uses only these two methods
  return asked;
}

describe("the statements of a batch", () => {
  const failed = { status: "failed", errorType: "timeout", error: "too late" } as const;
  const messages = (tenant: string) => [
    finishedWithThreeRuns(tenant),
    projection({ runs: [runRow({ tenant, id: "9.1", ...failed })], audit: [auditRow({ tenant })] }),
  ];

  it("extract each row from the JSON list once, however many columns it has", async () => {
    const asked = await statementsOf(messages(newTenant()));
    expect(asked).toHaveLength(5);
    for (const query of asked) {
      const { results } = await db.$client.prepare(`EXPLAIN QUERY PLAN ${query}`).bind("[]").all<{ detail: string }>();
      expect(results.map(({ detail }) => detail)).toContain("MATERIALIZE sent");
      expect(query.split("FROM json_each(?1)")).toHaveLength(2);
    }
  });

  it("count errors only if the batch has failed runs", async () => {
    const [whole] = messages(newTenant());
    const asked = await statementsOf(whole ? [whole] : []);
    expect(asked).toHaveLength(3);
    expect(asked.join()).not.toContain("run_day_errors");
  });
});

describe("the cost in rows written", () => {
  it("is four for a finished execution with three runs, plus one for the figures", async () => {
    expect(await applyProjections(db, [finishedWithThreeRuns(newTenant())])).toEqual({ rowsWritten: 4 + 1 });
  });

  it("is zero for a repeated message", async () => {
    const message = finishedWithThreeRuns(newTenant());
    await applyProjections(db, [message]);
    expect(await applyProjections(db, [message, message])).toEqual({ rowsWritten: 0 });
  });

  it("is zero for a late message", async () => {
    const tenant = newTenant();
    await applyProjections(db, [finishedWithThreeRuns(tenant)]);
    const late = executionRow({ tenant, seq: 2, status: "waiting", finishedAt: null, wakeAt: NOW + 1 });
    expect(await applyProjections(db, [projection({ executions: [late] })])).toEqual({ rowsWritten: 0 });
    expect(await listed(tenant)).toEqual([executionRow({ tenant, seq: 4 })]);
  });

  it("counts only the newest of several versions of a row in one batch", async () => {
    const tenant = newTenant();
    const versions = [3, 1, 5, 2].map((seq) => projection({ executions: [executionRow({ tenant, seq })] }));
    expect(await applyProjections(db, versions)).toEqual({ rowsWritten: 1 + 1 });
    expect((await listed(tenant)).map(({ seq }) => seq)).toEqual([5]);
  });

  it("is three while an execution waits for a timer, plus the cost of its end, and one each for the figures of both", async () => {
    const tenant = newTenant();
    const waiting = executionRow({ tenant, status: "waiting", finishedAt: null, wakeAt: NOW + 1_000 });
    const steps = [waiting, { ...waiting, seq: 2, wakeAt: NOW + 2_000 }, executionRow({ tenant, seq: 3 })];
    const written: number[] = [];
    for (const row of steps)
      written.push((await applyProjections(db, [projection({ executions: [row] })])).rowsWritten);
    expect(written).toEqual([3 + 1, 3, 1 + 1]);
  });

  it("adds one for a dead letter, two if it waits for an operator, two for day and type, and one for a repeated audit row", async () => {
    const tenant = newTenant();
    const dead = runRow({ tenant, status: "failed", deadLetter: true, errorType: "timeout", error: "late" });
    expect(await applyProjections(db, [projection({ runs: [dead] })])).toEqual({ rowsWritten: 3 + 2 });
    const handled = { ...dead, id: "2.0", handled: true };
    expect(await applyProjections(db, [projection({ runs: [handled] })])).toEqual({ rowsWritten: 2 + 2 });
    const row = auditRow({ tenant });
    expect(await applyProjections(db, [projection({ audit: [row, row] })])).toEqual({ rowsWritten: 1 });
    const page = await listAudit(db, tenant, {}, null, 10);
    expect(page).toEqual({ ok: true, value: { data: [{ ...row, person: null }], nextCursor: null } });
  });
});

describe("projected rows", () => {
  it("are read back with every field as sent", async () => {
    const tenant = newTenant();
    const execution = executionRow({
      tenant,
      status: "failed",
      states: ["a.b", "c'\"é"],
      correlationId: "o-17",
      wakeAt: NOW + 5,
      reason: "r",
      error: "e",
      placement: "pooled",
    });
    const run = runRow({ tenant, deadLetter: true, dueAt: NOW, errorType: "timeout", error: "é", costEstimate: 0.1 });
    await applyProjections(db, [projection({ executions: [execution], runs: [run] })]);
    expect(await listed(tenant)).toEqual([execution]);
    const runs = await listRuns(db, tenant, "exe_1", {}, null, 10);
    expect(runs).toEqual({ ok: true, value: { data: [run], nextCursor: null } });
  });

  it("are the same in whatever order the messages arrive", async () => {
    const rows = [1, 2, 3].map((seq) => ({ seq, states: [`s${seq}`] }));
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
      [0, 0, 2, 1, 1],
    ];
    for (const order of orders) {
      const tenant = newTenant();
      for (const n of order) {
        await applyProjections(db, [projection({ executions: [executionRow({ tenant, ...rows[n] })] })]);
      }
      expect((await listed(tenant)).map(({ states }) => states)).toEqual([["s3"]]);
    }
  });

  it("may exceed the size of one bound parameter", async () => {
    const tenant = newTenant();
    const executions = Array.from({ length: 1_200 }, (_, n) =>
      executionRow({ tenant, id: `exe_${n}`, createdAt: NOW + n, reason: "x".repeat(600) }),
    );
    expect(await applyProjections(db, [projection({ executions })])).toEqual({ rowsWritten: 1_200 + 1 });
  });

  it("may be empty", async () => {
    expect(await applyProjections(db, [])).toEqual({ rowsWritten: 0 });
  });
});

describe("overdue executions", () => {
  it("are live executions whose wake has passed, the longest overdue first", async () => {
    const tenant = newTenant();
    const live = { tenant, status: "waiting", finishedAt: null } as const;
    const executions = [
      executionRow({ ...live, id: "exe_late", wakeAt: 2_000 }),
      executionRow({ ...live, id: "exe_later", wakeAt: 1_000 }),
      executionRow({ ...live, id: "exe_soon", wakeAt: 4_000 }),
      executionRow({ ...live, id: "exe_never" }),
      executionRow({ tenant, id: "exe_done", wakeAt: 1_000 }),
    ];
    await applyProjections(db, [projection({ executions })]);
    const overdue = await overdueExecutions(db, { before: 3_000, now: NOW }, 10);
    expect(overdue.map(({ id }) => id)).toEqual(["exe_later", "exe_late"]);
    expect(await overdueExecutions(db, { before: 3_000, now: NOW }, 1)).toHaveLength(1);
  });

  it("are returned again after a check without progress only when the next check is due, or after a projection", async () => {
    const tenant = newTenant();
    const live = { tenant, status: "waiting", finishedAt: null, wakeAt: 1_000 } as const;
    const told = executionRow({ ...live, id: "exe_looked" });
    await applyProjections(db, [projection({ executions: [told] })]);
    const ofMine = async (now: number) =>
      (await overdueExecutions(db, { before: 3_000, now }, 1_000)).filter((row) => row.tenant === tenant);
    const [row] = await ofMine(NOW);
    if (!row) throw new Error("it is overdue");
    await noteChecks(db, [{ ...row, nextWakeAt: row.wakeAt, checkAt: NOW + 10 }]);
    expect(await ofMine(NOW)).toEqual([]);
    const [again] = await ofMine(NOW + 10);
    expect(again).toMatchObject({ checks: 1, wakeAt: 1_000 });
    expect(await findExecution(db, tenant, "exe_looked", null)).toEqual(told);
    await applyProjections(db, [projection({ executions: [{ ...told, seq: 2 }] })]);
    expect(await ofMine(NOW)).toMatchObject([{ seq: 2, checks: null }]);
    // A check of a row that was read before the projection must not change the row.
    if (again) await noteChecks(db, [{ ...again, nextWakeAt: null, checkAt: null }]);
    expect(await ofMine(NOW)).toMatchObject([{ seq: 2, wakeAt: 1_000 }]);
  });
});
