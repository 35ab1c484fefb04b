// Counts the work of checks for an input and for one of twice the size, and prints both by case. A process of its own,
// because V8 counts blocks only of functions that are compiled afterwards.
import { countWork } from "./count-work.ts";
import { schemaViolations } from "#kernel/declared/schema-violations.ts";
import { firstPlace, lastPlace, piecesOf } from "#kernel/language/search.ts";
import { parseMessagePart } from "#kernel/language/template.ts";
import { unquotedOutputs } from "#kernel/language/unquoted-outputs.ts";
import { openWork } from "#kernel/computing/work.ts";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";
import { openNames, testFindings } from "#kernel/virtual/unknown-names.ts";
import { definition, type Definition } from "#schema/definition/definition.ts";
import { zodFindings } from "#schema/findings.ts";

const list = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const record = <T>(count: number, make: (n: number) => readonly [string, T]) => Object.fromEntries(list(count, make));
const machine = (part: object): Definition =>
  definition.parse({ kind: "machine", name: "sample", initial: "a", ...part });
const journey = (nodes: object, part: object = {}): Definition =>
  definition.parse({ kind: "journey", name: "sample", initial: "n0", nodes, ...part });
const webhook = { type: "webhook", config: { url: "https://example.com" } };
const mail = (html: string) => {
  const config = { to: "ada@example.com", subject: "Hello", html };
  return machine({ states: { a: {} }, actions: [{ actionId: "mail", type: "email", triggerState: "a", config }] });
};
const invalid = (body: object): number => {
  const parsed = definition.safeParse(body);
  return parsed.success ? 0 : zodFindings(parsed.error, definition, body).length;
};

/** `size` is half of what is measured second. Everything is made before it is counted. */
type Case = { readonly size: number; readonly make: (size: number) => () => unknown };

