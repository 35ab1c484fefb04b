// Limits on starts of machines, reconcilers and journeys are verified alike: their keys may read only the start.
import { expect, test } from "vitest";
import { verify } from "#test/kernel/verify/at-once.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Rule } from "#schema/json.ts";
import { machine } from "#test/support/drive.ts";
import { journey } from "../../programs/journey/drive-journey.ts";
import { reconciler } from "../../programs/reconciler/drive-reconciler.ts";

const limited = (key: Rule) => ({ limit: [{ key, concurrency: 1 }] });
const kinds: readonly (readonly [string, (key: Rule) => Definition])[] = [
  ["machine", (key) => machine({ ...limited(key), states: { a: { type: "final" } } })],
  ["journey", (key) => journey({ ...limited(key), nodes: { a: { type: "delay", for: "PT1H" } } })],
  ["reconciler", (key) => reconciler({ ...limited(key), states: { A: {} } })],
];
const found = (definition: Definition) => verify(definition).map(({ pointer, code }) => [pointer, code]);

test.each(kinds)("a %s accepts keys of its start, and refuses others with their pointer", (_kind, withKey) => {
  expect(found(withKey({ var: "execution.variables.customerId" }))).toEqual([]);
  expect(found(withKey({ cat: [{ var: "tenant.id" }, "/", { var: "execution.correlationId" }] }))).toEqual([]);
  for (const path of ["message.payload.id", "currentState", "execution.nonsense", "customerId"])
    expect(found(withKey({ var: path }))).toEqual([["/limit/0/key/var", "not_known_at_start"]]);
  expect(found(withKey({ nonsense: [1] })).map(([pointer]) => pointer)).toEqual([
    expect.stringContaining("/limit/0/key"),
  ]);
});

test("a key with a variable that no start can have is refused", () => {
  const withInput = (variable: string, input: object) =>
    found(
      machine({
        ...limited({ var: `execution.variables.${variable}` }),
        input: { type: "object", properties: { customer: { type: "string" } }, ...input },
        variables: { plan: "basic" },
        states: { a: { type: "final" } },
      }),
    );
  const closed = { additionalProperties: false };
  for (const name of ["costumer", "zzz"])
    expect(withInput(name, closed)).toEqual([["/limit/0/key/var", "unknown_variable"]]);
  for (const name of ["customer", "plan"]) expect(withInput(name, closed)).toEqual([]);
  expect(withInput("costumer", {})).toEqual([]);
  const bare = { ...limited({ var: "execution.variables" }), states: { a: { type: "final" as const } } };
  expect(found(machine({ ...bare, input: { type: "object", ...closed } }))).toEqual([]);
  const none = { ...limited({ var: "execution.variables.x" }), states: { a: { type: "final" as const } } };
  expect(found(machine({ ...none, input: { type: "object", ...closed } }))).toHaveLength(1);
});
