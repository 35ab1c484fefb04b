// Tests the figures: each event is counted once, in the transaction that writes the row, and rows are bounded.
import { describe, expect, it } from "vitest";
import { readFigures } from "#catalog/metrics/figures.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { eraseRows } from "#catalog/projections/erased.ts";
import type { ExecutionRow, RunRow } from "#schema/engine/projection.ts";
import { catalog, executionRow, NOW, projection, runRow } from "#test/support/catalog.ts";
import { applyRuns, failedRun, figureGroups, GROUP, HOUR, hour, okRun, readMax, storedTenant } from "./counted-runs.ts";

const db = catalog();
const counted = async (tenant: string) => (await figureGroups(tenant))[GROUP] ?? {};

describe("a run", () => {
  it("is counted once, even if it is projected repeatedly", async () => {
    const tenant = await storedTenant();
    const tries = [
      { ms: 10, error: "timeout" },
      { ms: 10, error: "timeout" },
      { ms: 1_024, error: "not_found" },
    ];
    const slow = failedRun(tenant, { id: "2.1", errorType: "not_found", attempt: 3, tried: tries });
    const message = projection({ runs: [okRun(tenant), slow] });
    await applyProjections(db, [message, message]);
    const all = {
      ok: 1,
      failed: 1,
      "failure/not_found/": 1,
      attempts: 4,
      timeouts: 2,
      "error/timeout/": 2,
      "error/not_found/": 1,
      tried: 2,
      tries: 4,
      retried: 1,
      "took/53": 2,
      "took/106": 1,
      "took/159": 1,
      "took/sum": 1_144,
      "took/min": 10,
      "took/max": 1_024,
    };
    expect(await counted(tenant)).toEqual(all);
    expect((await applyProjections(db, [message])).rowsWritten).toBe(0);
    expect(await counted(tenant)).toEqual(all);
  });

  it("is counted in the hour of its end; an unfinished run without attempts is not counted", async () => {
    const tenant = await storedTenant();
    const open = runRow({ tenant, id: "3.1", status: "scheduled", finishedAt: null, attempt: 0, tried: [] });
    await applyRuns(okRun(tenant, { finishedAt: NOW - HOUR }), open);
    expect(await figureGroups(tenant, { fromHour: hour })).toEqual({});
    expect((await figureGroups(tenant, { toHour: hour - 1 }))[GROUP]).toMatchObject({ ok: 1 });
  });

  it("adds the attempts of a run that waits for a retry, and later only the others", async () => {
    const tenant = await storedTenant();
    const once = [{ ms: 100, error: "timeout" }];
    await applyRuns(okRun(tenant, { status: "retry", finishedAt: null, tried: once, triedAt: NOW }));
    expect(await counted(tenant)).toMatchObject({ attempts: 1, timeouts: 1, "took/min": 100 });
    expect(await counted(tenant)).not.toHaveProperty("tried");
    await applyRuns(okRun(tenant, { seq: 2, attempt: 2, tried: [...once, { ms: 7 }] }));
    expect(await counted(tenant)).toMatchObject({
      ok: 1,
      attempts: 2,
      timeouts: 1,
      tried: 1,
      tries: 2,
      retried: 1,
      "took/106": 1,
      "took/sum": 107,
      "took/min": 7,
      "took/max": 100,
    });
  });

  it("is counted again after a redrive, but not after archiving", async () => {
    const tenant = await storedTenant();
    await applyRuns(failedRun(tenant));
    await applyRuns(failedRun(tenant, { seq: 2, deadLetter: false }));
    expect(await counted(tenant)).toMatchObject({ failed: 1, attempts: 1 });
    const redrives = { times: 1, attempts: 1 };
    const tried = [{ ms: 100, error: "service_unavailable" }];
    await applyRuns(
      failedRun(tenant, { seq: 3, status: "queued", finishedAt: null, errorType: null, redrives, tried }),
    );
    await applyRuns(okRun(tenant, { seq: 4, finishedAt: NOW + 1, redrives, tried: [...tried, { ms: 5 }] }));
    expect(await counted(tenant)).toMatchObject({ ok: 1, failed: 1, redriven: 1, attempts: 2, tried: 1, retried: 1 });
  });

  it("counts failures that were never projected because the run was redriven before", async () => {
    const tenant = await storedTenant();
    await applyRuns(
      okRun(tenant, {
        seq: 9,
        attempt: 3,
        tried: [{ ms: 1 }, { ms: 1 }, { ms: 1 }],
        redrives: { times: 2, attempts: 2 },
      }),
    );
    expect(await counted(tenant)).toMatchObject({ ok: 1, failed: 2, "failure/*/*": 2, redriven: 2, attempts: 3 });
    await applyRuns(failedRun(tenant, { id: "2.1" }));
    await applyRuns(okRun(tenant, { id: "2.1", seq: 9, finishedAt: NOW + 5, redrives: { times: 2, attempts: 2 } }));
    expect(await counted(tenant)).toMatchObject({ ok: 2, failed: 4, redriven: 4 });
  });

  it("is not counted if it arrives late, but is counted for a later incarnation of the id", async () => {
    const tenant = await storedTenant();
    await applyRuns(okRun(tenant, { seq: 5 }));
    await applyRuns(failedRun(tenant, { seq: 4 }));
    expect(await counted(tenant)).not.toHaveProperty("failed");
    const incarnation = NOW + 1_000;
    await applyRuns(okRun(tenant, { incarnation, createdAt: incarnation, finishedAt: incarnation }));
    expect(await counted(tenant)).toMatchObject({ ok: 2, attempts: 2 });
  });

  it("is not counted if its execution was erased, or if its row cannot be written", async () => {
    const tenant = await storedTenant();
    await eraseRows(db, executionRow({ tenant, id: "exe_1", createdAt: NOW }), NOW, null);
    await applyRuns(okRun(tenant));
    const poisoned = { ...okRun(tenant, { execution: "exe_2" }), namespace: null } as unknown as RunRow;
    await expect(applyRuns(okRun(tenant, { execution: "exe_3" }), poisoned)).rejects.toThrow();
    expect(await figureGroups(tenant)).toEqual({});
  });

  it("that an earlier version has stored adds only what follows", async () => {
    const tenant = await storedTenant();
    await applyRuns(failedRun(tenant));
    await db.$client.prepare("UPDATE runs SET counted = NULL WHERE tenant = ?").bind(tenant).run();
    await db.$client.prepare("DELETE FROM figures WHERE tenant = ?").bind(tenant).run();
    await applyRuns(failedRun(tenant, { seq: 2, deadLetter: false }));
    expect(await counted(tenant)).toEqual({});
    await db.$client.prepare("UPDATE runs SET counted = NULL WHERE tenant = ?").bind(tenant).run();
    await applyRuns(okRun(tenant, { seq: 3, finishedAt: NOW + 1, redrives: { times: 1, attempts: 1 } }));
    expect(await counted(tenant)).toEqual({ ok: 1 });
  });
});

