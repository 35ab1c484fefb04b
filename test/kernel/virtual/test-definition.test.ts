// Tests of definitions: their checks, and how they report differences.
import { describe, expect, test } from "vitest";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { testDefinition } from "#kernel/virtual/test-definition.ts";
import { openNames, testFindings } from "#kernel/virtual/unknown-names.ts";
import { definition } from "#schema/definition/definition.ts";
import { definitionTest, type DefinitionTest } from "#schema/definition/tests.ts";
import { TEST_FAILURES_LISTED_MAX } from "#schema/limits/definition-sizes.ts";
import { action, machine } from "#test/support/drive.ts";
import { naming, notNaming } from "#test/support/matchers/naming.ts";

const reminder = machine({
  states: {
    asked: { on: { paid: "done" }, after: { P3D: "reminded" } },
    reminded: { on: { paid: { target: "done", assign: { by: { var: "message.payload" } } } } },
    done: { type: "final" },
  },
  actions: [
    action("ask", {
      triggerState: "asked",
      config: { url: "https://example.com", to: "{{ execution.variables.name }}" },
    }),
    action("remind", { triggerState: "reminded" }),
    action("never", { triggerState: "done", enabled: false }),
  ],
});

function tested(part: Partial<DefinitionTest>, of = reminder) {
  const parsed = definitionTest.parse({
    name: "it",
    variables: { name: "Ada" },
    expect: [{ status: "waiting" }],
    ...part,
  });
  const [only] = computeAtOnce(testDefinition(of, [parsed]));
  if (only === undefined) throw new Error("a test has a result");
  return only;
}

const failures = (part: Partial<DefinitionTest>, of = reminder) =>
  tested(part, of).failures.map(({ pointer, message }) => `${pointer} ${message}`);

const differences = (part: Partial<DefinitionTest>, of = reminder) =>
  tested(part, of).failures.map(({ pointer, expected, got }) => [pointer, expected, got]);

describe("a test that holds", () => {
  test("sees states, status, variables and actions when it says, and in the end", () => {
    const given = [{ at: { reached: "reminded", after: "P1D" }, event: "paid", payload: { card: { last: 42 } } }];
    const checks = [
      { at: "P1D", status: "waiting", states: ["asked"], actions: [{ action: "ask", at: 0 }], only: true },
      { at: "2026-01-08T09:00:00Z", states: ["reminded"], actions: [{ action: "remind", at: "P3D", attempts: 1 }] },
      {
        status: "completed",
        variables: { by: { card: { last: 42 } } },
        actions: [
          { action: "ask", at: "2026-01-05T09:00:00Z", config: { to: "Ada" }, status: "ok" },
          { action: "remind" },
          { action: "never", status: "skipped", reason: "disabled" },
        ],
        only: true,
      },
    ] as const;
    const result = tested({ given, expect: checks as unknown as DefinitionTest["expect"] });
    expect(result).toEqual({ name: "it", passed: true, blocking: false, failures: [], more: 0 });
  });

  test("begins when it says, under its own assumptions", () => {
    const assume = { actions: { ask: { outcome: "failed" as const } } };
    const part = {
      startAt: "2026-06-01T00:00:00Z",
      assume,
      expect: [{ at: "PT1H", actions: [{ action: "ask", status: "failed" as const }] }],
    };
    expect(tested(part).passed).toBe(true);
  });

  test("takes the ways of a journey that it forces", () => {
    const journey = definition.parse({
      kind: "journey",
      name: "j",
      initial: "check",
      nodes: {
        check: { type: "branch", cases: [{ guard: true, next: "a" }, { next: "b" }] },
        a: { type: "email", config: {} },
        b: { type: "email", config: {} },
      },
    });
    const checks = [{ actions: [{ action: "b" }], only: true as const }];
    const branch = (to: string) =>
      computeAtOnce(testDefinition(journey, [{ name: "b", assume: { branches: { check: to } }, expect: checks }]));
    expect(branch("b")[0]?.passed).toBe(true);
    expect(branch("a")[0]?.failures.map(({ pointer }) => pointer)).toEqual(["/expect/0/actions/0", "/expect/0/only"]);
    expect(branch("c")[0]?.failures[0]?.pointer).toBe("/assume/branches/check");
  });
});

