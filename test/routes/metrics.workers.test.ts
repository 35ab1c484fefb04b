// What those who watch the service read.
import { expect, test } from "vitest";
import { tendRecurring } from "#services/recurring/tend-recurring.ts";
import { must } from "#test/support/api.ts";
import { here, next, PATH } from "./recurring/tester.ts";

test("metrics by their names, as text and as JSON; what was deleted goes on being counted", async () => {
  const { ask, create, until, tenant, world, recurring } = await here();
  const { recurring_id: id } = await create();
  await create({ enabled: false });
  await until(next);
  const lines = async () => (await must(200, ask("GET", "/v1/metrics"))).body.split("\n");
  expect(await lines()).toEqual([
    expect.stringContaining("# HELP recurring_dispatched "),
    "# TYPE recurring_dispatched counter",
    `recurring_dispatched{tenant="${tenant}"} 1`,
    expect.stringContaining("# HELP recurring_active "),
    "# TYPE recurring_active gauge",
    `recurring_active{tenant="${tenant}"} 1`,
    expect.stringContaining("# HELP recurring_errors "),
    "# TYPE recurring_errors counter",
    `recurring_errors{tenant="${tenant}"} 0`,
    "",
  ]);
  await must(204, ask("DELETE", `${PATH}/${id}`));
  world.clock.now += 8 * 24 * 60 * 60_000;
  await tendRecurring({ ...world, recurring: (name) => recurring.recurring(name) });
  const { tenants } = (await must(200, ask("GET", "/v1/metrics/snapshot"))).body;
  expect(tenants).toEqual([{ tenant, recurring_dispatched: 1, recurring_active: 0, recurring_errors: 0 }]);
});

test("how it is set up: whether anything recurs, and how close together", async () => {
  const { ask, fetchRoot, tenant } = await here();
  const { body } = await must(200, ask("GET", "/v1/config"));
  const background = { enable_recurring_actions: true, recurring_check_interval_seconds: 0 };
  expect(body).toEqual({ background: { ...background, recurring_interval_seconds_min: 60 } });
  await must(200, fetchRoot("PATCH", `/v1/tenants/${tenant}`, { limits: { recurring: 0, recurringPerMinute: 60 } }));
  expect((await ask("GET", "/v1/config")).body.background).toMatchObject({
    ...{ enable_recurring_actions: false, recurring_interval_seconds_min: 1 },
  });
});
