// What became of the work that recurring actions started, over HTTP: in the details, in the list, and in the health.
import { expect, test } from "vitest";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { executionRow, runRow } from "#objects/execution/projections/catalog-rows.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { must, order } from "#test/support/api.ts";
import { catalog, projection } from "#test/support/catalog.ts";
import { here, next, PATH } from "./tester.ts";

const times = { startedAt: 1, endedAt: 2 };
const ok: Outcome = { ok: true, result: null, events: [], ...times };
const failed: Outcome = {
  ok: false,
  error: { type: "invalid_request", message: "HTTP 404", retryable: false },
  ...times,
};

/** A tenant whose started actions end as the test says. */
async function office() {
  const made = await here();
  const { cells, tenant } = made;
  const list = async () => {
    const states: readonly ExecutionState[] = cells.states();
    const executions = states.map((state) => executionRow(state, made.world.clock.now));
    const runs = states.flatMap((state) => state.runs.map((run) => runRow(state, run)));
    await applyProjections(catalog(), [projection({ executions, runs })]);
  };
  /** Ends the newest action. */
  const end = async (outcome: Outcome) => {
    const { id = "", runs = [] } = cells.states().at(-1) ?? {};
    const run = runs[0]?.id ?? "";
    const cell = cellName(tenant, id);
    cells.take(cell, id, { kind: "claim", run, attempt: 1, lane: "queue" });
    cells.take(cell, id, { kind: "settle", run, attempt: 1, outcome });
    await list();
  };
  const read = async (id: string) => (await must(200, made.ask("GET", `${PATH}/${id}`))).body;
  return { ...made, list, end, read };
}

test("a schedule whose actions fail is failing, until one succeeds", async () => {
  const { create, until, cells, end, read, ask } = await office();
  const { id } = await create({ cron_expr: "0 * * * *", timezone: "UTC" });
  const days = ["2026-11-18T13:00:00Z", "2026-11-18T14:00:00Z", "2026-11-18T15:00:00Z"] as const;
  await until(days[0]);
  expect(await read(id)).toMatchObject({
    health: { status: "healthy", last_outcome: null, failures_in_a_row: 0 },
    recent_outcomes: [{ scheduled_for: days[0], outcome: "pending", action_id: cells.states()[0]?.id, error: null }],
  });
  await end(failed);
  await until(days[1]);
  await end(failed);
  const broken = {
    health: { status: "failing", last_outcome: "failed", failures_in_a_row: 2 },
    recent_outcomes: [
      { scheduled_for: days[1], outcome: "failed", error: { message: expect.stringContaining("404") } },
      { scheduled_for: days[0], outcome: "failed" },
    ],
  };
  expect(await read(id)).toMatchObject(broken);
  expect((await must(200, ask("GET", PATH))).body.recurring_actions).toMatchObject([broken]);
  expect((await must(200, ask("PUT", `${PATH}/${id}`, { description: "x" }))).body).toMatchObject(broken);
  expect((await must(200, ask("DELETE", `${PATH}/${id}?dryRun=true`))).body).toMatchObject(broken);
  await until(days[2]);
  await end(ok);
  expect((await read(id)).health).toEqual({
    status: "healthy",
    reason: null,
    last_outcome: "ok",
    failures_in_a_row: 0,
  });
});

test("executions of a definition have the outcome of the execution", async () => {
  const { ask, until, cells, list, read } = await office();
  await must(201, ask("POST", "/v1/definitions", order));
  const body = { cron_expr: "0 9 * * *", definition: "order" };
  const { id } = (await must(201, ask("POST", PATH, body))).body;
  await until("2026-11-19T09:00:00Z");
  await list();
  expect((await read(id)).recent_outcomes).toMatchObject([{ outcome: "pending" }]);
  const execution = cells.states()[0]?.id ?? "";
  await must(200, ask("POST", `/v1/executions/${execution}/cancel`, { reason: "test" }));
  await list();
  expect((await read(id)).recent_outcomes).toMatchObject([{ outcome: "canceled", action_id: execution }]);
});

test("the outcome of work whose rows are gone is unknown, not pending", async () => {
  const { create, until, read, world } = await office();
  const { id } = await create();
  await until(next);
  world.clock.now += 2 * 60 * 60_000;
  expect(await read(id)).toMatchObject({ health: { status: "healthy" }, recent_outcomes: [{ outcome: "unknown" }] });
});

test("a lowered quota slows an existing recurring action, and the history says why", async () => {
  const { ask, create, until, cells, tenant, fetchRoot, read } = await office();
  await must(200, fetchRoot("PATCH", `/v1/tenants/${tenant}`, { limits: { recurringPerMinute: 6 } }));
  const { id } = await create({ cron_expr: "*/10 * 14 * * *", timezone: "UTC" });
  await until("2026-11-18T14:00:00Z");
  await until("2026-11-18T14:00:10Z");
  expect(cells.states()).toHaveLength(2);
  await must(200, fetchRoot("PATCH", `/v1/tenants/${tenant}`, { limits: { recurringPerMinute: 1 } }));
  for (const second of [20, 30, 40, 50]) await until(`2026-11-18T14:00:${second}Z`);
  expect(cells.states()).toHaveLength(2);
  const { history } = (await must(200, ask("GET", `${PATH}/${id}/history?limit=1`))).body;
  expect(history).toMatchObject([{ outcome: "missed", reason: "quota_exceeded", error: { code: "quota_exceeded" } }]);
  expect((await read(id)).health.status).toBe("failing");
  await until("2026-11-18T14:01:00Z");
  expect(cells.states()).toHaveLength(2);
  await until("2026-11-18T14:01:10Z");
  expect(cells.states()).toHaveLength(3);
  expect((await must(200, ask("POST", `${PATH}/${id}/trigger`, {}))).body.occurrence.outcome).toBe("dispatched");
});
