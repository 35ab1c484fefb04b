// Publishing with concurrent requests, cached isolates and old rows, and its cost in D1.
import { expect, it } from "vitest";
import { openDb } from "#catalog/db.ts";
import { liveVersions } from "#catalog/publications/live-versions.ts";
import { listPublications as published } from "#catalog/publications/publications.ts";
import { LIVE_COUNTED_MAX, PUBLICATIONS_KEPT } from "#schema/limits/definition-sizes.ts";
import type { Result } from "#schema/refusal.ts";
import { createDefinition } from "#services/definitions/create-definition.ts";
import { findDefinition } from "#services/definitions/find-definition.ts";
import { publishDefinition } from "#services/definitions/publications.ts";
import { rollBackDefinition } from "#services/definitions/roll-back-definition.ts";
import type { Deps } from "#services/deps.ts";
import { metered } from "#test/support/memory/metered-catalog.ts";
import { callerOf, database, newTenant, world } from "#test/support/catalog.ts";

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

function machine(concurrency: number) {
  const states = { open: { on: { CLOSE: "done" } }, done: { type: "final" } };
  return { kind: "machine", name: "order", concurrency, initial: "open", states };
}

function here(over: Partial<Deps> = {}) {
  const deps = world(over);
  const tenant = newTenant();
  const caller = callerOf(tenant);
  const plain = { reason: null, dryRun: false, ifPublication: null };
  const create = async (concurrency: number, draft = false) =>
    valueOf(await createDefinition(deps, caller, { body: machine(concurrency), draft, dryRun: false }));
  const publish = async (reference: string, ifPublication: number | null = null) =>
    publishDefinition(deps, caller, { ...plain, reference, ifPublication });
  const rollBack = async (reference: string, ifPublication: number | null = null) =>
    rollBackDefinition(deps, caller, { ...plain, reference, to: null, ifPublication });
  const means = async (reference = "order") => valueOf(await findDefinition(deps, tenant, reference)).ref.version;
  const history = async () => valueOf(await published(deps.db, tenant, "order", null, 2_000)).data;
  return { deps, tenant, caller, create, publish, rollBack, means, history };
}

it("concurrent publications are recorded in one order, and the last one is current", async () => {
  const { create, publish, means, history, deps } = here();
  for (const concurrency of [1, 2, 3, 4]) await create(concurrency, true);
  const done = await Promise.all([1, 2, 3, 4].map((version) => publish(`order@${version}`)));
  const numbers = done.map((each) => valueOf(each).publication);
  expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  const told = (await history()).toReversed();
  expect(told.map(({ was }) => was)).toEqual([null, ...told.slice(0, -1).map(({ version }) => version)]);
  deps.clock.now += 5_000;
  expect(await means()).toBe(told.at(-1)?.version);
});