describe("an execution", () => {
  const group = async (tenant: string) => (await figureGroups(tenant))[""] ?? {};

  it("is counted when it starts and when it ends", async () => {
    const tenant = await storedTenant();
    const waits = executionRow({ tenant, status: "waiting", finishedAt: null, createdAt: NOW - 2 * HOUR });
    const tell = (row: ExecutionRow) => applyProjections(db, [projection({ executions: [row] })]);
    await tell(waits);
    expect(await group(tenant)).toEqual({ started: 1 });
    const done = executionRow({ tenant, seq: 2, createdAt: NOW - 2 * HOUR });
    await tell(done);
    await tell(done);
    await tell(waits);
    expect(await group(tenant)).toMatchObject({ started: 1, completed: 1, "lasted/sum": 2 * HOUR });
    expect((await figureGroups(tenant, { toHour: hour - 1 }))[""]).toEqual({ started: 1 });
  });
});

describe("rows of figures", () => {
  it("are one per batch, hour, definition and version", async () => {
    const tenant = await storedTenant();
    const many = Array.from({ length: 50 }, (_, n) => okRun(tenant, { id: `${n}.1`, action: `a${n % 3}`, version: 1 }));
    const execution = executionRow({ tenant, createdAt: NOW });
    const written = await applyProjections(db, [projection({ runs: many, executions: [execution] })]);
    expect(written.rowsWritten).toBe(50 + 1 + 1);
    expect((await applyRuns(okRun(tenant, { id: "x.1", version: 2 }))).rowsWritten).toBe(1 + 1);
    expect((await figureGroups(tenant, { of: { definition: "order" } }))["webhook/a0/"]).toMatchObject({ ok: 17 });
    expect(await figureGroups(tenant, { of: { definition: "other" } })).toEqual({});
  });

  it("of too many definitions are one row", async () => {
    const tenant = await storedTenant();
    const runs = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => okRun(tenant, { id: `${from + n}.1`, definition: `d${from + n}` }));
    await applyRuns(...runs(0, 501));
    await applyRuns(...runs(600, 3));
    await applyRuns(okRun(tenant, { id: "900.1", definition: "d7" }));
    const rows = await readFigures(db, { tenant, step: "hour", of: "all", fromHour: hour, toHour: hour, max: readMax });
    expect(rows).toHaveLength(502);
    expect((await figureGroups(tenant, { of: { definition: "*" } }))[GROUP]).toMatchObject({ ok: 3 });
    expect((await figureGroups(tenant, { of: { definition: "d7" } }))[GROUP]).toMatchObject({ ok: 2 });
  });

  it("that are too large keep the largest groups and the most frequent errors, and every sum", async () => {
    const tenant = await storedTenant();
    const hostile = (from: number) =>
      Array.from({ length: 400 }, (_, n) =>
        failedRun(tenant, {
          id: `${from + n}.1`,
          uses: `c${from + n}`,
          errorCode: "x".repeat(50) + String(from + n),
          tried: [{ ms: n, error: "not_found", code: "x".repeat(50) + String(from + n) }],
        }),
      );
    const [often, rare] = [
      okRun(tenant, { id: "a.1", uses: "mail", tried: Array.from({ length: 5 }, () => ({ ms: 1 })) }),
      hostile(0),
    ];
    await applyRuns(often, ...rare);
    await applyRuns(...hostile(1_000));
    const groups = await figureGroups(tenant);
    expect(Object.keys(groups).length).toBeLessThanOrEqual(51);
    expect(groups["webhook/notify/mail"]).toMatchObject({ ok: 1, attempts: 5 });
    const rest = groups["webhook/*/*"] ?? {};
    expect(Object.keys(rest).filter((name) => name.startsWith("error/"))).toHaveLength(21);
    const sum = (name: string) => Object.values(groups).reduce((n, group) => n + (group[name] ?? 0), 0);
    expect([sum("failed"), sum("attempts")]).toEqual([800, 805]);
  });

  it("are not read if they are too many or too large", async () => {
    const tenant = await storedTenant();
    await applyRuns(okRun(tenant), okRun(tenant, { id: "2.1", definition: "other" }));
    const query = { tenant, step: "hour", of: "all", fromHour: hour, toHour: hour } as const;
    expect(await readFigures(db, { ...query, max: { ...readMax, rows: 1 } })).toBeNull();
    expect(await readFigures(db, { ...query, max: { ...readMax, chars: 10 } })).toBeNull();
    expect(await readFigures(db, { ...query, max: { ...readMax, rows: 2 } })).toHaveLength(2);
  });
});
