// Tests ids that are reused after retention: rows of an earlier incarnation never affect the later one.
import { describe, expect, it } from "vitest";
import { deadLetterVersion, removeDeadLetter, listDeadLetters } from "#catalog/dead-letters.ts";
import { findExecution, noteChecks, purgeExecutions } from "#catalog/executions.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { listRuns } from "#catalog/runs.ts";
import { findTask, insertTask, type StoredTask } from "#catalog/tasks/tasks.ts";
import { insertTenant } from "#catalog/tenants.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { taskId } from "#schema/ids.ts";
import { chanceOf } from "#test/sim/kit/chance.ts";
import { openLists } from "#test/support/lists.ts";
import { auditRow, catalog, executionRow, newTenant, NOW, projection, runRow } from "#test/support/catalog.ts";

const db = catalog();
const DAY = 86_400_000;
const [OLD, NEW] = [NOW - 10 * DAY, NOW - DAY];
const name = { execution: "exe_1", run: "1.0" };

const old = (tenant: string, over: Partial<RunRow> = {}): RunRow =>
  runRow({ tenant, id: "1.0", incarnation: OLD, createdAt: OLD, finishedAt: OLD + 5, seq: 9, ...over });
const fresh = (tenant: string, over: Partial<RunRow> = {}): RunRow =>
  runRow({ tenant, id: "1.0", incarnation: NEW, createdAt: NEW, finishedAt: NEW + 5, seq: 3, ...over });

async function dead(tenant: string): Promise<readonly RunRow[]> {
  const page = await listDeadLetters(db, tenant, {}, null, 10);
  if (!page.ok) throw new Error(page.refusal.message);
  return page.value.data;
}

async function runsOf(tenant: string): Promise<readonly RunRow[]> {
  const page = await listRuns(db, tenant, "exe_1", {}, null, 100);
  if (!page.ok) throw new Error(page.refusal.message);
  return page.value.data;
}

describe("a run of a later incarnation", () => {
  it("is listed as a dead letter, even if the earlier incarnation has a higher seq", async () => {
    const tenant = newTenant();
    await applyProjections(db, [projection({ runs: [old(tenant)] })]);
    const failed = fresh(tenant, { status: "failed", deadLetter: true });
    expect(await applyProjections(db, [projection({ runs: [failed] })])).toEqual({ rowsWritten: 3 + 2 });
    expect(await dead(tenant)).toEqual([failed]);
  });

  it("is kept if a row of the earlier incarnation arrives later or in the same batch", async () => {
    const tenant = newTenant();
    await applyProjections(db, [projection({ runs: [fresh(tenant)] })]);
    expect(await applyProjections(db, [projection({ runs: [old(tenant)] })])).toEqual({ rowsWritten: 0 });
    await applyProjections(db, [projection({ runs: [fresh(tenant, { seq: 4 }), old(tenant, { seq: 12 })] })]);
    expect(await runsOf(tenant)).toEqual([fresh(tenant, { seq: 4 })]);
  });
});

it("rows of three incarnations give the state that replacesRun defines, in whatever order they arrive", async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const chance = chanceOf(`lives-${seed}`);
    const tenant = newTenant();
    const lists = openLists();
    for (let n = chance.between(3, 9); n > 0; n--) {
      const incarnation = chance.pick([OLD, NEW, NOW]);
      const told = { tenant, id: chance.pick(["1.0", "2.0"]), seq: chance.between(1, 5), attempt: n };
      const times = { createdAt: incarnation + chance.between(0, 9), incarnation };
      const runs = [runRow({ ...told, ...times })];
      const executions = [executionRow({ tenant, createdAt: incarnation, seq: told.seq, definitionVersion: n })];
      await applyProjections(db, [projection({ executions, runs })]);
      lists.apply(projection({ executions, runs }));
    }
    const byId = (a: RunRow, b: RunRow) => (a.id < b.id ? -1 : 1);
    expect((await runsOf(tenant)).toSorted(byId), `seed ${seed}`).toEqual(lists.runs().toSorted(byId));
    expect(await findExecution(db, tenant, "exe_1", null)).toEqual(lists.execution("exe_1"));
  }
});

