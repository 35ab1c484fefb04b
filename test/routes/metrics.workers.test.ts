// Metrics and configuration over HTTP.
import { describe, expect, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { maintainRecurring } from "#services/recurring/maintain-recurring.ts";
import { must } from "#test/support/api.ts";
import { NOW, projection, runRow } from "#test/support/catalog.ts";
import { here, next, PATH } from "./recurring/tester.ts";

test("metrics have the specified names as text and as JSON; deleted recurring actions stay counted", async () => {
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
  await maintainRecurring({ ...world, recurring: (name) => recurring.recurring(name) });
  const { tenants } = (await must(200, ask("GET", "/v1/metrics/snapshot"))).body;
  expect(tenants).toEqual([{ tenant, recurring_dispatched: 1, recurring_active: 0, recurring_errors: 0 }]);
});

describe("by type of action", () => {
  async function counted() {
    const made = await here();
    const ends = (id: string, over: object = {}) =>
      runRow({ tenant: made.tenant, id, status: "ok", finishedAt: NOW, tookMs: 100, tries: 1, timeouts: 0, ...over });
    const slow = ends("2.1", { status: "failed", error: "late", attempt: 4, tries: 4, timeouts: 3, tookMs: 1_024 });
    await applyProjections(made.world.db, [projection({ runs: [ends("1.1"), slow, ends("3.1", { type: "email" })] })]);
    return made;
  }

  test("retry rate, timeout rate and durations, the type with the most runs first", async () => {
    const { ask } = await counted();
    const { data } = (await must(200, ask("GET", "/v1/metrics/types?days=7"))).body;
    expect(data).toMatchObject([
      {
        type: "webhook",
        runs: 2,
        successful: 1,
        successRate: 0.5,
        retried: 1,
        retryRate: 0.5,
        averageRetries: 1.5,
        attempts: 5,
        timeouts: 3,
        timeoutRate: 0.6,
        durationMs: {
          count: 2,
          average: 562,
          p50: 100.8,
          p95: 1_001.8,
          histogram: [{ count: 1 }, { upToMs: 1_024, count: 1 }],
        },
      },
      { type: "email", runs: 1, timeoutRate: 0 },
    ]);
    await must(400, ask("GET", "/v1/metrics/types?days=0"));
  });

  test("as text: cumulative histogram buckets besides the counters", async () => {
    const { ask, tenant } = await counted();
    const lines: string[] = (await must(200, ask("GET", "/v1/metrics"))).body.split("\n");
    const labels = `tenant="${tenant}",type="webhook"`;
    expect(lines).toContain(`action_runs{${labels}} 2`);
    expect(lines).toContain(`action_attempt_timeouts{${labels}} 3`);
    expect(lines.filter((line) => line.startsWith(`action_duration_seconds_bucket{${labels}`)).slice(5, 12)).toEqual(
      [
        ["0.032", 0],
        ["0.064", 0],
        ["0.128", 1],
        ["0.256", 1],
        ["0.512", 1],
        ["1.024", 2],
        ["2.048", 2],
      ].map(([le, n]) => `action_duration_seconds_bucket{${labels},le="${le}"} ${n}`),
    );
    expect(lines).toContain(`action_duration_seconds_bucket{${labels},le="+Inf"} 2`);
    expect(lines).toContain(`action_duration_seconds_sum{${labels}} 1.124`);
  });

  test("a tenant sees its own figures only", async () => {
    await counted();
    const other = await here();
    expect((await must(200, other.ask("GET", "/v1/metrics/types"))).body).toEqual({ data: [] });
  });
});

test("the configuration: whether recurring actions are on, and their shortest interval", async () => {
  const { ask, fetchRoot, tenant } = await here();
  const { body } = await must(200, ask("GET", "/v1/config"));
  const background = { enable_recurring_actions: true, recurring_check_interval_seconds: 0 };
  expect(body).toEqual({ background: { ...background, recurring_interval_seconds_min: 60 } });
  await must(200, fetchRoot("PATCH", `/v1/tenants/${tenant}`, { limits: { recurring: 0, recurringPerMinute: 60 } }));
  expect((await ask("GET", "/v1/config")).body.background).toMatchObject({
    enable_recurring_actions: false,
    recurring_interval_seconds_min: 1,
  });
});
