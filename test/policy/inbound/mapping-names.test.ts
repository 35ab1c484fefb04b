// Names that the rules and templates of a trigger's mapping read.
import { expect, test } from "vitest";
import { mappingNameWarnings } from "#policy/inbound/mapping-names.ts";

type Mapping = Parameters<typeof mappingNameWarnings>[0];
const target = { kind: "start", definition: "order" } as const;

test.each<[string, Mapping, readonly string[]]>([
  ["nothing", { target }, []],
  [
    "known names",
    {
      when: { "==": [{ var: "request.body.a" }, { var: "now" }] },
      sequence: { value: { var: "request.body.version" }, by: { var: "trigger.id" } },
      target: { ...target, variables: { a: "{{ request.body.a }}", list: [null, 5, "{{ tenant.id }}"] } },
    },
    [],
  ],
  [
    "names of a loop",
    { target: { ...target, assign: { a: { map: [{ var: "request.body.l" }, { var: "id" }] } } } },
    [],
  ],
  ["a name that a template sets", { target: { ...target, correlationId: "{% assign a = 1 %}{{ a }}" } }, []],
  ["a condition as a text", { when: '{"var":"body.a"}', target }, ["/when"]],
  ["a condition that cannot be read", { when: "a ==", target }, []],
  [
    "unknown names",
    {
      when: { "==": [{ var: "message.type" }, { var: "" }] },
      sequence: { value: { var: "body.version" }, by: { var: "message.id" } },
      target: { ...target, variables: { a: "{{ message.payload.a }}" }, assign: { b: { var: "query.b" } } },
    },
    ["/when", "/sequence/value", "/sequence/by", "/target/assign/b", "/target/variables/a"],
  ],
])("%s", (_what, mapping, pointers) => {
  const warnings = mappingNameWarnings(mapping);
  expect(warnings.map(({ pointer, code }) => [pointer, code])).toEqual(pointers.map((at) => [at, "unknown_path"]));
});

test("a field of the request without its name is corrected", () => {
  const fixOf = (key: string) =>
    mappingNameWarnings({ target: { kind: "correlate", key, type: "paid" } }).map(({ fix }) => fix);
  expect(fixOf("{{ body.id }}")).toEqual([expect.stringContaining("request.body.id")]);
  expect(fixOf("{{ message.id }}")).toEqual([expect.stringContaining("trigger, tenant, now")]);
});
