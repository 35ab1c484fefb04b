// Definitions: versions, races, the stored form, lookups on the hot path, and findings.
import { expect, it } from "vitest";
import { listAudit } from "#catalog/audit.ts";
import { openDb } from "#catalog/db.ts";
import { DEFINITION_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import type { Result } from "#schema/refusal.ts";
import { createDefinition } from "#services/definitions/create-definition.ts";
import { definitionNoun } from "#services/definitions/definition-noun.ts";
import { findDefinition } from "#services/definitions/find-definition.ts";
import { reviewDefinition } from "#services/definitions/validate-definition.ts";
import { archiveVersions } from "#services/versioned/archive-versions.ts";
import { getVersion } from "#services/versioned/get-version.ts";
import { listLatest } from "#services/versioned/list-latest.ts";
import { listVersions } from "#services/versioned/list-versions.ts";
import { brokenBinding, callerOf, database, newTenant, world } from "#test/support/catalog.ts";
import { naming } from "#test/support/matchers/naming.ts";

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

function machine(name: string, over: object = {}) {
  return {
    kind: "machine",
    name,
    initial: "open",
    states: { open: { on: { CLOSE: "done" } }, done: { type: "final" } },
    ...over,
  };
}

function here() {
  const deps = world();
  const tenant = newTenant();
  const caller = callerOf(tenant);
  const create = async (body: unknown, dryRun = false) =>
    valueOf(await createDefinition(deps, caller, { body, dryRun }));
  const find = async (reference: string) => findDefinition(deps, tenant, reference);
  const archive = async (definition: string, dryRun = false) =>
    archiveVersions(deps, caller, definitionNoun, { reference: definition, reason: "old", dryRun });
  return { deps, tenant, caller, create, find, archive };
}

it("new content is a new version, the same content the same version", async () => {
  const { create, deps, tenant } = here();
  const first = await create(machine("order"));
  expect(first).toMatchObject({ created: true, definition: { name: "order", version: 1, kind: "machine" } });
  expect(first.definition.id).toMatch(/^def_/);
  expect(await create(machine("order"))).toMatchObject({ created: false, definition: first.definition });
  expect(await create(machine("order", { concurrency: 2 }))).toMatchObject({
    created: true,
    definition: { version: 2 },
  });
  expect(await create(machine("order"))).toMatchObject({ created: true, definition: { version: 3 } });
  const audit = valueOf(await listAudit(deps.db, tenant, { verb: "definition.create" }, null, 9));
  expect(audit.data.map(({ target }) => target).sort()).toEqual(["order@1", "order@2", "order@3"]);
});

it("two concurrent creations are two versions, or one if the content is the same", async () => {
  const { create } = here();
  const both = await Promise.all([
    create(machine("race", { concurrency: 1 })),
    create(machine("race", { concurrency: 2 })),
  ]);
  expect(both.map(({ definition }) => definition.version).sort()).toEqual([1, 2]);
  const many = await Promise.all(Array.from({ length: 8 }, (_, n) => create(machine("many", { concurrency: n + 1 }))));
  expect(many.map(({ definition }) => definition.version).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const same = await Promise.all([create(machine("twin")), create(machine("twin"))]);
  expect(same.map(({ definition, created }) => [definition.version, created]).sort()).toEqual([
    [1, false],
    [1, true],
  ]);
});

it("two concurrent first versions with different placements agree on the placement of keyed starts", async () => {
  const { create } = here();
  for (let n = 0; n < 5; n++) {
    const both = await Promise.all([
      create(machine(`race${n}`)),
      create(machine(`race${n}`, { placement: "pooled" })),
      create(machine(`race${n}`, { placement: "pooled", concurrency: 2 })),
    ]);
    const first = both.find(({ definition }) => definition.version === 1);
    const said = JSON.parse(first?.definition.body ?? "{}").placement ?? "own";
    expect(both.map(({ definition }) => definition.keyedPlacement)).toEqual([said, said, said]);
  }
});

it("a dry run predicts the version and stores nothing", async () => {
  const { create, find } = here();
  expect(await create(machine("dry"), true)).toMatchObject({ created: true, definition: { version: 1 } });
  expect(await find("dry")).toMatchObject({ refusal: { code: "not_found" } });
});

it("the stored body has each action's timeout and retry policy", async () => {
  const { create } = here();
  const actions = [
    { actionId: "a", type: "email", config: {}, triggerState: "open" },
    {
      actionId: "b",
      type: "webhook",
      config: { url: "u" },
      triggerState: "open",
      timeout: 5,
      retryPolicy: { maxAttempts: 2 },
    },
  ];
  const { definition } = await create(machine("mail", { actions }));
  expect(JSON.parse(definition.body).actions).toEqual([
    { ...actions[0], timeout: 20_000, retryPolicy: "email" },
    actions[1],
  ]);
});

it("a start finds a definition by name, version and id, with its placement", async () => {
  const { create, find } = here();
  const { definition } = await create(machine("find", { placement: "pooled" }));
  await create(machine("find"));
  const first = {
    ref: { id: definition.id, name: "find", version: 1 },
    body: definition.body,
    placements: { plain: "pooled", keyed: "pooled" },
  };
  expect(await find("find@1")).toMatchObject({ ok: true, value: { ...first, archived: false } });
  expect(await find(definition.id)).toMatchObject({ value: first });
  expect(await find("find")).toMatchObject({
    value: { ref: { version: 2 }, placements: { plain: "own", keyed: "pooled" } },
  });
  for (const unknown of ["nobody", "find@3", "find@x", "def_x"]) {
    expect(await find(unknown)).toMatchObject({ refusal: { code: "not_found" } });
  }
});

it("a version created elsewhere is found within five seconds; with D1 down the version before is", async () => {
  const { create, find, deps, tenant } = here();
  await create(machine("late"));
  await find("late");
  await database().prepare("UPDATE definitions SET version = 2 WHERE tenant = ?").bind(tenant).run();
  deps.clock.now += 4_999;
  expect(await find("late")).toMatchObject({ value: { ref: { version: 1 } } });
  deps.clock.now += 1;
  const down = { ...deps, db: openDb(brokenBinding) };
  expect(await findDefinition(down, tenant, "late")).toMatchObject({ value: { ref: { version: 1 } } });
  deps.clock.now += 5_000;
  expect(await find("late")).toMatchObject({ value: { ref: { version: 2 } } });
  expect(await findDefinition(down, tenant, "unheard")).toMatchObject({ refusal: { code: "unavailable" } });
});

it("after archiving the latest version the name finds the one before; after archiving the name it finds none", async () => {
  const { create, find, archive, caller, deps } = here();
  await create(machine("old"));
  await create(machine("old", { concurrency: 2 }));
  expect(await archive("old", true)).toMatchObject({ value: { archived: 2 } });
  expect(await archive("old@2")).toEqual({ ok: true, value: { name: "old", archived: 1 } });
  expect(await find("old")).toMatchObject({ value: { ref: { version: 1 }, archived: false } });
  expect(await find("old@2")).toMatchObject({ value: { archived: true } });
  expect(await archive("old")).toMatchObject({ value: { archived: 1 } });
  expect(await find("old")).toMatchObject({ value: { ref: { version: 2 }, archived: true } });
  expect(valueOf(await listLatest(deps, caller, definitionNoun, { cursor: null, limit: 9 })).data).toEqual([]);
  expect(await create(machine("old"))).toMatchObject({ created: true, definition: { version: 3 } });
  expect(await archive("nobody")).toMatchObject({ refusal: { code: "not_found" } });
});

it("lists show the latest version of each name, and all versions of one name", async () => {
  const { create, caller, deps } = here();
  for (const name of ["a", "c", "b"]) await create(machine(name));
  await create(machine("b", { concurrency: 3 }));
  const first = valueOf(await listLatest(deps, caller, definitionNoun, { cursor: null, limit: 2 }));
  expect(first.data.map(({ name, version }) => [name, version])).toEqual([
    ["a", 1],
    ["b", 2],
  ]);
  expect(first.data[0]).not.toHaveProperty("body");
  const next = valueOf(await listLatest(deps, caller, definitionNoun, { cursor: first.nextCursor, limit: 2 }));
  expect(next).toMatchObject({ data: [{ name: "c" }], nextCursor: null });
  const versions = await listVersions(deps, caller, definitionNoun, { name: "b", cursor: null, limit: 1 });
  expect(valueOf(versions)).toMatchObject({ data: [{ version: 2 }] });
  const older = { name: "b", cursor: valueOf(versions).nextCursor, limit: 1 };
  expect(await listVersions(deps, caller, definitionNoun, older)).toMatchObject({ value: { data: [{ version: 1 }] } });
});

it("a version is read by name, by name and version, and by id", async () => {
  const { create, caller, deps } = here();
  const { definition } = await create(machine("read"));
  await create(machine("read", { concurrency: 2 }));
  const get = async (reference: string, version: number | null = null) =>
    getVersion(deps, caller, definitionNoun, reference, version);
  expect(await get("read")).toMatchObject({ value: { version: 2 } });
  for (const found of [await get("read", 1), await get("read@1"), await get("read@1", 1), await get(definition.id)]) {
    expect(found).toEqual({ ok: true, value: { ...definition, isNameTarget: false } });
  }
  expect(await get("read@1", 2)).toMatchObject({ refusal: { code: "not_found" } });
  expect(await get("read", 9)).toMatchObject({ refusal: { code: "not_found" } });
});

it("another tenant can neither find, read, list nor archive a definition, and has its own version numbers", async () => {
  const { create, find, deps } = here();
  const { definition } = await create(machine("mine"));
  const tenant = newTenant();
  const other = callerOf(tenant);
  const gone = { refusal: { code: "not_found" } };
  for (const reference of ["mine", "mine@1", definition.id]) {
    expect(await findDefinition(deps, tenant, reference)).toMatchObject(gone);
    expect(await getVersion(deps, other, definitionNoun, reference)).toMatchObject(gone);
    const archived = archiveVersions(deps, other, definitionNoun, { reference, reason: null, dryRun: false });
    expect(await archived).toMatchObject(gone);
  }
  expect(await listVersions(deps, other, definitionNoun, { name: "mine", cursor: null, limit: 9 })).toMatchObject(gone);
  expect(valueOf(await listLatest(deps, other, definitionNoun, { cursor: null, limit: 9 })).data).toEqual([]);
  const theirs = await createDefinition(deps, other, { body: machine("mine"), dryRun: false });
  expect(theirs).toMatchObject({ value: { created: true, definition: { version: 1 } } });
  expect(await find("mine")).toMatchObject({ value: { ref: { id: definition.id }, archived: false } });
});

it("all findings about a definition are returned at once, with their pointers", async () => {
  const { deps, caller } = here();
  const actions = [
    { actionId: "a", type: "webhok", config: {}, triggerState: "open" },
    { actionId: "b", type: "webhook", config: {}, triggerState: "open" },
    { actionId: "c", type: "zzzzzzzz", config: {}, triggerState: "open" },
  ];
  expect(valueOf(await reviewDefinition(deps, caller, machine("wrong", { actions }))).findings).toMatchObject([
    { pointer: "/actions/0/type", code: "unknown_action_type", hint: naming("webhook") },
    { pointer: "/actions/1/config/url", code: "required" },
    { pointer: "/actions/2/type", hint: naming("webhook", "email") },
  ]);
  const nodes = {
    a: { type: "dealy", for: "P1D" },
    b: { type: "emial", config: {} },
    c: { type: "brnch", cases: [{}] },
  };
  const typo = { kind: "journey", name: "typo", initial: ["a", "b", "c"], nodes };
  expect(valueOf(await reviewDefinition(deps, caller, typo)).findings).toEqual(
    expect.arrayContaining(
      [
        ["a", "delay"],
        ["b", "email"],
        ["c", "branch"],
      ].map(([node, type]) =>
        expect.objectContaining({
          pointer: `/nodes/${node}/type`,
          code: "unknown_action_type",
          hint: naming(String(type)),
        }),
      ),
    ),
  );
  const refused = await createDefinition(deps, caller, { body: machine("wrong", { actions }), dryRun: true });
  expect(refused).toMatchObject({ refusal: { code: "definition_invalid", errors: { length: 3 } } });
  expect(valueOf(await reviewDefinition(deps, caller, { ...machine("wrong"), stats: {} })).findings).toMatchObject([
    { pointer: "/stats", hint: naming("states") },
  ]);
  const large = machine("large", { description: "x".repeat(DEFINITION_BYTES_MAX) });
  expect(valueOf(await reviewDefinition(deps, caller, large)).findings).toMatchObject([
    { pointer: "", code: "limit_exceeded" },
  ]);
  expect(valueOf(await reviewDefinition(deps, caller, undefined)).findings).toHaveLength(1);
});
