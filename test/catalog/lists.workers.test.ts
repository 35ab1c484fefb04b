// Tests the lists of executions, runs and audit rows: filters, stable pages, separate tenants and query plans.
import { describe, expect, it } from "vitest";
import { listAudit, purgeAudit } from "#catalog/audit.ts";
import { listActions } from "#catalog/actions.ts";
import { openDb, type Db } from "#catalog/db.ts";
import { findExecution, noteChecks, overdueExecutions, purgeExecutions } from "#catalog/executions.ts";
import { listExecutions } from "#catalog/executions/list-executions.ts";
import { purgeResponses } from "#catalog/stored-responses.ts";
import { encodeCursor, type Page } from "#catalog/page.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { listDeadLetters } from "#catalog/dead-letters.ts";
import { listRuns } from "#catalog/runs.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { Result } from "#schema/refusal.ts";
import {
  auditRow,
  brokenBinding,
  catalog,
  database,
  executionRow,
  newTenant,
  NOW,
  projection,
  runRow,
} from "#test/support/catalog.ts";

const db = catalog();

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

async function add(executions: readonly ExecutionRow[]): Promise<void> {
  await applyProjections(db, [projection({ executions: [...executions] })]);
}

async function walk<T>(list: (cursor: string | null) => Promise<Result<Page<T>>>, between?: () => Promise<void>) {
  const seen: T[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<T> = valueOf(await list(cursor));
    seen.push(...page.data);
    cursor = page.nextCursor;
    await between?.();
  } while (cursor !== null);
  return seen;
}

describe("lists of executions", () => {
  it("show every row once, newest first, even if newer rows are added between pages", async () => {
    const tenant = newTenant();
    // Pairs of rows share a millisecond, so that their ids determine the order.
    const rows = Array.from({ length: 9 }, (_, n) =>
      executionRow({ tenant, id: `exe_${n}`, createdAt: NOW + Math.floor(n / 2) }),
    );
    await add(rows);
    let added = 0;
    const seen = await walk(
      (cursor) => listExecutions(db, tenant, {}, cursor, 2),
      async () => add([executionRow({ tenant, id: `exe_new${added}`, createdAt: NOW + 100 + added++ })]),
    );
    expect(seen.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed());
  });

  it("return no cursor if the last page is exactly full", async () => {
    const tenant = newTenant();
    await add([executionRow({ tenant, id: "exe_a" }), executionRow({ tenant, id: "exe_b" })]);
    expect(valueOf(await listExecutions(db, tenant, {}, null, 2)).nextCursor).toBeNull();
  });

  it.each(["rubbish", "bm8", "WzEsMl0", "W10", "%"])("refuse the invalid cursor %s", async (cursor) => {
    const refused = await listExecutions(db, newTenant(), {}, cursor, 2);
    expect(refused).toMatchObject({ ok: false, refusal: { code: "invalid_input", errors: [{ pointer: "/cursor" }] } });
  });

  it("can be filtered by each column", async () => {
    const tenant = newTenant();
    const waiting = { status: "waiting", finishedAt: null } as const;
    await add([
      executionRow({ tenant, id: "exe_plain" }),
      executionRow({ tenant, id: "exe_live", ...waiting }),
      executionRow({ tenant, id: "exe_space", namespace: "eu" }),
      executionRow({ tenant, id: "exe_corr", correlationId: "o-17" }),
      executionRow({ tenant, id: "exe_def", definitionName: "other", definitionId: "def_2", definitionVersion: 2 }),
      executionRow({ tenant, id: "exe_old", createdAt: NOW - 1_000 }),
    ]);
    const ids = async (filters: Parameters<typeof listExecutions>[2]) =>
      valueOf(await listExecutions(db, tenant, filters, null, 10)).data.map(({ id }) => id);
    expect(await ids({ status: "waiting" })).toEqual(["exe_live"]);
    expect(await ids({ status: "completed" })).toHaveLength(5);
    expect(await ids({ namespace: "eu" })).toEqual(["exe_space"]);
    expect(await ids({ correlationId: "o-17" })).toEqual(["exe_corr"]);
    expect(await ids({ definition: "other" })).toEqual(["exe_def"]);
    expect(await ids({ definition: "def_2" })).toEqual(["exe_def"]);
    expect(await ids({ definition: "order", version: 2 })).toEqual([]);
    expect(await ids({ definition: "other@2" })).toEqual(["exe_def"]);
    expect(await ids({ definition: "other@2", version: 2 })).toEqual(["exe_def"]);
    expect(await ids({ definition: "other@1" })).toEqual([]);
    expect(await ids({ definition: "other@2", version: 1 })).toEqual([]);
    expect(await ids({ createdBefore: NOW })).toEqual(["exe_old"]);
    expect(await ids({ createdAfter: NOW - 1_000 })).toHaveLength(5);
    expect(await ids({ status: "waiting", namespace: "eu" })).toEqual([]);
  });
});

