// Tests in definitions over HTTP.
import { describe, expect, test } from "vitest";
import { findDefinition } from "#services/definitions/find-definition.ts";
import { api, must, tenantWithKey, type Ask } from "#test/support/api.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

const reminder = {
  kind: "machine",
  name: "reminder",
  initial: "asked",
  states: {
    asked: { on: { paid: "done" }, after: { P3D: "reminded" } },
    reminded: { on: { paid: "done" } },
    done: { type: "final" },
  },
  actions: [{ actionId: "remind", type: "webhook", triggerState: "reminded", config: { url: "https://example.com" } }],
};
const holds = { name: "reminds after three days", expect: [{ at: "P4D", actions: [{ action: "remind", at: "P3D" }] }] };
const fails = { name: "is done by itself", expect: [{ status: "completed" }] };

async function keeper() {
  const made = api();
  const owner = await tenantWithKey(made);
  const ask = (path: string, body: unknown, more: Ask = {}) =>
    made.ask("POST", path, { key: owner.key, body, ...more });
  const read = (path: string) => made.ask("GET", path, { key: owner.key });
  return { ...made, ...owner, ask, read };
}

describe("tests in a definition", () => {
  test("are stored with it and run on every new version; the response has the results", async () => {
    const { ask, read } = await keeper();
    const { body } = await must(201, ask("/v1/definitions", { ...reminder, tests: [holds, fails] }));
    expect(body.tests).toMatchObject([
      { name: holds.name, passed: true, failures: [] },
      {
        name: fails.name,
        passed: false,
        blocking: false,
        failures: [{ pointer: "/expect/0/status", expected: "completed", got: "waiting" }],
      },
    ]);
    const stored = await must(200, read("/v1/definitions/reminder"));
    expect(stored.body.body.tests).toEqual([holds, fails]);
    const again = await must(200, ask("/v1/definitions", { ...reminder, tests: [holds, fails] }));
    expect([again.body.created, again.body.tests.length]).toEqual([false, 2]);
  });

  test("that block refuse a failing version with the reason; nothing is stored", async () => {
    const { ask, read } = await keeper();
    const body = { ...reminder, tests: [holds, { ...fails, blocking: true }] };
    const refused = await must(422, ask("/v1/definitions", body));
    const found = { pointer: "/tests/1/expect/0/status", code: "test_failed" };
    expect(refused.body).toMatchObject({ code: "definition_invalid", errors: [found] });
    expect(refused.body.errors[0].message).toMatch(namingPattern("is done by itself", '"completed"', '"waiting"'));
    await must(404, read("/v1/definitions/reminder"));
    const checked = await must(200, ask("/v1/definitions/validate", body));
    expect(checked.body).toMatchObject({ valid: false, findings: [found] });
    const warned = await must(200, ask("/v1/definitions/validate", { ...reminder, tests: [fails] }));
    expect(warned.body).toMatchObject({ valid: true, warnings: [{ ...found, pointer: "/tests/0/expect/0/status" }] });
  });

  test("are refused with pointers if invalid", async () => {
    const { ask } = await keeper();
    const pointers = async (tests: unknown) => {
      const { body } = await must(422, ask("/v1/definitions", { ...reminder, tests }));
      return body.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await pointers([{ ...holds, expect: [] }])).toEqual(["/tests/0/expect"]);
    expect(await pointers([{ ...holds, expect: [{ at: "P1D" }] }])).toEqual(["/tests/0/expect/0"]);
    expect(await pointers([{ ...holds, expect: [{ actions: [{ action: "remnd" }] }] }])).toEqual([
      "/tests/0/expect/0/actions/0/action",
    ]);
    expect(await pointers(Array.from({ length: 51 }, () => holds))).toEqual(["/tests"]);
    const long = { ...holds, variables: { text: "x".repeat(130 * 1024) } };
    expect(await pointers([long])).toEqual(["/tests"]);
  });

  test("are not part of a running execution", async () => {
    const { ask, world, tenant } = await keeper();
    await must(201, ask("/v1/definitions", { ...reminder, tests: [holds] }));
    const found = await findDefinition(world, tenant, "reminder");
    const { tests, name } = JSON.parse(found.ok ? found.value.body : "{}");
    expect([name, tests]).toEqual(["reminder", undefined]);
  });
});

describe("running tests", () => {
  test("of a version: its own tests or those in the request", async () => {
    const { ask } = await keeper();
    await must(201, ask("/v1/definitions", { ...reminder, tests: [holds] }));
    const own = await must(200, ask("/v1/definitions/reminder/test", {}));
    expect(own.body).toMatchObject({ passed: true, tests: [{ name: holds.name, passed: true }] });
    const other = await must(200, ask("/v1/definitions/reminder@1/test", { tests: [fails] }));
    expect(other.body).toMatchObject({ passed: false, tests: [{ name: fails.name, passed: false }] });
    const wrong = { ...holds, expect: [{ states: ["nowhere"] }] };
    const refused = await must(400, ask("/v1/definitions/reminder/test", { tests: [wrong] }));
    expect(refused.body.errors[0].pointer).toBe("/tests/0/expect/0/states/0");
    await must(404, ask("/v1/definitions/nothing/test", {}));
  });

  test("of an unsaved definition: a failing blocking test is a result, not a refusal", async () => {
    const { ask } = await keeper();
    const definition = { ...reminder, tests: [{ ...fails, blocking: true }] };
    const { body } = await must(200, ask("/v1/definitions/test", { definition }));
    expect(body).toMatchObject({ passed: false, tests: [{ blocking: true, passed: false }] });
    expect((await must(200, ask("/v1/definitions/test", { definition, tests: [holds] }))).body.passed).toBe(true);
    const pointer = async (wrong: unknown) => {
      const refused = await must(422, ask("/v1/definitions/test", { definition: wrong }));
      return refused.body.errors[0].pointer;
    };
    expect(await pointer({ ...reminder, tests: [{ name: "x" }] })).toBe("/definition/tests/0/expect");
    const typo = { ...fails, expect: [{ states: ["dne"] }] };
    expect(await pointer({ ...reminder, tests: [typo] })).toBe("/definition/tests/0/expect/0/states/0");
    expect(await pointer({ ...reminder, initial: "x" })).toBe("/definition/initial");
    expect(await pointer([])).toMatch(/^\/definition/);
  });
});
