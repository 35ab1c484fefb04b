// The sweep: wakes overdue executions by cell, deletes old data, and continues after a failure.
import { describe, expect, it } from "vitest";
import { listAudit } from "#catalog/audit.ts";
import { openDb } from "#catalog/db.ts";
import { findExecution } from "#catalog/executions.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { insertTenant } from "#catalog/tenants.ts";
import type { Cell } from "#schema/engine/cell.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { OVERDUE_MAX } from "#schema/limits/upkeep/sweeps.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { recordAudit } from "#services/audit/audit.ts";
import { byCell } from "#services/cells/call-cell.ts";
import { resumeTenant, suspendTenant } from "#services/caller/tenants.ts";
import { pokeOverdue } from "#services/executions/poke-overdue.ts";
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
  root,
  world,
} from "#test/support/catalog.ts";

import { drive, T0 } from "#test/support/drive.ts";

const DAY = 86_400_000;
const gone = { ok: false, refusal: { code: "not_found", message: "no such execution" } } as const;

/** What is counted is counted in all tenants: those of other tests are swept beforehand. */
async function sweepOthers(): Promise<void> {
  await sweep(world({ cell: () => ({ ...absentCell, poke: async (ids) => ids.map(() => gone) }) }));
}

it("executions of a suspended tenant are woken only after it is resumed", async () => {
  await sweepOthers();
  const tenant = newTenant();
  const poked: string[] = [];
  const poke: Cell["poke"] = async (ids) => (poked.push(...ids), []);
  const deps = world({ cell: () => ({ ...absentCell, poke }) });
  const at = { id: tenant, reason: "r", dryRun: false };
  await insertTenant(deps.db, { id: tenant, name: "n", createdAt: NOW, retentionDays: 1 }, auditRow({ tenant }));
  await suspendTenant(deps, root, at);
  const row = executionRow({ tenant, id: "exe_due", status: "waiting", finishedAt: null, wakeAt: NOW - DAY });
  await applyProjections(deps.db, [projection({ executions: [row] })]);
  await sweep(deps);
  expect(poked).toEqual([]);
  await resumeTenant(deps, root, at);
  await sweep(deps);
  expect(poked).toEqual(["exe_due"]);
});

it("overdue executions of a cell are woken together; a failing cell does not stop the others", async () => {
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
  // What recurs in other tests' tenants is looked after, too.
  const mine = deps.lines.filter(({ cell, message }) => cell !== undefined || message === "swept");
  expect(mine).toMatchObject([
    { event: "cell_not_poked", cell: `${tenant}/exe_broken` },
    { message: "swept", overdue: 4, cellsFailed: 1 },
  ]);
});

