// A virtual run returns to its driver between parts. Parts are counted in cost units, also within one step.
import { describe, expect, test } from "vitest";
import type { Computation } from "#kernel/computing/computation.ts";
import { compile } from "#kernel/programs/compile.ts";
import { testDefinition } from "#kernel/virtual/test-definition.ts";
import { openPlayBudget, runVirtually } from "#kernel/virtual/virtual-run.ts";
import { definition } from "#schema/definition/definition.ts";
import { COMPUTATION_PAUSE_UNITS } from "#schema/limits/isolates/computations.ts";
import { STEP_WORK_MAX } from "#schema/limits/executions.ts";
import { action, machine, minute, T0 } from "#test/support/drive.ts";
import { askOf } from "./played.ts";

type Driven<T> = { readonly value: T; readonly parts: number; readonly largest: number; readonly units: number };

function driven<T>(computation: Computation<T>): Driven<T> {
  let [parts, largest, units] = [0, 0, 0];
  for (;;) {
    const part = computation.next();
    if (part.done === true) return { value: part.value, parts, largest, units };
    parts += 1;
    largest = Math.max(largest, part.value);
    units += part.value;
  }
}

/** A pause comes at the first possible place; work before it is repeated, or read from the log. */
const LARGEST = 5 * COMPUTATION_PAUSE_UNITS;

const list = <T>(count: number, item: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => item(n));
const back = { a: { after: { PT1M: "b" } }, b: { after: { PT1M: "a" } } };
const rows = list(120, () => list(120, () => 0));
const none = { some: [{ var: "" }, { "===": [{ var: "" }, 1] }] };
/** Some hundred thousand units for each evaluation. */
const dear = { "!!": [{ filter: [{ var: "execution.variables.rows" }, none] }] };
const rendering = (text: string) =>
  machine({
    variables: { rows: list(150, () => "x") },
    states: back,
    actions: [action("call", { triggerState: "a", config: { url: "https://example.com", text } })],
  });
const looped = (inside: string) =>
  `{% for a in execution.variables.rows %}{% for b in execution.variables.rows %}${inside}{% endfor %}{% endfor %}`;

const dearSteps = {
  "a rule of many actions": machine({
    variables: { rows },
    states: back,
    actions: list(5, (n) => action(`call${n}`, { triggerState: "a", condition: dear })),
  }),
  "a rule that walks one long list": machine({
    variables: { rows: list(50_000, () => 0) },
    states: back,
    actions: [action("call", { triggerState: "a", condition: { some: [{ var: "execution.variables.rows" }, none] } })],
  }),
  "a guard": machine({
    variables: { rows },
    states: { a: { after: { PT1M: [{ target: "b", guard: dear }, { target: "c" }] } }, b: {}, c: {} },
  }),
  "a template that renders much": rendering(looped("{{ a }}{{ b }}")),
  "a template that renders nothing": rendering(looped("{% if a == 'y' %}{{ b }}{% endif %}")),
  "many actions that come due often": machine({
    states: { a: {} },
    actions: list(20, (n) => action(`call${n}`, { triggerState: "a", schedule: "* * * * *" })),
  }),
  "many that are rarely due": machine({
    timezone: "Europe/Zurich",
    states: { a: {} },
    actions: list(150, (n) => action(`call${n}`, { triggerState: "a", schedule: "1 2 29 2 *" })),
  }),
  "variables of many names": machine({
    variables: Object.fromEntries(list(10_000, (n) => [`name${n}`, n])),
    states: back,
  }),
  "a list that a node is repeated for": {
    kind: "journey",
    name: "j",
    initial: "each",
    variables: { rows: list(500, (n) => `r${n}`) },
    nodes: {
      each: {
        type: "each",
        over: { var: "execution.variables.rows" },
        node: { type: "webhook", config: { url: "https://example.com/{{ item }}" } },
      },
    },
  },
  "many nodes at once": {
    kind: "journey",
    name: "j",
    initial: "first",
    nodes: {
      first: { type: "delay", for: "PT1M", next: list(100, (n) => `n${n}`) },
      ...Object.fromEntries(list(100, (n) => [`n${n}`, { type: "webhook", config: { url: "https://example.com" } }])),
    },
  },
  "many rules that are waited for": {
    kind: "journey",
    name: "j",
    variables: { rows: list(500, () => 0) },
    initial: list(60, (n) => `n${n}`),
    nodes: Object.fromEntries(
      list(60, (n) => [
        `n${n}`,
        { type: "wait", for: [{ when: { some: [{ var: "execution.variables.rows" }, { "===": [{ var: "" }, 1] }] } }] },
      ]),
    ),
  },
};

