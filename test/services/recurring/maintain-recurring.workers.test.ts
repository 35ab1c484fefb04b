// Recurring maintenance: the sweep wakes recurring actions whose alarm was lost, and repeats deletions that their objects
// missed.
import { expect, test } from "vitest";
import { findRecurring } from "#catalog/recurring.ts";
import { maintainRecurring } from "#services/recurring/maintain-recurring.ts";
import { must } from "#test/support/api.ts";
import { here, next, PATH } from "#test/routes/recurring/tester.ts";

async function swept() {
  const world = await here();
  const { recurring_id: id } = await world.create();
  const name = `${world.tenant}/${id}`;
  const deps = { ...world.world, recurring: (which: string) => world.recurring.recurring(which) };
  const after = (minutes: number) => (world.world.clock.now = Date.parse(next) + minutes * 60_000);
  return { ...world, id, name, after, sweep: () => maintainRecurring(deps), disk: world.recurring.disk(name) };
}

test("a recurring action whose alarm was lost shows as stale, is woken, and continues", async () => {
  const { after, sweep, disk, ask, id } = await swept();
  disk.alarm = null;
  after(6);
  const listed = (await ask("GET", PATH)).body.recurring_actions[0];
  expect(listed.health).toMatchObject({ status: "stale" });
  await sweep();
  expect(disk.alarm).toBe(Date.parse("2026-11-19T14:00:00Z"));
  expect((await ask("GET", PATH)).body.recurring_actions[0]).toMatchObject({ id, health: { status: "healthy" } });
  const { history } = (await ask("GET", `${PATH}/${id}/history`)).body;
  expect(history).toMatchObject([{ outcome: "dispatched" }]);
});

test("an object that has lost everything starts again from its row, and keeps its count", async () => {
  const { after, sweep, disk, recurring, name, ask, id, until } = await swept();
  await until(next);
  await recurring.recurring(name).drop();
  after(25 * 60);
  await sweep();
  expect(disk.alarm).toBe(Date.parse("2026-11-20T14:00:00Z"));
  expect((await ask("GET", `${PATH}/${id}`)).body).toMatchObject({ execution_count: 1, status: "active" });
});

test("a deletion that the object missed is repeated, and the row is deleted later", async () => {
  const { after, sweep, disk, recurring, name, ask, id, tenant, world } = await swept();
  const controller = recurring.controller(name);
  const { drop } = controller;
  controller.drop = async () => {
    throw new Error("the object is being moved");
  };
  await must(204, ask("DELETE", `${PATH}/${id}`));
  expect(disk.alarm).not.toBeNull();
  expect((await ask("GET", PATH)).body.recurring_actions).toEqual([]);
  controller.drop = drop;
  await sweep();
  expect(disk).toMatchObject({ alarm: null, state: null });
  expect(await findRecurring(world.db, tenant, id)).toMatchObject({ status: "completed" });
  after(8 * 24 * 60);
  await sweep();
  expect(world.lines.filter(({ event }) => event === "recurring.not_maintained")).toEqual([]);
  expect(await findRecurring(world.db, tenant, id)).toBeNull();
});

test("a recurring action that cannot be woken does not stop the others", async () => {
  const { after, sweep, disk, recurring, name, create, tenant, world } = await swept();
  const { recurring_id: other } = await create();
  disk.alarm = null;
  recurring.disk(`${tenant}/${other}`).alarm = null;
  recurring.controller(name).poke = async () => {
    throw new Error("the object is being moved");
  };
  after(6);
  await sweep();
  expect([disk.alarm === null, recurring.disk(`${tenant}/${other}`).alarm === null]).toEqual([true, false]);
  expect(
    world.lines.some(({ event, recurring: id }) => event === "recurring.not_maintained" && name.endsWith(String(id))),
  ).toBe(true);
});
