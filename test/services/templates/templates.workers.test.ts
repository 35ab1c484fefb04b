// Templates as runners render them: cached, so that a D1 outage does not matter.
import { expect, it } from "vitest";
import { openDb } from "#catalog/db.ts";
import type { Result } from "#schema/refusal.ts";
import { createTemplate, templateNoun } from "#services/templates/templates.ts";
import type { Deps } from "#services/deps.ts";
import { renderTemplate } from "#services/templates/render-template.ts";
import { archiveVersions } from "#services/versioned/archive-versions.ts";
import { brokenBinding, callerOf, database, newTenant, world } from "#test/support/catalog.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

function here() {
  const deps = world();
  const tenant = newTenant();
  const caller = callerOf(tenant);
  const create = async (text: string, variables: object[] = []) =>
    valueOf(await createTemplate(deps, caller, { body: { name: "t", text, variables }, dryRun: false }));
  const open = (reference: string, variables = {}, over: Partial<Deps> = {}) =>
    renderTemplate({ ...deps, ...over }, tenant, reference, variables, "https://engine.test/u/t");
  const archive = (template: string) =>
    archiveVersions(deps, caller, templateNoun, { reference: template, reason: null, dryRun: false });
  return { deps, tenant, caller, create, open, archive };
}

const saying = (text: string) => ({ ok: true, rendered: { subject: null, html: null, text } });
const down = { db: openDb(brokenBinding) };

it("a template is rendered by name and by version", async () => {
  const { create, open } = here();
  await create("Hi {{ name }}", [{ name: "name" }]);
  await create("Hello {{ name }}", [{ name: "name" }]);
  expect(await open("t", { name: "Ada" })).toEqual(saying("Hello Ada"));
  expect(await open("t@1", { name: "Ada" })).toEqual(saying("Hi Ada"));
});

it("a missing variable is an error of the configuration, and is named", async () => {
  const { create, open } = here();
  await create("Hi {{ name }} {{ list }}", [{ name: "name" }, { name: "list", required: false }]);
  const wrong = async (reference: string, variables: object) => {
    const opened = await open(reference, variables);
    if (opened.ok) throw new Error("it was rendered");
    expect(opened.failure.error).toMatchObject({ type: "invalid_configuration", retryable: false });
    return opened.failure.error.message;
  };
  expect(await wrong("t", {})).toMatch(namingPattern("t@1: variables.name:"));
  expect(await wrong("t", { name: 1, lst: 1 })).toMatch(namingPattern("t@1: variables.lst:", '"list"'));
  expect(await wrong("t", { name: 1 })).toMatch(namingPattern("t@1: text: {{ list }}"));
  for (const none of ["nobody", "t@2"]) expect(await wrong(none, {})).toMatch(namingPattern(`"${none}"`));
});

it("a version is cached permanently, a name for five seconds, also while D1 is down", async () => {
  const { create, open, deps, tenant } = here();
  await create("one");
  expect(await open("t")).toEqual(saying("one"));
  expect(await open("t@1")).toEqual(saying("one"));
  const elsewhere = `INSERT INTO templates SELECT tenant, name, 2, hash, created_at, archived_at, replace(body, 'one', 'two')
    FROM templates WHERE tenant = ?`;
  await database().prepare(elsewhere).bind(tenant).run();
  deps.clock.now += 4_999;
  expect(await open("t")).toEqual(saying("one"));
  deps.clock.now += 1;
  expect(await open("t", {}, down)).toEqual(saying("one"));
  deps.clock.now += 5_000;
  expect(await open("t")).toEqual(saying("two"));
  deps.clock.now += 365 * 24 * 60 * 60_000;
  expect(await open("t@1", {}, down)).toEqual(saying("one"));
  const error = { type: "service_unavailable", retryable: true };
  expect(await open("t@2", {}, down)).toMatchObject({ failure: { error } });
  expect(deps.lines).toMatchObject([{ level: "error", reference: "t@2" }]);
});

it("archived versions are found by number, and no longer by name", async () => {
  const { create, open, archive } = here();
  await create("one");
  await create("two");
  expect(await open("t")).toEqual(saying("two"));
  await archive("t@2");
  expect(await open("t")).toEqual(saying("one"));
  await archive("t");
  expect(await open("t")).toMatchObject({ failure: { error: { code: "template_unknown" } } });
  expect(await open("t@2")).toEqual(saying("two"));
});

it("another tenant's templates are not found", async () => {
  const { create } = here();
  await create("one");
  const { open } = here();
  expect(await open("t@1")).toMatchObject({ ok: false });
});