describe("a part of a virtual run stays small", () => {
  test.each(Object.entries(dearSteps))("%s", (_what, body) => {
    const { value, largest, units } = driven(runVirtually(askOf(body, { until: T0 + 20 * minute })));
    expect(value.ok).toBe(true);
    expect(units).toBeGreaterThan(0);
    expect(largest).toBeLessThan(LARGEST);
  });

  test("of a step that fails because it costs too much, too", () => {
    const body = machine({
      variables: { rows },
      states: { a: {} },
      actions: list(20, (n) => action(`call${n}`, { triggerState: "a", condition: dear })),
    });
    const { largest, units } = driven(runVirtually(askOf(body)));
    expect(units).toBeGreaterThanOrEqual(STEP_WORK_MAX);
    expect(largest).toBeLessThan(LARGEST);
  });

  test("of starts and events that are refused, which are counted as well", () => {
    const input = { type: "object", properties: { word: { type: "string", pattern: "^(a|aa|aaa)*b$" } } } as const;
    const starting = machine({ input, states: { a: {} } });
    const refused = driven(runVirtually(askOf(starting, { variables: { word: "a".repeat(20_000) } })));
    expect([refused.value.ok, refused.units > 50_000]).toEqual([false, true]);
    const asking = machine({ variables: { rows }, states: { a: { on: { go: { target: "b", guard: dear } } }, b: {} } });
    const given = list(3, (n) => ({ at: n * minute, event: "go" }));
    const events = driven(runVirtually(askOf(asking, { given })));
    expect(events.units).toBeGreaterThan(3 * 40_000);
    expect(events.largest).toBeLessThan(LARGEST);
  });

  test("of the rule for a window's zone and of that for a subject, which no step pays for", () => {
    const zone = { if: [dear, "UTC", "UTC"] };
    const node = {
      type: "webhook",
      config: { url: "https://example.com" },
      window: { from: "08:00", to: "20:00", timezone: zone },
    };
    const journey = {
      kind: "journey",
      name: "j",
      initial: ["a", "b", "c"],
      variables: { rows },
      subject: { if: [dear, "one", "one"] },
      nodes: { a: node, b: node, c: node },
    };
    const { value, largest, units } = driven(runVirtually(askOf(journey)));
    expect(value.ok).toBe(true);
    expect(units).toBeGreaterThan(4 * 40_000);
    expect(largest).toBeLessThan(LARGEST);
  });
});

test("fifty tests of a definition are run in small parts", () => {
  const tested = definition.parse(dearSteps["a template that renders much"]);
  const tests = list(50, (n) => ({ name: `t${n}`, expect: [{ at: "PT3M", status: "waiting" as const }] }));
  const { value, largest, parts } = driven(testDefinition(tested, tests));
  expect(value.length).toBe(50);
  expect(parts).toBeGreaterThan(50);
  expect(largest).toBeLessThan(LARGEST);
});

test("a virtual run's result does not depend on other runs that share its budget", () => {
  const program = compile(definition.parse(dearSteps["a guard"]));
  const alone = driven(runVirtually(askOf({}, { program })));
  const purse = openPlayBudget();
  driven(runVirtually(askOf({}, { program, budget: purse })));
  expect(driven(runVirtually(askOf({}, { program, budget: purse }))).value).toEqual(alone.value);
});