describe("a test that fails", () => {
  test("says where, what was expected, and what there was", () => {
    expect(
      differences({
        expect: [{ at: "P1D", status: "completed", states: ["done"], variables: { name: "Bob", age: 1 } }],
      }),
    ).toEqual([
      ["/expect/0/status", "completed", "waiting"],
      ["/expect/0/states", ["done"], ["asked"]],
      ["/expect/0/variables/name", "Bob", "Ada"],
      ["/expect/0/variables/age", 1, null],
    ]);
    expect(failures({ expect: [{ states: ["asked"] }] })).toEqual([
      naming("/expect/0/states", '["asked"]', '["reminded"]'),
    ]);
    const nested = { variables: { name: { first: ["a", { b: 1, c: 2 }] } } };
    expect(
      tested({ ...nested, expect: [{ at: 0, variables: { name: { first: ["a", { c: 2, b: 1 }] } } }] }).passed,
    ).toBe(true);
    expect(failures({ ...nested, expect: [{ at: 0, variables: { name: { first: ["a"] } } }] })).toHaveLength(1);
  });

  test("compares an action with the one that comes nearest", () => {
    const checks = (expected: NonNullable<DefinitionTest["expect"][number]["actions"]>) => [{ actions: expected }];
    expect(
      differences({ expect: checks([{ action: "remind", at: "P4D", status: "failed", attempts: 3, reason: "late" }]) }),
    ).toEqual([
      ["/expect/0/actions/0/at", "2026-01-09T09:00:00.000Z", "2026-01-08T09:00:00.000Z"],
      ["/expect/0/actions/0/status", "failed", "ok"],
      ["/expect/0/actions/0/reason", "late", null],
      ["/expect/0/actions/0/attempts", 3, 1],
    ]);
    expect(failures({ expect: checks([{ action: "ask" }, { action: "ask" }]) })).toEqual([
      naming("/expect/0/actions/1", "ask", "ask 2026-01-05T09:00:00.000Z", "remind 2026-01-08T09:00:00.000Z"),
    ]);
    expect(differences({ expect: checks([{ action: "ask", config: { to: "Bob" } }]) })).toEqual([
      ["/expect/0/actions/0/config/to", "Bob", "Ada"],
    ]);
    const paid = [{ at: 0, event: "paid" }];
    expect(differences({ given: paid, expect: checks([{ action: "never" }]) })).toEqual([
      ["/expect/0/actions/0/status", expect.any(String), "skipped"],
    ]);
    const idle = machine({ states: { a: {} }, actions: [action("x")] });
    expect(failures({ expect: checks([{ action: "x" }]) }, idle)).toEqual([naming("/expect/0/actions/0", "x")]);
    const never = machine({
      states: { a: {} },
      actions: [action("x", { triggerState: "a", condition: { "/": [1, []] } })],
    });
    expect(failures({ expect: checks([{ action: "x", config: { to: "Bob" }, status: "failed" }]) }, never)[0]).toMatch(
      /config/,
    );
  });

  test("where nothing else may be done says what there is besides", () => {
    expect(failures({ expect: [{ actions: [{ action: "ask" }], only: true }] })).toEqual([
      naming("/expect/0/only", "remind 2026-01-08T09:00:00.000Z"),
    ]);
  });

  test("because it cannot be started, or costs more than all may, says so", () => {
    const declared = machine({ ...reminder, input: { type: "object", required: ["email"] } });
    expect(failures({}, declared)[0]).toMatch(/^\/expect\/0 .*\bemail\b/);
    const minutely = machine({
      states: { a: {} },
      actions: [action("ping", { triggerState: "a", schedule: "* * * * *" })],
    });
    expect(failures({}, minutely)[0]).toMatch(/^\/expect\/0 .*\b(actions|steps)\b/);
    expect(tested({ expect: [{ at: "PT5M", actions: [{ action: "ping", at: "PT1M" }] }] }, minutely).passed).toBe(true);
  });

  test("in many places reports the first ones", () => {
    const many = Array.from({ length: TEST_FAILURES_LISTED_MAX + 5 }, () => ({ action: "never" }));
    const { failures: told, more, blocking } = tested({ blocking: true, expect: [{ actions: many }] });
    expect([told.length, more, blocking]).toEqual([TEST_FAILURES_LISTED_MAX, 5, true]);
  });
});

test("names that the definition does not have are found, wherever they stand", () => {
  const tests = [
    {
      name: "it",
      assume: { actions: { ask: {}, "*": {}, asc: {} }, branches: { a: "b" } },
      given: [
        { at: 0, retry: "ask" },
        { at: 0, archive: "asq" },
        { at: { reached: "asked" }, event: "x" },
        { at: { reached: "nowhere" }, retry: "rmind" },
      ],
      expect: [{ states: ["asked", "dne"], actions: [{ action: "remnd" }] }, { status: "failed" as const }],
    },
    { name: "plain", expect: [{ states: ["done"] }] },
  ];
  expect(testFindings(openNames(reminder), tests, ["tests"]).map(({ pointer, hint }) => [pointer, hint])).toEqual([
    ["/tests/0/assume/actions/asc", naming('"ask"')],
    ["/tests/0/assume/branches/a", undefined],
    ["/tests/0/given/1/archive", naming('"ask"')],
    ["/tests/0/given/3/retry", naming('"remind"')],
    ["/tests/0/given/3/at/reached", naming("asked, reminded, done")],
    ["/tests/0/expect/0/states/1", naming('"done"')],
    ["/tests/0/expect/0/actions/0/action", naming('"remind"')],
  ]);
  const empty = machine({ states: { a: {} } });
  expect(
    testFindings(openNames(empty), [{ name: "it", expect: [{ actions: [{ action: "x" }] }] }], [])[0]?.hint,
  ).toEqual(notNaming("a"));
});