const cases: { readonly [what: string]: Case } = {
  "unknown targets": {
    size: 2_000,
    make: (size) => {
      const states = {
        a: { on: record(size, (n) => [`e${n}`, `sttae_${n}`]) },
        ...record(200, (n) => [`state_${n}`, {}]),
      };
      const made = machine({ states });
      return () => verify(made);
    },
  },
  "unknown actions": {
    size: 100,
    make: (size) => {
      const states = record(size, (n) => [n === 0 ? "a" : `s${n}`, { entry: list(20, (k) => `atcion_${n}_${k}`) }]);
      const actions = list(100, (n) => ({ actionId: `action_${n}`, ...webhook }));
      const made = machine({ states, actions });
      return () => verify(made);
    },
  },
  "unknown nodes": {
    size: 200,
    make: (size) => {
      const made = journey(
        record(size, (n) => [`n${n}`, { type: "delay", for: "P1D", next: list(9, (k) => `x${n}_${k}`) }]),
      );
      return () => verify(made);
    },
  },
  "events that nodes wait for": {
    size: 100,
    make: (size) => {
      const wait = (n: number) => ({ type: "wait", for: list(20, (k) => ({ event: `e${n}_${k}` })), next: `m${n}` });
      const nodes = record(size, (n) => [`n${n}`, wait(n)]);
      const made = journey(
        { ...nodes, ...record(size, (n) => [`m${n}`, webhook]) },
        { initial: Object.keys(nodes).slice(0, 100) },
      );
      return () => verify(made);
    },
  },
  "unknown fields": {
    size: 4_000,
    make: (size) => {
      const state = record(size, (n) => [`field_${n}`, 1]);
      const body = { kind: "machine", name: "sample", initial: "a", states: { a: state } };
      return () => invalid(body);
    },
  },
  "names of actions in tests": {
    size: 100,
    make: (size) => {
      const made = journey(record(200, (n) => [`n${n}`, webhook]));
      const tests = [{ name: "it", expect: [{ actions: list(size, (n) => ({ action: `n${n}` })) }] }];
      return () => testFindings(openNames(made), tests, []);
    },
  },
  "unknown names in a template": {
    size: 700,
    make: (size) => {
      const made = mail(list(size, (n) => `{{ vars.v${n} }}`).join(" "));
      return () => warningsOf(made);
    },
  },
  "states that start and hear actions": {
    size: 60,
    make: (size) => {
      const states = record(size, (n) => [n === 0 ? "a" : `s${n}`, { entry: ["call"], on: { go: "a" } }]);
      const made = machine({ states, actions: [{ actionId: "call", ...webhook }] });
      return () => warningsOf(made);
    },
  },
  "a message of many names": {
    size: 1_000,
    make: (size) => {
      const text = list(size, (n) => `{{ a${n} }}\n`).join("");
      return () => parseMessagePart(text, "html");
    },
  },
  "a message of many arguments": {
    size: 4_000,
    make: (size) => {
      const text = `{{ a | default: ${list(size, () => "b").join(", ")} }}`;
      return () => parseMessagePart(text, "html");
    },
  },
  "undeclared names in a template": {
    size: 300,
    make: (size) => {
      const html = list(size, (n) => `{{ execution.variables.nmae_${n} }}`).join(" ");
      const input = { properties: record(100, (n) => [`name_${n}`, {}]), additionalProperties: false };
      const made = { ...mail(html), input: definition.parse({ ...mail(""), input }).input };
      return () => warningsOf(made);
    },
  },
  "variables that are set around a loop": {
    size: 60,
    make: (size) => {
      const guard = { "==": [{ var: "execution.variables.other" }, "x"] };
      const around = {
        entry: [{ assign: record(size * 10, (n) => [`v${n}`, 1]) }],
        always: { guard, target: "#b" },
        initial: "s0",
        states: record(size, (n) => [`s${n}`, {}]),
      };
      const made = machine({ states: { a: around, b: {} } });
      return () => warningsOf(made);
    },
  },
  "delays around states with actions": {
    size: 50,
    make: (size) => {
      const made = machine({
        after: record(size * 10, (n) => [`P${n + 1}D`, "a"]),
        states: record(size, (n) => [n === 0 ? "a" : `s${n}`, {}]),
        actions: list(size, (n) => ({ actionId: `a${n}`, triggerState: n === 0 ? "a" : `s${n}`, ...webhook })),
      });
      return () => warningsOf(made);
    },
  },
  "states that start what others hear": {
    size: 60,
    make: (size) => {
      const start = (n: number) => ({ entry: list(4, (k) => `call${k}`), on: { go: `h${n}` } });
      const hear = { on: record(4, (k) => [`action.call${k}.ok`, "a"]) };
      const states = { a: {}, ...record(size, (n) => [`s${n}`, start(n)]), ...record(size, (n) => [`h${n}`, hear]) };
      const made = machine({ states, actions: list(4, (k) => ({ actionId: `call${k}`, ...webhook })) });
      return () => warningsOf(made);
    },
  },
  "bounds of one path": {
    size: 100,
    make: (size) => {
      const guard = { and: list(size, (n) => ({ [n % 2 === 0 ? ">" : "<"]: [{ var: "message.payload.n" }, n % 2] })) };
      const made = machine({ states: { a: { on: { go: { guard, target: "a" } } } } });
      return () => warningsOf(made);
    },
  },
  "braces without an end": { size: 10_000, make: (size) => () => unquotedOutputs("{{ ".repeat(size)) },
  "a long part of a long text": {
    size: 4_000,
    make: (size) => {
      const part = `${"a".repeat(size)}b${"a".repeat(size)}`;
      const text = "a".repeat(4 * size);
      return () => [firstPlace(text, part), lastPlace(text, part), piecesOf(text, part)];
    },
  },
  "items of none of the kinds that are declared": {
    size: 2_000,
    make: (size) => {
      const schema = { contains: { enum: list(10, (n) => `kind ${n}`) } };
      const items = list(size, () => 1);
      return () => schemaViolations(schema, items, "", openWork());
    },
  },
};

const counted = Object.entries(cases).map(([what, { size, make }]) => {
  const [once, twice] = [make(size), make(2 * size)];
  once(); // what is made at first use is made
  return { what, size, before: countWork(make(size)), after: countWork(twice) };
});
console.log(JSON.stringify(counted));