describe("another tenant", () => {
  it("sees no rows in any list, even with a cursor of the owner", async () => {
    const [mine, other] = [newTenant(), newTenant()];
    const audit = ["1", "2"].map((id) => auditRow({ tenant: mine, id }));
    const runs = ["1.1", "2.1"].map((id) => runRow({ tenant: mine, id, deadLetter: true }));
    const executions = ["exe_1", "exe_2"].map((id) => executionRow({ tenant: mine, id, definitionName: "$action" }));
    const elsewhere = runRow({ tenant: mine, execution: "exe_2" });
    await applyProjections(db, [projection({ executions, runs: [...runs, elsewhere], audit })]);
    const lists = [
      (tenant: string, cursor: string | null) => listActions(db, tenant, { whose: "alone" }, cursor, 1),
      (tenant: string, cursor: string | null) => listExecutions(db, tenant, {}, cursor, 1),
      (tenant: string, cursor: string | null) => listRuns(db, tenant, "exe_1", {}, cursor, 1),
      (tenant: string, cursor: string | null) => listDeadLetters(db, tenant, {}, cursor, 1),
      (tenant: string, cursor: string | null) => listAudit(db, tenant, {}, cursor, 1),
    ];
    for (const list of lists) {
      const first = valueOf<Page<unknown>>(await list(mine, null));
      expect(first.data).toHaveLength(1);
      expect(first.nextCursor).not.toBeNull();
      const second = valueOf<Page<unknown>>(await list(mine, first.nextCursor));
      expect(second.data).toHaveLength(1);
      expect(second.data).not.toEqual(first.data);
      for (const cursor of [null, first.nextCursor]) {
        expect(valueOf<Page<unknown>>(await list(other, cursor)).data).toEqual([]);
      }
    }
    expect(await findExecution(db, other, "exe_1", null)).toBeNull();
    expect(await findExecution(db, mine, "exe_1", { from: NOW - 5, to: NOW })).toMatchObject({ id: "exe_1" });
    expect(await findExecution(db, mine, "exe_1", { from: NOW + 1, to: NOW + 5 })).toBeNull();
  });

  it("cannot overwrite a row by projecting the same id", async () => {
    const [mine, other] = [newTenant(), newTenant()];
    await add([executionRow({ tenant: mine }), executionRow({ tenant: other, seq: 9, states: ["theirs"] })]);
    expect(valueOf(await listExecutions(db, mine, {}, null, 2)).data).toEqual([executionRow({ tenant: mine })]);
  });
});

describe("lists of runs", () => {
  it("filter by status, action and type; dead letters are listed without naming an execution", async () => {
    const tenant = newTenant();
    const runs = [
      runRow({ tenant, id: "1.1", createdAt: NOW }),
      runRow({
        tenant,
        id: "2.1",
        createdAt: NOW + 1,
        status: "failed",
        deadLetter: true,
        action: "mail",
        type: "email",
      }),
      runRow({ tenant, id: "1.1", execution: "exe_2", createdAt: NOW + 2, status: "failed", deadLetter: true }),
    ];
    await applyProjections(db, [projection({ runs })]);
    const of = async (filters: Parameters<typeof listRuns>[3]) =>
      valueOf(await listRuns(db, tenant, "exe_1", filters, null, 10)).data.map(({ id }) => id);
    expect(await of({})).toEqual(["2.1", "1.1"]);
    expect(await of({ status: "ok" })).toEqual(["1.1"]);
    expect(await of({ action: "mail", type: "email" })).toEqual(["2.1"]);
    const dead = await walk((cursor) => listDeadLetters(db, tenant, {}, cursor, 1));
    expect(dead.map(({ execution, id }) => [execution, id])).toEqual([
      ["exe_2", "1.1"],
      ["exe_1", "2.1"],
    ]);
  });
});

