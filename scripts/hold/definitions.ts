// Definitions that are allowed, and cost the most to check, test, compare or play.

export type Body = (n: number) => unknown;

const list = <T>(count: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const record = <T>(count: number, make: (n: number) => readonly [string, T]) => Object.fromEntries(list(count, make));
const machine = (name: string, part: object): object => ({ kind: "machine", name, initial: "a", ...part });
const webhook = (payload: object) => ({ type: "webhook", config: { url: "https://e.example", payload } });
const ended = { a: { on: { "action.call.ok": "b", "action.call.failed": "b" } }, b: { type: "final" } };

/** A template that walks a list for each item of a list. */
const LOOP = "{% for i in (1..300) %}{% for j in (1..300) %}{% endfor %}{% endfor %}";
export const looping = { ...webhook({ text: LOOP }), actionId: "call", triggerState: "a" };

/** Each step renders the template. */
export const loops: object = machine("loops", { states: ended, actions: [looping] });

/** Each event adds up a list for each item of another list. */
const sums = {
  map: [
    { var: "execution.variables.rows" },
    { reduce: [{ preserve: list(100, (n) => n) }, { "+": [{ var: "accumulator" }, { var: "current" }] }, 0] },
  ],
};

/** With a name of its own each time, so that it is stored. */
export const tested: Body = (n) =>
  machine(`tested-${n}`, {
    variables: { rows: list(300, (row) => row) },
    states: { a: { on: { go: { target: "a", assign: { sums } } } } },
    tests: list(50, (at) => ({
      name: `test ${at}`,
      given: list(20, () => ({ at: "PT1M", event: "go" })),
      expect: [{ states: ["a"] }],
    })),
  });

/** Very many templates, all of which name variables that are not declared. */
const texts = machine("texts", {
  input: { properties: record(400, (n) => [`name_${n}`, {}]), additionalProperties: false },
  states: ended,
  actions: list(4, (n) => ({
    ...webhook({ text: list(1_300, (at) => `{{ execution.variables.nmae_${at} }}`).join(" ") }),
    actionId: n === 0 ? "call" : `call_${n}`,
    triggerState: "a",
  })),
});

/** States in one with a guarded transition, and very many variables that are set on entering it. */
const around = machine("around", {
  states: {
    a: {
      initial: "s0",
      entry: [{ assign: record(3_000, (n) => [`v${n}`, 1]) }],
      always: { guard: { "==": [{ var: "execution.variables.other" }, "x".repeat(60_000)] }, target: "#b" },
      states: record(490, (n) => [`s${n}`, {}]),
    },
    b: { type: "final" },
  },
});

/** Very many delays around states with actions. */
const delays = machine("delays", {
  after: record(4_000, (n) => [`P${n + 1}D`, "a"]),
  states: { a: {}, ...record(199, (n) => [`s${n}`, {}]) },
  actions: list(200, (n) => ({ ...webhook({}), actionId: `c${n}`, triggerState: n === 0 ? "a" : `s${n - 1}` })),
});

/** Lists of lists, all numbers of which are others in the next version. */
export const lists: Body = (n) => {
  const numbers = (from: number) => list(400, (at) => 1_000 * n + from + at);
  return machine("lists", { states: ended, actions: [{ ...looping, ...webhook({ lists: list(50, numbers) }) }] });
};

export const checked: readonly { readonly name: string; readonly body: Body }[] = [
  { name: "undeclared names in texts", body: () => texts },
  { name: "variables set around states", body: () => around },
  { name: "delays around states", body: () => delays },
  { name: "lists of lists", body: lists },
  { name: "50 tests", body: tested },
];
