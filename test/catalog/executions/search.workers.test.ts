// Tests the filters of lists of executions: search variables, waits, errors, bounded scans, counts and query plans.
import { beforeAll, describe, expect, it } from "vitest";
import { openDb, type Db } from "#catalog/db.ts";
import { purgeExecutions } from "#catalog/executions.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { eraseRows } from "#catalog/projections/erased.ts";
import type { ExecutionFilters } from "#catalog/executions/execution-filters.ts";
import { countExecutions, listExecutions } from "#catalog/executions/list-executions.ts";
import type { SearchPage } from "#catalog/page.ts";
import { readSearchVariables, declareSearchVariables } from "#catalog/executions/search-variables.ts";
import { insertTenant } from "#catalog/tenants.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { COUNT_ROWS_READ_MAX, LIST_ROWS_READ_MAX } from "#schema/limits/api-requests.ts";
import type { Comparison } from "#schema/search/written-filter.ts";
import {
  auditRow,
  brokenBinding,
  catalog,
  database,
  executionRow,
  newTenant,
  NOW,
  projection,
} from "#test/support/catalog.ts";

const db = catalog();
const DAY = 86_400_000;
const live = { status: "waiting", finishedAt: null } as const;

async function add(...executions: readonly ExecutionRow[]): Promise<number> {
  return (await applyProjections(db, [projection({ executions: [...executions] })])).rowsWritten;
}

async function list(tenant: string, filters: ExecutionFilters, cursor: string | null = null, limit = 50) {
  const page = await listExecutions(db, tenant, filters, cursor, limit);
  if (!page.ok) throw new Error(page.refusal.message);
  return page.value;
}

const idsOf = ({ data }: SearchPage<ExecutionRow>) => data.map(({ id }) => id);
const compare = (name: string, comparison: Comparison, value: string | number): ExecutionFilters => ({
  variables: [{ name, comparison, value }],
});

async function valuesOf(tenant: string): Promise<readonly unknown[]> {
  const all = database().prepare(
    "SELECT name, value, execution FROM execution_variables WHERE tenant = ? ORDER BY 1, 2, 3",
  );
  return (await all.bind(tenant).raw()) as unknown[];
}