describe("purging an earlier incarnation", () => {
  it("keeps the runs of the later incarnation", async () => {
    while ((await purgeExecutions(db, NOW, 100)) > 0);
    const tenant = newTenant();
    await insertTenant(db, { id: tenant, name: "n", createdAt: NOW, retentionDays: 5 }, auditRow({ tenant }));
    const executions = [
      executionRow({ tenant, createdAt: OLD, finishedAt: OLD + 9 }),
      executionRow({ tenant, createdAt: NEW, finishedAt: NEW + 9 }),
    ];
    const runs = [old(tenant, { id: "2.0" }), fresh(tenant)];
    await applyProjections(db, [projection({ executions, runs })]);
    while ((await purgeExecutions(db, NOW, 100)) > 0);
    expect((await runsOf(tenant)).map(({ id }) => id).toSorted()).toEqual(["1.0"]);
    expect(await findExecution(db, tenant, "exe_1", null)).toMatchObject({ createdAt: NEW });
  });

  it("keeps or removes dead letters by incarnation", async () => {
    while ((await purgeExecutions(db, NOW, 100)) > 0);
    const tenant = newTenant();
    await insertTenant(db, { id: tenant, name: "n", createdAt: NOW, retentionDays: 5 }, auditRow({ tenant }));
    const executions = [executionRow({ tenant, createdAt: OLD, finishedAt: OLD + 9 })];
    await applyProjections(db, [projection({ executions, runs: [fresh(tenant, { deadLetter: true })] })]);
    while ((await purgeExecutions(db, NOW, 100)) > 0);
    expect(await findExecution(db, tenant, "exe_1", null)).toBeNull();
    expect(await dead(tenant)).toHaveLength(1);
  });

  it("changes only the overdue checks of its own row", async () => {
    const tenant = newTenant();
    const waiting = { tenant, status: "waiting", finishedAt: null, wakeAt: NOW } as const;
    const executions = [OLD, NEW].map((createdAt) => executionRow({ ...waiting, createdAt }));
    await applyProjections(db, [projection({ executions })]);
    const row = { tenant, createdAt: OLD, id: "exe_1", seq: 1, wakeAt: NOW, checks: null };
    await noteChecks(db, [{ ...row, nextWakeAt: null, checkAt: null }]);
    expect(await findExecution(db, tenant, "exe_1", null)).toMatchObject({ createdAt: NEW, wakeAt: NOW });
    expect(await findExecution(db, tenant, "exe_1", { from: OLD, to: OLD })).toMatchObject({ wakeAt: null });
  });

  it("removes a dead letter only in the version that was read", async () => {
    const tenant = newTenant();
    await applyProjections(db, [projection({ runs: [old(tenant, { deadLetter: true })] })]);
    const read = await deadLetterVersion(db, tenant, name);
    if (read === null) throw new Error("it is listed");
    await applyProjections(db, [projection({ runs: [fresh(tenant, { deadLetter: true })] })]);
    await removeDeadLetter(db, tenant, name, read);
    expect(await dead(tenant)).toMatchObject([{ incarnation: NEW }]);
    const now = await deadLetterVersion(db, tenant, name);
    if (now === null) throw new Error("it is listed");
    await removeDeadLetter(db, tenant, name, now);
    expect(await dead(tenant)).toEqual([]);
    expect(await deadLetterVersion(db, tenant, name)).toBeNull();
  });
});

function task(tenant: string, over: Partial<StoredTask> = {}): StoredTask {
  return {
    tenant,
    id: taskId("exe_1", "1.0"),
    execution: "exe_1",
    run: "1.0",
    action: "ask",
    status: "open",
    title: "Approve it",
    assignee: null,
    dueAt: null,
    createdAt: NEW + 1,
    updatedAt: NEW + 1,
    closedAt: null,
    closedBy: null,
    closedByVerified: null,
    reason: null,
    delivery: null,
    result: null,
    incarnation: NEW,
    priority: null,
    escalatedAt: null,
    escalatedFrom: null,
    body: { description: null, payload: { n: [1] }, form: null },
    ...over,
  };
}

describe("a task of a later incarnation", () => {
  const closed = {
    createdAt: OLD + 1,
    status: "completed",
    closedAt: OLD + 2,
    result: { ok: true },
    delivery: "delivered",
  } as const;

  it("is stored beside the earlier task and found by its run", async () => {
    const tenant = newTenant();
    const before = await insertTask(db, task(tenant, { ...closed, incarnation: OLD }));
    const made = await insertTask(db, task(tenant));
    expect(made).toEqual(task(tenant, { id: taskId("exe_1", "1.0", NEW) }));
    expect(await insertTask(db, task(tenant, { title: "another try" }))).toEqual(made);
    expect(await findTask(db, tenant, before.id)).toEqual(before);
  });

  it("gets the plain id if it is free, and is created once even if the earlier task is deleted meanwhile", async () => {
    const tenant = newTenant();
    const made = await insertTask(db, task(tenant));
    expect(made).toEqual(task(tenant));
    expect(await insertTask(db, task(tenant, { title: "another try" }))).toEqual(made);
    await db.$client.prepare("DELETE FROM tasks WHERE tenant = ?").bind(tenant).run();
    await insertTask(db, task(tenant, { ...closed, incarnation: OLD }));
    const beside = await insertTask(db, task(tenant));
    await db.$client.prepare("DELETE FROM tasks WHERE tenant = ? AND incarnation = ?").bind(tenant, OLD).run();
    expect(await insertTask(db, task(tenant))).toEqual(beside);
  });
});
