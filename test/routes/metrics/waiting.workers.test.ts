// The ages of waiting work over HTTP.
import { expect, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { executionRow, NOW, projection, runRow } from "#test/support/catalog.ts";

const MINUTE = 60_000;

test("the oldest waiting work has its age by class and definition, the oldest first", async () => {
  const made = api();
  const [{ tenant, key }, other] = [await tenantWithKey(made), await tenantWithKey(made)];
  const execution = (id: string, over: object) =>
    executionRow({ tenant, id, status: "waiting", finishedAt: null, updatedAt: NOW - 3 * MINUTE, ...over });
  const dead = (id: string, finishedAt: number, over: object = {}) =>
    runRow({
      tenant,
      id,
      status: "failed",
      errorType: "timeout",
      error: "late",
      deadLetter: true,
      finishedAt,
      ...over,
    });
  await applyProjections(made.world.db, [
    projection({
      executions: [
        execution("exe_a", { status: "active" }),
        // The next check is far away, so that no other test's sweep wakes it.
        execution("exe_b", { wakeAt: NOW - 5 * MINUTE, checkAt: Date.UTC(2400, 0), definitionName: "timer" }),
        execution("exe_f", { wakeAt: NOW - 5 * MINUTE, definitionName: "soon_woken" }),
        execution("exe_c", { wakeAt: NOW + MINUTE }),
        execution("exe_d", { status: "paused", updatedAt: NOW + MINUTE }),
        executionRow({ tenant, id: "exe_e" }),
      ],
      runs: [
        runRow({ tenant, execution: "exe_a", status: "queued", finishedAt: null, dueAt: NOW - 90_000 }),
        runRow({ tenant, execution: "exe_a", id: "2.1", status: "retry", finishedAt: null, dueAt: NOW + 1 }),
        dead("1.1", NOW - 7 * MINUTE, { definition: "refund" }),
        dead("2.1", NOW - 9 * MINUTE),
        dead("3.1", NOW - 8 * MINUTE),
        dead("4.1", NOW - 99 * MINUTE, { handled: true }),
      ],
    }),
  ]);
  const { body } = await must(200, made.ask("GET", "/v1/metrics/waiting", { key }));
  expect(body.asOf).toBe("2026-11-18T12:00:00.000Z");
  const ages = body.data.map((each: { [name: string]: unknown }) => [
    each["class"],
    each["definition"],
    each["count"],
    each["ageSeconds"],
  ]);
  expect(ages).toEqual([
    ["dead_letter", "order", 2, 540],
    ["dead_letter", "refund", 1, 420],
    ["overdue", "timer", 1, 300],
    ["waiting", "order", 1, 180],
    ["waiting", "soon_woken", 1, 180],
    ["waiting", "timer", 1, 180],
    ["due", "order", 1, 90],
    ["paused", "order", 1, 0],
  ]);
  expect((await must(200, made.ask("GET", "/v1/metrics/waiting", { key: other.key }))).body.data).toEqual([]);
});