describe("query plans", () => {
  it("read executions first and find the runs of each by key", async () => {
    const cursor = encodeCursor([NOW, "exe_1", "1.1"]);
    const run = "SEARCH r USING PRIMARY KEY (tenant=? AND execution=?)";
    const [page, last] = await plansOf((spied) => listActions(spied, "t", { whose: "alone" }, cursor, 2));
    const expected = `SEARCH e USING PRIMARY KEY (tenant=? AND (created_at,id)<(?,?)); ${run}`;
    expect([page, last]).toEqual([`CO-ROUTINE runs; ${expected}; SCAN runs`, expected]);
    const failed = await plansOf((spied) => listActions(spied, "t", { whose: "alone", status: "failed" }, cursor, 2));
    for (const plan of failed)
      expect(plan).toMatch(/SEARCH e USING INDEX executions_status \(tenant=\?.*\); SEARCH r USING PRIMARY/);
    const sent = { whose: "all", recipient: "ada@example.com" } as const;
    const [mails] = await plansOf((spied) => listActions(spied, "t", sent, cursor, 2));
    expect(mails).toContain(
      "SEARCH v USING PRIMARY KEY (tenant=? AND recipient=? AND (created_at,execution,run)<(?,?,?))",
    );
    expect(mails).not.toContain("TEMP B-TREE");
  });

  it("use the index of dead letters for dead letters and primary keys otherwise", async () => {
    const cursor = encodeCursor([NOW, "exe_1", "1.1"]);
    expect(await plansOf((spied) => listDeadLetters(spied, "t", {}, cursor, 2))).toEqual([
      "SEARCH runs USING INDEX runs_dead (tenant=? AND (finished_at,execution,id)<(?,?,?))",
    ]);
    expect(await plansOf((spied) => listAudit(spied, "t", {}, encodeCursor([NOW, "a"]), 2))).toEqual([
      "SEARCH audit USING PRIMARY KEY (tenant=? AND (at,id)<(?,?))",
    ]);
  });

  it("use the wake index for the sweeper", async () => {
    expect(await plansOf((spied) => overdueExecutions(spied, { before: NOW, now: NOW }, 2))).toEqual([
      "SEARCH executions USING INDEX executions_wake (wake_at>? AND wake_at<?); LIST SUBQUERY 1; " +
        "SCAN tenants USING INDEX tenants_suspended; CREATE BLOOM FILTER",
    ]);
    const row = { tenant: "t", createdAt: NOW, id: "exe_1", seq: 1, wakeAt: NOW, checks: null };
    expect(await plansOf((spied) => noteChecks(spied, [{ ...row, nextWakeAt: null, checkAt: null }]))).toEqual([
      "SCAN j VIRTUAL TABLE INDEX 1:; SEARCH executions USING PRIMARY KEY (tenant=? AND created_at=? AND id=?)",
    ]);
  });

  it("read the oldest end of each tenant's key when purging", async () => {
    const plans = await plansOf((spied) => purgeExecutions(spied, NOW, 2));
    expect(plans).toEqual([
      "SCAN t; SEARCH e USING PRIMARY KEY (tenant=? AND created_at<?); " +
        "CORRELATED SCALAR SUBQUERY 1; SEARCH d USING PRIMARY KEY (tenant=? AND execution=?)",
    ]);
    expect((await plansOf((spied) => purgeAudit(spied, NOW, 2)))[0]).toContain(
      "SCAN t; SEARCH a USING PRIMARY KEY (tenant=? AND at<?)",
    );
    expect((await plansOf((spied) => purgeResponses(spied, NOW, 2)))[0]).toContain(
      "SEARCH stored_responses USING COVERING INDEX stored_responses_created (created_at<?)",
    );
  });
});

function spying(prepare: D1Database["prepare"]): D1Database {
  const { batch, exec, withSession, dump } = brokenBinding;
  return { prepare, batch, exec, withSession, dump };
}

/** Returns SQLite's query plan of each statement that a query executes. */
async function plansOf(query: (spied: Db) => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const real = database();
  const prepare = (sql: string): D1PreparedStatement => {
    statements.push(sql);
    return real.prepare(sql);
  };
  await query(openDb(spying(prepare)));
  return Promise.all(
    statements.map(async (sql) => {
      const explain = real.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...Array(sql.split("?").length - 1).fill(null));
      return (await explain.all<{ detail: string }>()).results.map(({ detail }) => detail).join("; ");
    }),
  );
}
