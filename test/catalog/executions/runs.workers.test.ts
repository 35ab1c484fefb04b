// Tests the list of the runs of all executions: its filters, its recipients and its query plan.
import { beforeAll, describe, expect, it } from "vitest";
import { listActions, type ActionFilters } from "#catalog/actions.ts";
import { purgeExecutions } from "#catalog/executions.ts";
import { eraseRows } from "#catalog/projections/erased.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { insertTenant } from "#catalog/tenants.ts";
import {
  auditRow,
  catalog,
  database,
  executionRow,
  newTenant,
  NOW,
  projection,
  runRow,
} from "#test/support/catalog.ts";

const db = catalog();
const DAY = 86_400_000;
const ADA = "ada@example.com";

async function list(tenant: string, filters: ActionFilters, cursor: string | null = null, limit = 50) {
  const page = await listActions(db, tenant, { ...filters, whose: "all" }, cursor, limit);
  if (!page.ok) throw new Error(page.refusal.message);
  return page.value;
}

async function recipientsOf(tenant: string): Promise<readonly unknown[]> {
  const rows = database()
    .prepare("SELECT recipient, run FROM run_recipients WHERE tenant = ? ORDER BY 1, 2")
    .bind(tenant);
  return (await rows.raw()) as unknown[];
}

describe("the filters", () => {
  const tenant = newTenant();
  beforeAll(async () => {
    const executions = [1, 2].map((n) => executionRow({ tenant, id: `exe_${n}`, createdAt: NOW + n, triggerId: null }));
    const of = { tenant, incarnation: NOW + 1, definition: "order" };
    await applyProjections(db, [
      projection({
        executions,
        runs: [
          runRow({ ...of, id: "1.0", createdAt: NOW, type: "email", uses: "mail", recipients: [ADA], tags: ["vip"] }),
          runRow({ ...of, id: "2.0", createdAt: NOW + 5, status: "scheduled", held: "rate_limited", finishedAt: null }),
          runRow({
            ...of,
            execution: "exe_2",
            incarnation: NOW + 2,
            createdAt: NOW + DAY,
            recipients: [ADA, "bob@example.com"],
            connection: "con_1",
            errorType: "timeout",
            tookMs: 12,
          }),
        ],
      }),
    ]);
  });

  it.each<[ActionFilters, readonly string[]]>([
    [{}, ["exe_2/1.1", "exe_1/2.0", "exe_1/1.0"]],
    [{ recipient: ADA }, ["exe_2/1.1", "exe_1/1.0"]],
    [{ recipient: ADA, createdAfter: NOW + 1 }, ["exe_2/1.1"]],
    [{ recipient: ADA, createdBefore: NOW + 1 }, ["exe_1/1.0"]],
    [{ recipient: ADA, type: "email" }, ["exe_1/1.0"]],
    [{ recipient: "eve@example.com" }, []],
    [{ connection: "mail" }, ["exe_1/1.0"]],
    [{ connection: "con_1" }, ["exe_2/1.1"]],
    [{ held: "rate_limited" }, ["exe_1/2.0"]],
    [{ errorCode: "timeout" }, ["exe_2/1.1"]],
    [{ tag: "vip" }, ["exe_1/1.0"]],
    [{ tag: "vip", held: "rate_limited" }, []],
  ])("%j", async (filters, expected) => {
    const { data, nextCursor, stoppedEarly } = await list(tenant, filters);
    expect(data.map(({ execution, id }) => `${execution}/${id}`)).toEqual(expected);
    expect([nextCursor, stoppedEarly]).toEqual([null, false]);
    const [first] = expected;
    if (first === undefined) return;
    const page = await list(tenant, filters, null, 1);
    const rest = page.nextCursor === null ? [] : (await list(tenant, filters, page.nextCursor)).data;
    expect([...page.data, ...rest]).toEqual(data);
    expect((await list(newTenant(), filters)).data).toEqual([]);
  });
});

describe("recipients", () => {
  it("are written once, and the earlier ones stay with the run", async () => {
    const tenant = newTenant();
    const write = async (seq: number, recipients: string[] | null) =>
      (await applyProjections(db, [projection({ runs: [runRow({ tenant, seq, recipients })] })])).rowsWritten;
    await write(1, [ADA]);
    const again = await write(2, [ADA]);
    expect(await write(3, ["bob@example.com"])).toBe(again + 1);
    expect(await write(4, null)).toBe(again);
    expect(await recipientsOf(tenant)).toEqual([
      [ADA, "1.1"],
      ["bob@example.com", "1.1"],
    ]);
  });

  it("are deleted with the run, by erasure and by retention", async () => {
    const tenant = newTenant();
    await insertTenant(db, { id: tenant, name: tenant, createdAt: NOW, retentionDays: 1 }, auditRow({ tenant }));
    const executions = ["exe_1", "exe_2"].map((id) => executionRow({ tenant, id }));
    const runs = executions.map(({ id }) => runRow({ tenant, execution: id, incarnation: NOW, recipients: [ADA] }));
    await applyProjections(db, [projection({ executions, runs })]);
    await eraseRows(db, executionRow({ tenant, id: "exe_1", seq: 9 }), NOW, null);
    expect(await recipientsOf(tenant)).toEqual([[ADA, "1.1"]]);
    expect(await purgeExecutions(db, NOW + 3 * DAY, 10)).toBeGreaterThan(0);
    expect(await recipientsOf(tenant)).toEqual([]);
  });
});
