// A day with a low success rate raises one alert, in the channels that request it.
import { expect, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { alertLowDays, foldPastHours } from "#services/monitor/daily-figures.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { NOW, projection, runRow } from "#test/support/catalog.ts";
import { naming } from "#test/support/matchers/naming.ts";

const HOUR = 60 * 60_000;
const MIDNIGHT = NOW + 12 * HOUR;

/** A day on which one of `ok` + 1 failed, and one more was refused for its config. */
async function day(ok: number, channels: readonly object[]) {
  const made = api({ actionTypes, configFindings });
  const { tenant, key } = await tenantWithKey(made);
  for (const [n, channel] of channels.entries()) {
    const to = { kind: "webhook", config: { url: "https://ops.example.com" } };
    await must(201, made.ask("POST", "/v1/alert-channels", { key, body: { name: `c${n}`, channel: to, ...channel } }));
  }
  const ends = (id: string, over: object = {}) =>
    runRow({ tenant, id, status: "ok", finishedAt: NOW, incarnation: NOW, ...over });
  const failed = { status: "failed", error: "no" } as const;
  const runs = [
    ...Array.from({ length: ok }, (_, n) => ends(`${n + 1}.1`)),
    ends("9998.1", { ...failed, errorType: "timeout" }),
    ends("9999.1", { ...failed, errorType: "invalid_configuration" }),
  ];
  await applyProjections(made.world.db, [projection({ runs })]);
  const deps = { ...made.world, cell: (name: string) => made.cells.cell(name) };
  const alerts = () =>
    made.cells.states().flatMap(({ variables }) => ("alert" in variables ? [variables["alert"]] : []));
  return { made, deps, alerts };
}

test("is alerted once after it has ended, with the rate", async () => {
  const { made, deps, alerts } = await day(9, [{ successRateBelow: 0.999, severities: ["critical"] }]);
  await alertLowDays(deps);
  expect(alerts(), "the day is not over").toEqual([]);
  made.world.clock.now = MIDNIGHT + HOUR;
  await foldPastHours(deps);
  await alertLowDays(deps);
  await alertLowDays(deps);
  expect(alerts()).toMatchObject([
    {
      severity: "high",
      code: "success_rate_low",
      title: naming("[high]", "90.00 %", "2026-11-18"),
      notice: { error: { message: naming(9, 10, 1, "2026-11-18") } },
      silentUntil: null,
    },
  ]);
});

test("is not alerted in channels that are disabled, or that request a lower rate", async () => {
  const { made, deps, alerts } = await day(9, [
    {},
    { successRateBelow: 0.999, enabled: false },
    { successRateBelow: 0.9 },
  ]);
  made.world.clock.now = MIDNIGHT + HOUR;
  await foldPastHours(deps);
  await alertLowDays(deps);
  expect(alerts()).toEqual([]);
});

test("is not alerted in the afternoon", async () => {
  const { made, deps, alerts } = await day(1, [{ successRateBelow: 1 }]);
  made.world.clock.now = MIDNIGHT + 3 * HOUR;
  expect(await alertLowDays(deps)).toEqual({ lowDays: 0 });
  expect(alerts()).toEqual([]);
});

test("a channel with an invalid rate is refused", async () => {
  const made = api();
  const { key } = await tenantWithKey(made);
  const channel = { kind: "webhook", config: { url: "https://ops.example.com" } };
  for (const successRateBelow of [0, 1.1, "0.9"]) {
    const body = { name: "c", channel, successRateBelow };
    const refused = await must(400, made.ask("POST", "/v1/alert-channels", { key, body }));
    expect(refused.body.errors[0].pointer).toBe("/successRateBelow");
  }
});