it("data beyond its retention is deleted", async () => {
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

it("with D1 down the sweep logs the failure and does not throw", async () => {
  const deps = world({ db: openDb(brokenBinding) });
  await sweep(deps);
  expect(deps.lines).toMatchObject([
    { level: "error" },
    { level: "error" },
    { level: "error" },
    { level: "error" },
    { level: "error" },
    { level: "error" },
    { level: "error" },
    { level: "error" },
    { message: "swept" },
  ]);
});

it("one call to a cell has a bounded number of ids, each once", () => {
  const executions = ["exe_1_p1", "exe_2_p1", "exe_1_p1", "exe_3_p1"].map((id) => ({ tenant: "t", id }));
  expect(byCell(executions, 2)).toEqual([
    { cell: "t/pool/1", tenant: "t", ids: ["exe_1_p1", "exe_2_p1"] },
    { cell: "t/pool/1", tenant: "t", ids: ["exe_3_p1"] },
  ]);
});

it("an execution whose object is gone is reported once, and not woken again", async () => {
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

describe("an overdue row", () => {
  const MINUTE = 60_000;
  const { state } = drive({ states: { a: { after: { P400D: "b" } }, b: {} } }).start();
  const real = { ...state, unprojectedSince: null };
  const wakesAt = T0 + 400 * DAY;
  const row = (tenant: string, over: Partial<ExecutionRow> = {}): ExecutionRow =>
    executionRow({ tenant, createdAt: T0, status: "waiting", finishedAt: null, wakeAt: NOW - DAY, ...over });

  /** A world whose cells answer a poke with this, and who of this tenant was poked. */
  function answering(tenant: string, answer: Result<ExecutionState> | Error) {
    const poked: string[] = [];
    const cell = (name: string): Cell => ({
      ...absentCell,
      poke: async (ids) => {
        if (!name.startsWith(tenant)) return ids.map(() => gone);
        poked.push(...ids);
        if (answer instanceof Error) throw answer;
        return ids.map(() => answer);
      },
    });
    return { poked, deps: world({ cell }) };
  }

  it("whose execution has a later wake gets that wake, and is not woken again", async () => {
    await sweepOthers();
    const tenant = newTenant();
    const { poked, deps } = answering(tenant, accept(real));
    await applyProjections(deps.db, [projection({ executions: [row(tenant, { seq: real.seq })] })]);
    for (let n = 0; n < 3; n++) await sweep(deps);
    expect(poked).toEqual(["exe_1"]);
    expect(await findExecution(deps.db, tenant, "exe_1", null)).toMatchObject({ wakeAt: wakesAt, seq: real.seq });
  });

  it("that only lags is left to its projection, and checked again later", async () => {
    await sweepOthers();
    const tenant = newTenant();
    const { poked, deps } = answering(tenant, accept({ ...real, seq: 7 }));
    const behind = row(tenant, { seq: 3 });
    await applyProjections(deps.db, [projection({ executions: [behind] })]);
    await sweep(deps);
    expect(await findExecution(deps.db, tenant, "exe_1", null)).toEqual(behind);
    await sweep(deps);
    expect(poked).toHaveLength(1);
    deps.clock.now += 10 * MINUTE;
    await sweep(deps);
    expect(poked).toHaveLength(2);
  });

  it("of a cell that does not answer is checked at growing intervals, up to some hours", async () => {
    await sweepOthers();
    const tenant = newTenant();
    const { poked, deps } = answering(tenant, new Error("overloaded"));
    await applyProjections(deps.db, [projection({ executions: [row(tenant)] })]);
    const looksAt: number[] = [];
    for (let minute = 0; minute <= 36 * 60; minute += 5) {
      deps.clock.now = NOW + minute * MINUTE;
      const before = poked.length;
      await pokeOverdue(deps);
      if (poked.length > before) looksAt.push(minute);
    }
    expect(looksAt.slice(0, 6)).toEqual([0, 10, 30, 70, 150, 310]);
    expect(looksAt.slice(-2)).toEqual([1710, 2070]);
  });

  it("that cannot be fixed, two thousand times over, hides no row whose alarm was lost", async () => {
    await sweepOthers();
    const tenant = newTenant();
    const { poked, deps } = answering(tenant, refuse({ code: "internal_error", message: "it cannot be read" }));
    const stuck = Array.from({ length: OVERDUE_MAX }, (_, n) => row(tenant, { id: `exe_${n}_p1` }));
    const lost = row(tenant, { id: "exe_lost_p1", wakeAt: NOW - 6 * MINUTE });
    await applyProjections(deps.db, [projection({ executions: [...stuck, lost] })]);
    expect((await pokeOverdue(deps)).overdue).toBe(OVERDUE_MAX);
    expect(poked).not.toContain("exe_lost_p1");
    expect((await pokeOverdue(deps)).overdue).toBeLessThan(OVERDUE_MAX);
    expect(poked).toContain("exe_lost_p1");
    expect(poked).toHaveLength(OVERDUE_MAX + 1);
  });

  it("of an earlier incarnation of its id is forgotten, and the later one is kept", async () => {
    await sweepOthers();
    const tenant = newTenant();
    const { deps } = answering(tenant, accept(real));
    const executions = [row(tenant, { createdAt: T0 - DAY }), row(tenant, { seq: real.seq })];
    await applyProjections(deps.db, [projection({ executions })]);
    await sweep(deps);
    const earlier = await findExecution(deps.db, tenant, "exe_1", { from: T0 - DAY, to: T0 - DAY });
    expect(earlier).toMatchObject({ wakeAt: null });
    expect(await findExecution(deps.db, tenant, "exe_1", null)).toMatchObject({ createdAt: T0, wakeAt: wakesAt });
  });
});