describe("search variables", () => {
  it("find executions by value and by range", async () => {
    const tenant = newTenant();
    await add(
      ...[100, 20, 300].map((total, n) =>
        executionRow({ tenant, id: `exe_${n}`, createdAt: NOW + n, search: { total, orderId: `A-${total}` } }),
      ),
      executionRow({ tenant, id: "exe_text", search: { total: "300" } }),
    );
    expect(idsOf(await list(tenant, compare("orderId", "eq", "A-20")))).toEqual(["exe_1"]);
    expect(idsOf(await list(tenant, compare("total", "eq", 300)))).toEqual(["exe_2"]);
    expect(idsOf(await list(tenant, compare("total", "lte", 100)))).toEqual(["exe_1", "exe_0"]);
    expect(idsOf(await list(tenant, { ...compare("total", "gt", 20), status: "completed" }))).toContain("exe_2");
    const both = [...(compare("total", "gte", 20).variables ?? []), ...(compare("total", "lt", 300).variables ?? [])];
    expect(idsOf(await list(tenant, { variables: both }))).toEqual(["exe_1", "exe_0"]);
    const mixed = [
      ...(compare("orderId", "eq", "A-20").variables ?? []),
      ...(compare("total", "gte", 100).variables ?? []),
    ];
    expect(idsOf(await list(tenant, { variables: mixed }))).toEqual([]);
    expect(idsOf(await list(newTenant(), compare("orderId", "eq", "A-20")))).toEqual([]);
  });

  it("page through equal values and through a range", async () => {
    const tenant = newTenant();
    await add(
      ...Array.from({ length: 7 }, (_, n) =>
        executionRow({ tenant, id: `exe_${n}`, createdAt: NOW + n, search: { total: n % 2, due: 9 } }),
      ),
    );
    for (const filters of [compare("due", "eq", 9), compare("total", "gte", 0)]) {
      const seen: string[] = [];
      for (let cursor: string | null = null, pages = 0; pages === 0 || cursor !== null; pages++) {
        const page: SearchPage<ExecutionRow> = await list(tenant, filters, cursor, 2);
        seen.push(...idsOf(page));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(idsOf(await list(tenant, filters)));
      expect(seen.toSorted()).toEqual(Array.from({ length: 7 }, (_, n) => `exe_${n}`));
    }
  });

  it("write a row when a value changes, and none otherwise", async () => {
    const tenant = newTenant();
    const row = (seq: number, search: ExecutionRow["search"]) => executionRow({ tenant, seq, search });
    const plain = await add(executionRow({ tenant, id: "exe_plain" }));
    expect(await add(row(1, { orderId: "A-1", total: 5 }))).toBe(plain + 2);
    const again = await add(executionRow({ tenant, id: "exe_plain", seq: 2 }));
    expect(await add(row(2, { orderId: "A-1", total: 5 }))).toBe(again);
    expect(await add(row(2, { orderId: "late" }))).toBe(0);
    await add(row(3, { orderId: "A-1", total: 6 }));
    expect(await valuesOf(tenant)).toEqual([
      ["orderId", "A-1", "exe_1"],
      ["total", 6, "exe_1"],
    ]);
    await add(row(4, null));
    expect(await valuesOf(tenant)).toHaveLength(2);
    await add(row(5, {}));
    expect(await valuesOf(tenant)).toEqual([]);
  });

  it("are removed by erasure and by retention, and a late projection does not restore them", async () => {
    const tenant = newTenant();
    await insertTenant(db, { id: tenant, name: tenant, createdAt: NOW, retentionDays: 1 }, auditRow({ tenant }));
    const [erased, old] = ["exe_erased", "exe_old"].map((id) => executionRow({ tenant, id, search: { orderId: id } }));
    if (erased === undefined || old === undefined) throw new Error("there must be two rows");
    await add(erased, old);
    await eraseRows(db, { ...erased, seq: 9 }, NOW, null);
    await add({ ...erased, seq: 10 });
    expect(await valuesOf(tenant)).toEqual([["orderId", "exe_old", "exe_old"]]);
    expect(await purgeExecutions(db, NOW + 2 * DAY, 10)).toBeGreaterThan(0);
    expect(await valuesOf(tenant)).toEqual([]);
  });

  it("are declared once for each definition", async () => {
    const tenant = newTenant();
    await declareSearchVariables(db, tenant, "order", { orderId: "string", total: "number" });
    await declareSearchVariables(db, tenant, "order", { orderId: "string" });
    await declareSearchVariables(db, tenant, "invoice", { total: "string" });
    await declareSearchVariables(db, tenant, "empty", {});
    expect(await readSearchVariables(db, tenant, null)).toEqual([
      { name: "orderId", type: "string" },
      { name: "total", type: "number" },
      { name: "total", type: "string" },
    ]);
    expect(await readSearchVariables(db, tenant, "invoice")).toEqual([{ name: "total", type: "string" }]);
  });
});

describe("filters", () => {
  const tenant = newTenant();
  beforeAll(async () => {
    await add(
      executionRow({
        tenant,
        id: "exe_task",
        ...live,
        waits: ["task", "timer"],
        states: ["open.review"],
        wakeAt: NOW + DAY,
      }),
      executionRow({
        tenant,
        id: "exe_paid",
        ...live,
        status: "active",
        waits: ["event:payment.captured"],
        states: ["open"],
      }),
      executionRow({
        tenant,
        id: "exe_mail",
        ...live,
        status: "paused",
        waits: ["connection:mail"],
        wakeAt: NOW + 2 * DAY,
      }),
      executionRow({ tenant, id: "exe_done", states: ["openly"], updatedAt: NOW + 50 }),
      executionRow({ tenant, id: "exe_failed", status: "failed", errorCode: "card_declined", correlationId: "o-17" }),
    );
    await database()
      .prepare("UPDATE executions SET check_at = ? WHERE tenant = ? AND id = 'exe_task'")
      .bind(NOW, tenant)
      .run();
  });

  it.each<[ExecutionFilters, readonly string[]]>([
    [{ waitingFor: "task" }, ["exe_task"]],
    [{ waitingFor: "timer" }, ["exe_task"]],
    [{ waitingFor: "event" }, ["exe_paid"]],
    [{ waitingFor: "event:payment.captured" }, ["exe_paid"]],
    [{ waitingFor: "event:payment" }, []],
    [{ waitingFor: "connection:mail" }, ["exe_mail"]],
    [{ waitingFor: "task", status: "active" }, []],
    [{ state: "open" }, ["exe_task", "exe_paid"]],
    [{ state: "open.review" }, ["exe_task"]],
    [{ state: "open.rev" }, []],
    [{ state: "openly" }, ["exe_done"]],
    [{ dueBefore: NOW + DAY + 1 }, ["exe_task"]],
    [{ dueBefore: NOW + 3 * DAY, waitingFor: "connection" }, ["exe_mail"]],
    [{ overdueSince: NOW + 2 * DAY }, ["exe_task"]],
    [{ overdueSince: NOW }, []],
    [{ errorCode: "card_declined" }, ["exe_failed"]],
    [{ errorCode: "card_declined", correlationId: "o-17", status: "failed" }, ["exe_failed"]],
    [{ errorCode: "card_declined", status: "canceled" }, []],
    [{ updatedAfter: NOW }, ["exe_done"]],
  ])("%j", async (filters, expected) => {
    const page = await list(tenant, filters);
    expect(idsOf(page)).toEqual(expected.toSorted().toReversed());
    expect(page).toMatchObject({ nextCursor: null, stoppedEarly: false });
    expect(await countExecutions(db, tenant, filters)).toEqual({ value: expected.length, exact: true });
  });
});

describe("a scan with few matches", () => {
  it("stops early, and its cursor continues to the last match", async () => {
    const tenant = newTenant();
    const count = LIST_ROWS_READ_MAX.byKey + 5;
    await database()
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
        INSERT INTO executions (tenant, created_at, id, seq, namespace, definition_id, definition_name, definition_version,
          placement, status, states, updated_at, finished_at)
        SELECT ?1, i, 'exe_' || i, 1, CASE WHEN i = 2 THEN 'rare' ELSE 'default' END, 'def_1', 'order', 1, 'own',
          'completed', '["done"]', i, i FROM n`,
      )
      .bind(tenant, count)
      .run();
    const first = await list(tenant, { namespace: "rare" });
    expect(first).toMatchObject({ data: [], stoppedEarly: true });
    const second = await list(tenant, { namespace: "rare" }, first.nextCursor);
    expect(second).toMatchObject({ data: [{ id: "exe_2" }], nextCursor: null, stoppedEarly: false });
    expect(await countExecutions(db, tenant, {})).toEqual({ value: COUNT_ROWS_READ_MAX, exact: false });
    expect(await countExecutions(db, tenant, { namespace: "rare" })).toEqual({ value: 0, exact: false });
  });
});

describe("query plans", () => {
  it.each<[ExecutionFilters, RegExp]>([
    [{}, /SEARCH e USING PRIMARY KEY \(tenant=\?\)/],
    [
      { createdAfter: 1, createdBefore: 2 },
      /SEARCH e USING PRIMARY KEY \(tenant=\? AND created_at>\? AND created_at<\?\)/,
    ],
    [{ definition: "order", namespace: "eu", state: "a", updatedAfter: 1 }, /SEARCH e USING PRIMARY KEY \(tenant=\?\)/],
    [{ status: "waiting" }, /SEARCH e USING INDEX executions_status \(tenant=\? AND status=\?\)/],
    [{ waitingFor: "task" }, /MERGE.*SEARCH e USING INDEX executions_status \(tenant=\? AND status=\?\)/],
    [{ dueBefore: 1 }, /MERGE.*SEARCH e USING INDEX executions_status \(tenant=\? AND status=\?\)/],
    [{ subject: "ann" }, /SEARCH e USING INDEX executions_subject \(tenant=\? AND subject=\?\)/],
    [{ correlationId: "o-17" }, /SEARCH e USING INDEX executions_correlation \(tenant=\? AND correlation_id=\?\)/],
    [{ trigger: "trg_1" }, /SEARCH e USING INDEX executions_trigger \(tenant=\? AND trigger_id=\?\)/],
    [{ errorCode: "timeout" }, /SEARCH e USING INDEX executions_error \(tenant=\? AND error_code=\?\)/],
    [{ quarantined: true }, /SEARCH e USING INDEX executions_quarantine \(tenant=\?\)/],
    [{ overdueSince: 1 }, /SEARCH e USING INDEX executions_overdue \(tenant=\?\)/],
    [
      compare("a", "eq", 1),
      /SEARCH v USING PRIMARY KEY \(tenant=\? AND name=\? AND value=\?\); SEARCH e USING PRIMARY KEY/,
    ],
    [
      compare("a", "gte", 1),
      /SEARCH v USING PRIMARY KEY \(tenant=\? AND name=\? AND value>\?\); SEARCH e USING PRIMARY KEY/,
    ],
  ])("%j reads an index in its order", async (filters, expected) => {
    const plans = await plansOf((spied) => listExecutions(spied, "t", filters, null, 2));
    for (const plan of plans)
      expect(plan).toMatch(new RegExp(expected.source.replace("USING INDEX", "USING( COVERING)? INDEX")));
    expect(plans.join()).not.toContain("TEMP B-TREE");
  });
});

/** Returns SQLite's query plan of each statement that a query executes. */
async function plansOf(query: (spied: Db) => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const prepare = (sql: string): D1PreparedStatement => {
    statements.push(sql);
    return database().prepare(sql);
  };
  await query(openDb({ ...brokenBinding, prepare } as D1Database));
  return Promise.all(
    statements.map(async (sql) => {
      const explain = database().prepare(`EXPLAIN QUERY PLAN ${sql}`);
      const bound = explain.bind(...Array(sql.split("?").length - 1).fill(null));
      return (await bound.all<{ detail: string }>()).results.map(({ detail }) => detail).join("; ");
    }),
  );
}
