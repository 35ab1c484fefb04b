// Tests the quarantine marks of executions in the catalog.
import { expect, it } from "vitest";
import { listExecutions } from "#catalog/executions/list-executions.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import type { QuarantineRow } from "#schema/engine/projection.ts";
import { catalog, executionRow, newTenant, NOW, projection } from "#test/support/catalog.ts";

const db = catalog();

function told(tenant: string, over: Partial<QuarantineRow> = {}): QuarantineRow {
  const row = executionRow({ tenant, status: "waiting", finishedAt: null, seq: 0 });
  const around = { createdFrom: NOW - 1, createdTo: NOW + 1 };
  return { tenant, id: "exe_1", ...around, at: NOW + 10, reason: "no JSON", row, ...over };
}

const say = (...quarantined: readonly QuarantineRow[]) =>
  applyProjections(db, [{ ...projection({}), quarantined: [...quarantined] }]);

async function apart(tenant: string): Promise<readonly unknown[]> {
  const page = await listExecutions(db, tenant, { quarantined: true }, null, 10);
  if (!page.ok) throw new Error(page.refusal.message);
  return page.value.data.map(({ id, quarantine, quarantinedAt, seq }) => [id, quarantine, quarantinedAt, seq]);
}

it("a quarantine mark matches by id and approximate creation time; repeating it writes nothing", async () => {
  const tenant = newTenant();
  await applyProjections(db, [projection({ executions: [executionRow({ tenant, seq: 4 })] })]);
  await say(told(tenant));
  expect(await apart(tenant)).toEqual([["exe_1", "no JSON", NOW + 10, 4]]);
  expect(await say(told(tenant), told(tenant))).toEqual({ rowsWritten: 0 });
});

it("another incarnation of the id gets no quarantine mark", async () => {
  const tenant = newTenant();
  await applyProjections(db, [projection({ executions: [executionRow({ tenant, createdAt: NOW - 1_000 })] })]);
  await say(told(tenant, { createdFrom: NOW, createdTo: NOW }));
  expect((await apart(tenant)).length).toBe(1);
  const all = await listExecutions(db, tenant, {}, null, 10);
  expect(all.ok && all.value.data.map(({ quarantine }) => quarantine)).toEqual(["no JSON", null]);
});

it("a quarantined execution without a projection is listed until it projects a row", async () => {
  const tenant = newTenant();
  await say(told(tenant));
  expect(await apart(tenant)).toEqual([["exe_1", "no JSON", NOW + 10, 0]]);
  const news = executionRow({ tenant, seq: 1, updatedAt: NOW + 20 });
  await applyProjections(db, [projection({ executions: [news] })]);
  expect(await apart(tenant)).toEqual([]);
});

it("of a mark and a projection the later one counts, in whatever order they arrive", async () => {
  const tenant = newTenant();
  await applyProjections(db, [projection({ executions: [executionRow({ tenant })] })]);
  await say(told(tenant, { at: NOW + 20, reason: null, isBack: true }), told(tenant));
  await say(told(tenant));
  expect(await apart(tenant)).toEqual([]);
  await say(told(tenant, { at: NOW + 30 }));
  await say(told(tenant, { at: NOW + 40, reason: null, isBack: true }));
  expect(await apart(tenant)).toEqual([]);
});

it("a mark older than the projected step has no effect", async () => {
  const tenant = newTenant();
  await applyProjections(db, [projection({ executions: [executionRow({ tenant, seq: 9, updatedAt: NOW + 60 })] })]);
  await say(told(tenant));
  expect(await apart(tenant)).toEqual([]);
});

/**
 * A row for an execution whose head is unreadable and whose id contains no time. Its creation time is the time of the
 * report.
 */
const guessed = (tenant: string): QuarantineRow => {
  const row = executionRow({ tenant, createdAt: NOW + 10, definitionId: "unknown", status: "waiting", seq: 0 });
  return told(tenant, { createdFrom: 0, createdTo: Number.MAX_SAFE_INTEGER, row });
};
const all = async (tenant: string): Promise<readonly unknown[]> => {
  const page = await listExecutions(db, tenant, {}, null, 10);
  if (!page.ok) throw new Error(page.refusal.message);
  return page.value.data.map(({ createdAt, quarantine }) => [createdAt, quarantine]);
};

it("an execution listed under a guessed creation time is listed once after the actual time is reported", async () => {
  const back = (tenant: string): QuarantineRow => {
    const row = executionRow({ tenant, status: "waiting" });
    return told(tenant, { createdFrom: NOW, createdTo: NOW, at: NOW + 20, reason: null, isBack: true, row });
  };
  const itself = (tenant: string) => projection({ executions: [executionRow({ tenant, seq: 2 })] });
  const told1 = newTenant();
  await say(guessed(told1));
  expect(await all(told1)).toEqual([[NOW + 10, "no JSON"]]);
  await applyProjections(db, [itself(told1)]);
  await say(back(told1));
  expect(await all(told1)).toEqual([[NOW, null]]);
  const told2 = newTenant();
  await say(guessed(told2));
  await say(back(told2));
  await applyProjections(db, [itself(told2)]);
  expect(await all(told2)).toEqual([[NOW, null]]);
  const neighbour = newTenant();
  await say(guessed(neighbour));
  await say({ ...back(told1), id: "exe_2" }, { ...back(told1), tenant: told2 });
  expect(await all(neighbour)).toEqual([[NOW + 10, "no JSON"]]);
});

it("an execution that was given up with unknown fields stays listed", async () => {
  const tenant = newTenant();
  await say(guessed(tenant));
  const end = executionRow({ tenant, createdAt: NOW + 10, definitionId: "unknown", status: "canceled", seq: 1 });
  await applyProjections(db, [projection({ executions: [end] })]);
  await say({ ...guessed(tenant), at: NOW + 30, reason: null, isBack: true });
  expect(await all(tenant)).toEqual([[NOW + 10, null]]);
});