it("of two requests that saw the same publication one publishes; the other changes nothing", async () => {
  const { create, publish, rollBack, means, history } = here();
  await create(1);
  for (const concurrency of [2, 3]) await create(concurrency, true);
  const both = await Promise.all([publish("order@2", 1), publish("order@3", 1)]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  const refused = both.find(({ ok }) => !ok);
  expect(refused).toMatchObject({ refusal: { code: "revision_mismatch", details: { publication: 2 } } });
  expect(await rollBack("order", 1)).toMatchObject({ refusal: { code: "revision_mismatch" } });
  expect(await history()).toHaveLength(2);
  expect(await means()).toBe((await history())[0]?.version);
});

it("of two concurrent rollbacks of the last publication one is applied", async () => {
  const { create, rollBack, means } = here();
  for (const concurrency of [1, 2, 3]) await create(concurrency);
  const both = await Promise.all([rollBack("order"), rollBack("order")]);
  expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  expect(both.find(({ ok }) => !ok)).toMatchObject({ refusal: { code: "nothing_to_roll_back" } });
  expect(await means()).toBe(2);
});

it("a version stored during a publication comes before or after it, as the history shows", async () => {
  for (let n = 0; n < 5; n++) {
    const { create, publish, means, history, deps } = here();
    await create(1);
    await create(2, true);
    await Promise.all([create(3), publish("order@2"), create(4)]);
    deps.clock.now += 5_000;
    const told = await history();
    expect(told).toHaveLength(4);
    expect(await means()).toBe(told[0]?.version);
  }
});

it("another isolate uses a publication within five seconds, the publishing one at once", async () => {
  const { create, publish, rollBack, means, deps, tenant } = here();
  await create(1);
  await create(2, true);
  // The same module once more, with a memory of its own.
  const again: string = "#services/definitions/find-definition.ts?elsewhere";
  const elsewhere: { readonly findDefinition: typeof findDefinition } = await import(again);
  expect(elsewhere.findDefinition).not.toBe(findDefinition);
  const meansElsewhere = async (reference = "order") =>
    valueOf(await elsewhere.findDefinition(deps, tenant, reference)).ref.version;
  expect([await means(), await meansElsewhere()]).toEqual([1, 1]);
  valueOf(await publish("order"));
  expect([await means(), await meansElsewhere()]).toEqual([2, 1]);
  deps.clock.now += 4_999;
  expect(await meansElsewhere()).toBe(1);
  deps.clock.now += 1;
  expect(await meansElsewhere()).toBe(2);
  valueOf(await rollBack("order@2"));
  expect([await means(), await meansElsewhere()]).toEqual([1, 2]);
  deps.clock.now += 5_000;
  expect(await meansElsewhere()).toBe(1);
  // A version by its number never was anything else.
  expect([await means("order@2"), await meansElsewhere("order@2")]).toEqual([2, 2]);
});

it("resolving a name reads three rows, however many versions and drafts there are", async () => {
  const meter = metered();
  const { create, publish, deps, tenant } = here({ db: openDb(meter.binding) });
  for (let n = 1; n <= 20; n++) await create(n, n > 10);
  valueOf(await publish("order@4"));
  deps.clock.now += 5_000;
  meter.rows = 0;
  expect(valueOf(await findDefinition(deps, tenant, "order")).ref.version).toBe(4);
  expect(meter.rows).toBe(3);
});

it("live executions are counted by version, up to a limit of the newest", async () => {
  const { deps, tenant } = here();
  const insert = `INSERT INTO executions (tenant, created_at, id, seq, namespace, definition_id, definition_name,
    definition_version, placement, status, states, updated_at) VALUES (?, ?, ?, 1, 'default', 'def_1', ?, ?, 'own', ?, '[]', 1)`;
  const rows: readonly [string, number, string][] = [
    ["order", 1, "active"],
    ["order", 1, "waiting"],
    ["order", 2, "paused"],
    ["order", 2, "completed"],
    ["order", 2, "failed"],
    ["other", 7, "active"],
  ];
  await database().batch(
    rows.map(([name, version, status], n) =>
      database().prepare(insert).bind(tenant, n, `exe_${n}`, name, version, status),
    ),
  );
  expect(await liveVersions(deps.db, tenant, "order")).toEqual({
    versions: [
      { version: 2, executions: 1 },
      { version: 1, executions: 2 },
    ],
    isWhole: true,
  });
});

it("with very many live executions the newest of each status are counted, and the answer shows that", async () => {
  const { deps, tenant } = here();
  const fill = `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
    INSERT INTO executions (tenant, created_at, id, seq, namespace, definition_id, definition_name, definition_version,
      placement, status, states, updated_at)
    SELECT ?, n, 'exe_' || n, 1, 'default', 'def_1', iif(n > 3, 'order', 'other'), 1, 'own', 'waiting', '[]', 1 FROM n`;
  await database()
    .prepare(fill)
    .bind(LIVE_COUNTED_MAX + 2, tenant)
    .run();
  expect(await liveVersions(deps.db, tenant, "order")).toEqual({
    versions: [{ version: 1, executions: LIVE_COUNTED_MAX - 1 }],
    isWhole: false,
  });
  expect(await liveVersions(deps.db, tenant, "nobody")).toEqual({ versions: [], isWhole: false });
});

it("the oldest publications are deleted, and numbers continue", async () => {
  const { create, publish, history, tenant } = here();
  await create(1);
  await create(2);
  const fill = `WITH RECURSIVE n(n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
    INSERT INTO publications SELECT ?, 'order', n, 1, 'published', 2, 1, 'a', NULL FROM n`;
  await database().prepare(fill).bind(PUBLICATIONS_KEPT, tenant).run();
  expect(await history()).toHaveLength(PUBLICATIONS_KEPT);
  expect(valueOf(await publish("order@1")).publication).toBe(PUBLICATIONS_KEPT + 1);
  const kept = await history();
  expect([kept.length, kept[0]?.number, kept.at(-1)?.number]).toEqual([PUBLICATIONS_KEPT, PUBLICATIONS_KEPT + 1, 2]);
});
