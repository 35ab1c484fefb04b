// Warnings about a cap that another definition of the tenant limits differently.
import { expect, it } from "vitest";
import { openDb } from "#catalog/db.ts";
import { findOtherAllowances } from "#catalog/publications/definition-caps.ts";
import { createDefinition } from "#services/definitions/create-definition.ts";
import { definitionNoun } from "#services/definitions/definition-noun.ts";
import { publishDefinition } from "#services/definitions/publications.ts";
import { rollBackDefinition } from "#services/definitions/roll-back-definition.ts";
import { reviewDefinition } from "#services/definitions/validate-definition.ts";
import { archiveVersions } from "#services/versioned/archive-versions.ts";
import { callerOf, database, newTenant, world } from "#test/support/catalog.ts";
import { metered } from "#test/support/memory/metered-catalog.ts";
import { naming } from "#test/support/matchers/naming.ts";

const journey = (name: string, caps: object) => ({
  kind: "journey",
  name,
  variables: { customer: "ada" },
  subject: { var: "customer" },
  caps,
  initial: "pause",
  nodes: { pause: { type: "delay", for: "PT1H" } },
});

function here() {
  const deps = world();
  const caller = callerOf(newTenant());
  const options = { reason: null, ifPublication: null, dryRun: false };
  const differences = (warnings: readonly { code: string; pointer: string }[]) =>
    warnings.filter(({ code }) => code === "cap_differs");
  const store = async (name: string, caps: object, draft = false) => {
    deps.clock.now += 1_000;
    const stored = await createDefinition(deps, caller, { body: journey(name, caps), draft, dryRun: false });
    return stored.ok ? differences(stored.value.warnings) : stored.refusal;
  };
  return {
    deps,
    caller,
    store,
    review: async (name: string, caps: object) => {
      const review = await reviewDefinition(deps, caller, journey(name, caps));
      return review.ok ? differences(review.value.warnings) : review.refusal;
    },
    publish: async (reference: string) => {
      deps.clock.now += 1_000;
      const published = await publishDefinition(deps, caller, { reference, ...options });
      return published.ok ? differences(published.value.warnings) : published.refusal;
    },
    rollBack: (reference: string) => rollBackDefinition(deps, caller, { reference, to: null, ...options }),
    archive: (reference: string) =>
      archiveVersions(deps, caller, definitionNoun, { reference, reason: null, dryRun: false }),
  };
}

it("another maximum or window of the same cap is a warning that names the other definition", async () => {
  const { store, review } = here();
  expect(await store("season", { gentle: { max: 3, per: "P7D" }, daily: { max: 1, calendar: "day" } })).toEqual([]);
  expect(
    await review("winback", { gentle: { max: 3, per: "PT168H", over: "skip" }, own: { max: 9, per: "P1D" } }),
  ).toEqual([]);
  expect(await review("winback", { gentle: { max: 2, per: "P7D" }, daily: { max: 1, per: "P1D" } })).toEqual([
    {
      severity: "warning",
      pointer: "/caps/gentle",
      code: "cap_differs",
      message: naming("gentle", "2 per 7 days", "3 per 7 days", "season"),
      fix: expect.any(String),
    },
    expect.objectContaining({ pointer: "/caps/daily", message: naming("1 per day", "1 per day in UTC", "season") }),
  ]);
  expect(await store("winback", { gentle: { max: 4, per: "P7D" } })).toMatchObject([{ pointer: "/caps/gentle" }]);
  expect(await review("season", { gentle: { max: 5, per: "P7D" } })).toMatchObject([{ message: naming("winback") }]);
});

it("only the published version counts, and a definition does not differ from itself", async () => {
  const { store, review, publish, rollBack, archive } = here();
  await store("season", { gentle: { max: 3, per: "P7D" } });
  expect(await store("season", { gentle: { max: 2, per: "P7D" } }, true)).toEqual([]);
  expect(await review("winback", { gentle: { max: 3, per: "P7D" } })).toEqual([]);
  expect(await publish("season@2")).toEqual([]);
  expect(await review("winback", { gentle: { max: 3, per: "P7D" } })).toHaveLength(1);
  expect(await rollBack("season")).toMatchObject({ ok: true });
  expect(await review("winback", { gentle: { max: 3, per: "P7D" } })).toEqual([]);
  expect(await review("winback", { gentle: { max: 2, per: "P7D" } })).toHaveLength(1);
  await archive("season");
  expect(await review("winback", { gentle: { max: 2, per: "P7D" } })).toEqual([]);
});

it("publishing warns, and a version without the cap removes the difference", async () => {
  const { store, review, publish } = here();
  await store("season", { gentle: { max: 3, per: "P7D" } });
  await store("winback", { gentle: { max: 2, per: "P7D" } }, true);
  expect(await publish("winback@1")).toMatchObject([{ pointer: "/caps/gentle", message: naming("season") }]);
  expect(await store("season", { other: { max: 3, per: "P7D" } })).toEqual([]);
  expect(await review("winback", { gentle: { max: 2, per: "P7D" } })).toEqual([]);
});

it("a machine's cap counts, too", async () => {
  const { deps, caller, review } = here();
  const caps = { gentle: { max: 3, per: "P7D", subject: "everyone" } };
  const body = { kind: "machine", name: "order", initial: "open", states: { open: { type: "final" } }, caps };
  expect(await createDefinition(deps, caller, { body, dryRun: false })).toMatchObject({ ok: true });
  expect(await review("season", { gentle: { max: 2, per: "P7D" } })).toMatchObject([{ message: naming("order") }]);
});

it("other tenants do not count", async () => {
  await here().store("season", { gentle: { max: 3, per: "P7D" } });
  expect(await here().store("winback", { gentle: { max: 2, per: "P7D" } })).toEqual([]);
});

it("the search reads few rows, although 5,000 definitions have the cap", async () => {
  const meter = metered();
  const tenant = newTenant();
  await fill(tenant, 5_000);
  const other = await findOtherAllowances(openDb(meter.binding), tenant, "winback", { gentle: "2 per 7 days" });
  expect(other).toMatchObject([{ cap: "gentle", allowance: "3 per 7 days" }]);
  expect(meter.rows).toBeLessThan(10);
  meter.rows = 0;
  const equal = await findOtherAllowances(openDb(meter.binding), tenant, "winback", { gentle: "3 per 7 days" });
  expect(equal).toEqual([]);
  expect(meter.rows).toBeLessThan(10);
});

/** Stores published definitions with the same cap, directly in the tables. */
async function fill(tenant: string, count: number): Promise<void> {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const definitions = `INSERT INTO definitions (tenant, name, version, id, hash, kind, created_at, keyed_placement, body)
    ${numbers} SELECT ?, 'd' || i, 1, 'def_' || i, 'h', 'journey', 1, 'pooled', '{}' FROM n`;
  const caps = `INSERT INTO definition_caps ${numbers} SELECT ?, 'd' || i, 'gentle', 1, '3 per 7 days' FROM n`;
  await database().batch([definitions, caps].map((statement) => database().prepare(statement).bind(tenant)));
}
