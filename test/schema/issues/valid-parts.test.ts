// Valid parts: what is left of a refused definition, and which findings about it the client gets.
import { expect, it } from "vitest";
import { definition } from "#schema/definition/definition.ts";
import { zodFindings } from "#schema/findings.ts";
import { validParts, wholeDefinition } from "#schema/issues/valid-parts.ts";

const machine = { kind: "machine", name: "order", initial: "a", states: { a: { entry: ["ship"] } } };
const action = (actionId: string, over: object = {}) => ({ actionId, type: "http", config: {}, ...over });

function partsOf(body: unknown) {
  const parsed = definition.safeParse(body);
  return parsed.success ? wholeDefinition(parsed.data) : validParts(body, zodFindings(parsed.error, definition, body));
}

it("a definition without faults is whole", () => {
  const parts = partsOf(machine);
  expect(parts).toMatchObject({ rest: machine, isWhole: true });
  expect(parts?.ofWhole([{ pointer: "/x", code: "y" }])).toEqual([{ pointer: "/x", code: "y" }]);
});

it("unknown fields and invalid values are removed, and a name is replaced", () => {
  const broken = { ...machine, foo: 1, name: "No Name", timezone: "Berlin", concurrency: "2" };
  expect(partsOf(broken)).toMatchObject({ rest: { ...machine, name: "unnamed" }, isWhole: false });
  expect(Object.keys(partsOf(broken)?.rest ?? {})).not.toContain("timezone");
});

it("an item without a required field is removed, and pointers still lead to the items that the client sent", () => {
  const broken = {
    ...machine,
    actions: [action("one"), { actionId: "two" }, { type: "http" }, action("four", { x: 1 })],
  };
  const parts = partsOf(broken);
  expect(parts?.rest.kind === "machine" && parts.rest.actions).toEqual([action("one"), action("four")]);
  const found = [
    { pointer: "/actions/0/type", code: "unknown_action_type" },
    { pointer: "/actions/1/config/url", code: "b" },
  ];
  expect(parts?.ofWhole(found)).toEqual([found[0], { pointer: "/actions/3/config/url", code: "b" }]);
});

it("a finding that the removal may have caused is left out", () => {
  const broken = {
    ...machine,
    delays: { soon: 5 },
    actions: [{ actionId: "ship" }, action("mail", { delay: "soon" })],
  };
  const parts = partsOf(broken);
  const found = [
    { pointer: "/states/a/entry/0", code: "unknown_action" },
    { pointer: "/actions/0/delay", code: "unknown_delay" },
    { pointer: "/states", code: "endless_loop" },
    { pointer: "/delays", code: "limit_exceeded" },
    { pointer: "/delays/soon", code: "offset" },
  ];
  expect(parts?.ofWhole(found).map(({ code }) => code)).toEqual(["limit_exceeded"]);
});

it("nothing is left if the kind or a field that each definition needs is refused", () => {
  expect(partsOf(5)).toBeNull();
  expect(partsOf({ ...machine, kind: "machin" })).toBeNull();
  expect(partsOf({ ...machine, states: 5 })).toBeNull();
});

it("a part with very many words is taken for one that names a removed part", () => {
  const text = "word ".repeat(2_000);
  const parts = partsOf({ ...machine, foo: 1, description: "one two", variables: { text, few: "one two" } });
  const found = ["text", "few"].map((name) => ({ pointer: `/variables/${name}`, code: "unknown_event" }));
  expect(parts?.ofWhole(found)).toEqual([found[1]]);
});
