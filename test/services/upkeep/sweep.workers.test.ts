// The sweeper: overdue executions are woken by cell, what is old goes, and no failure stops the rest.
import { expect, it } from "vitest";
import { listAudit } from "#catalog/audit.ts";
import { openDb } from "#catalog/db.ts";
import { findExecution } from "#catalog/executions.ts";
import { applyProjections } from "#catalog/projections.ts";
import { insertTenant } from "#catalog/tenants.ts";
import { recordAudit } from "#services/audit/record-audit.ts";
import { byCell } from "#services/cells/by-cell.ts";
import { sweep } from "#services/upkeep/sweep.ts";
import {
  absentCell,
  auditRow,
  brokenBinding,
  callerOf,
  executionRow,
  newTenant,
  NOW,
  projection,
  world,
} from "#test/support/catalog.ts";

const DAY = 86_400_000;
const gone = { ok: false, refusal: { code: "not_found", message: "no such execution" } } as const;

/** What is counted is counted in all tenants: those of other tests are swept beforehand. */
async function sweepOthers(): Promise<void> {
  await sweep(world({ cell: () => ({ ...absentCell, poke: async (ids) => ids.map(() => gone) }) }));
}

it("overdue executions are woken together with their cell's others; a broken cell stops nobody", async () => {
  await sweepOthers();
  const poked: Record<string, readonly string[]> = {};
  const tenant = newTenant();
  const deps = world({
    cell: (name) => ({
      ...absentCell,
      poke: async (ids) => {
        poked[name] = ids;
        if (name.endsWith("exe_broken")) throw new Error("overloaded");
        return [];
      },
    }),
  });
  const waiting = { tenant, status: "waiting", finishedAt: null } as const;
  const executions = [
    ...["exe_broken", "exe_own", "exe_a_p3", "exe_b_p3"].map((id, n) =>
      executionRow({ ...waiting, id, wakeAt: NOW - DAY + n }),
    ),
    executionRow({ ...waiting, id: "exe_just", wakeAt: NOW - 299_000 }),
    executionRow({ tenant, id: "exe_done", wakeAt: NOW - DAY }),
  ];
  await applyProjections(deps.db, [projection({ executions })]);
  await sweep(deps);
  expect(poked).toEqual({
    [`${tenant}/exe_broken`]: ["exe_broken"],
    [`${tenant}/exe_own`]: ["exe_own"],
    [`${tenant}/pool/3`]: ["exe_a_p3", "exe_b_p3"],
  });
  expect(deps.lines).toMatchObject([
    { event: "cell_not_poked", cell: `${tenant}/exe_broken` },
    { message: "swept", overdue: 4, cellsFailed: 1 },
  ]);
});

it("what has been kept long enough goes", async () => {
  await sweepOthers();
  const deps = world({ cell: () => ({ ...absentCell, poke: async () => [] }) });
  const tenant = newTenant();
  const caller = callerOf(tenant);
  const audit = auditRow({ tenant, at: NOW - 401 * DAY });
  await insertTenant(deps.db, { id: tenant, name: "n", createdAt: NOW, retentionDays: 1 }, audit);
  await recordAudit(deps, caller, "key.create", "key_1");
  const old = executionRow({ tenant, id: "exe_old", createdAt: NOW - 3 * DAY, finishedAt: NOW - 2 * DAY });
  await applyProjections(deps.db, [projection({ executions: [old] })]);
  await sweep(deps);
  expect(deps.lines.at(-1)).toMatchObject({ message: "swept", executionRows: 1, auditRows: 1, answers: 0 });
  expect(await findExecution(deps.db, tenant, "exe_old", null)).toBeNull();
  expect(await listAudit(deps.db, tenant, {}, null, 9)).toMatchObject({ value: { data: [{ target: "key_1" }] } });
});

it("with D1 down it says so and does not throw", async () => {
  const deps = world({ db: openDb(brokenBinding) });
  await sweep(deps);
  expect(deps.lines).toMatchObject([{ level: "error" }, { level: "error" }, { level: "error" }, { message: "swept" }]);
});

it("one call to a cell has a bounded number of ids, each once", () => {
  const executions = ["exe_1_p1", "exe_2_p1", "exe_1_p1", "exe_3_p1"].map((id) => ({ tenant: "t", id }));
  expect(byCell(executions, 2)).toEqual([
    { cell: "t/pool/1", ids: ["exe_1_p1", "exe_2_p1"] },
    { cell: "t/pool/1", ids: ["exe_3_p1"] },
  ]);
});

it("an execution whose object is gone is reported once, and not poked again", async () => {
  const tenant = newTenant();
  let pokes = 0;
  const deps = world({
    cell: () => ({
      ...absentCell,
      poke: async (ids) => {
        pokes += ids.length;
        return ids.map(() => gone);
      },
    }),
  });
  const lost = executionRow({ tenant, id: "exe_lost", status: "waiting", finishedAt: null, wakeAt: NOW - DAY });
  await applyProjections(deps.db, [projection({ executions: [lost] })]);
  await sweep(deps);
  const after = pokes;
  await sweep(deps);
  expect(pokes).toBe(after);
  expect(deps.lines).toContainEqual(expect.objectContaining({ level: "error", execution: "exe_lost" }));
  expect(await findExecution(deps.db, tenant, "exe_lost", null)).toMatchObject({ status: "waiting", wakeAt: null });
});
