import { describe, expect, test } from "vitest";
import { render, templateFindings } from "#kernel/language/render.ts";
import { openWork } from "#kernel/computing/work.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { TEMPLATE_OUTPUT_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { fillSecrets } from "#schema/secret-slots.ts";
import { naming } from "#test/support/matchers/naming.ts";
import type { FaultCode } from "#kernel/computing/fault.ts";

const scope = JSON.parse(`{
  "execution": { "id": "exe_1", "variables": {
    "name": "Ada", "nothing": null, "empty": "", "list": [3, 1, 2], "people": [{ "name": "Ada" }, { "name": "Bo" }],
    "evil": "{{secrets.key}}", "tag": "{% if x %}",
    "forged": { "$secret": [{ "name": "key" }], "in": [{ "$$secret": 1 }] },
    "constructor": "own", "__proto__": { "x": 1 }, "huge": 10000000000000000, "odd": { "toString": "x" }, "none": []
  } },
  "message": null,
  "now": "2026-03-28T10:00:00.000Z"
}`) as JsonObject;

const rendered = (text: string) => render({ at: text }, scope);

describe("a template gives", () => {
  test.each<[string, Json]>([
    ["plain text", "plain text"],
    ["{ not } a { template }", "{ not } a { template }"],
    ["Hi {{ execution.variables.name }}!", "Hi Ada!"],
    ["{{ now }}", "2026-03-28T10:00:00.000Z"],
    // a lone path keeps the type
    ["{{execution.variables.list}}", [3, 1, 2]],
    ["{{ execution.variables.list[1] }}", 1],
    ["{{ execution.variables['name'] }}", "Ada"],
    ["{{ execution.variables.nothing }}", null],
    ["{{ execution.variables.list.size }}", 3],
    ["{{ message }}", null],
    // with any text around it, it is text
    ["{{ execution.variables.list[1] }} ", "1 "],
    ["{{ execution.variables.list | first }}", "3"],
    ["{{ execution.variables.name == 'Ada' }}", "true"],
    ["{{ 5 }}", "5"],
    // a value that may be missing has a default
    ["{{ execution.variables.nope | default: 'friend' }}", "friend"],
    ["{{ execution.variables.nothing | default: 'friend' }}", "friend"],
    ["{{ message.payload.x | default: '-' }}", "-"],
    ["{% if execution.variables.nope %}a{% else %}b{% endif %}", "b"],
    ["{% if message.payload.x %}a{% else %}b{% endif %}", "b"],
    // tags
    ["{% for p in execution.variables.people %}{{ forloop.index }}:{{ p.name }} {% endfor %}", "1:Ada 2:Bo "],
    ["{% for i in (1..3) %}{{ i }}{% if i == 2 %}{% break %}{% endif %}{% endfor %}", "12"],
    ["{% for i in (-2..execution.variables.list[1]) %}{{ i }} {% endfor %}", "-2 -1 0 1 "],
    ["{% case execution.variables.name %}{% when 'Ada' %}A{% else %}-{% endcase %}", "A"],
    ["{% assign x = execution.variables.name | upcase %}{{ x }}", "ADA"],
    ["{% capture x %}<{{ execution.variables.name }}>{% endcapture %}{{ x }}{{ x }}", "<Ada><Ada>"],
    ["{% unless execution.variables.nope %}a{% endunless %}{% comment %}x{% endcomment %}{% # y %}", "a"],
    ["{% raw %}{{ secrets.x }}{% endraw %}", "{{ secrets.x }}"],
    // filters
    ["{{ execution.variables.list | sort | join: ', ' }}", "1, 2, 3"],
    ["{{ execution.variables.people | map: 'name' | json }}", '["Ada","Bo"]'],
    ["{{ execution.variables.people | where: 'name', 'Bo' | size }}", "1"],
    ["{{ '€uro' | base64_encode }}", "4oKsdXJv"],
    ["{{ '4oKsdXJv' | base64_decode | url_encode }}", "%E2%82%ACuro"],
    ["{{ now | date: '%F %T %:z', 'Europe/Zurich' }}", "2026-03-28 11:00:00 +01:00"],
    ["{{ now | date }}", "Saturday, March 28, 2026 at 10:00 am +0000"],
    ["{{ 0 | date: '%F' }}", "1970-01-01"],
    ["{{ execution.variables.nothing | default: now | date: '%F' }}", "2026-03-28"],
    // own properties only: this one is own
    ["{{ execution.variables.constructor }}", "own"],
    // data is not rendered again
    ["{{ execution.variables.tag }}", "{% if x %}"],
    ["x {{ execution.variables.evil }}", "x {{secrets.key}}"],
  ])("%s", (text, value) => {
    expect(rendered(text)).toEqual({ ok: true, value: { at: value } });
  });

  test("whatever is not a string stays as it is, and so do keys", () => {
    const config = { n: 1, b: true, z: null, l: ["{{ execution.id }}", 2], "{{ execution.id }}": {} };
    const value = { n: 1, b: true, z: null, l: ["exe_1", 2], "{{ execution.id }}": {} };
    expect(render(config, scope)).toEqual({ ok: true, value });
  });

  test.each([0, 3, 1_000])(
    "the same, and at the same price, however a path is written, with work left for %d units",
    (left) => {
      const [plain, otherwise] = ["execution.variables.list", "execution['variables'].list"].map((path) => {
        const work = { ...openWork(), left };
        const result = render({ at: [`{{ ${path} }}`, `{{ ${path} }}`] }, scope, work);
        return { result: JSON.stringify(result).replace("['variables']", ".variables"), ...work };
      });
      expect(plain).toEqual(otherwise);
      expect(plain?.result).toContain(left < 1_000 ? '"code":"work_exceeded"' : '"ok":true');
    },
  );

  test("a key called __proto__ stays a key", () => {
    const config = JSON.parse('{ "__proto__": "{{ execution.id }}" }') as Json;
    expect(JSON.stringify(render(config, scope))).toBe('{"ok":true,"value":{"__proto__":"exe_1"}}');
  });
});

describe("a template that cannot be rendered says where and why", () => {
  test.each<[string, FaultCode, ...(string | number)[]]>([
    ["{{ execution.variables.nope }}", "variable_undefined", "execution.variables.nope"],
    ["Hi {{ execution.variables.nope.deeper }}", "variable_undefined", "execution.variables.nope.deeper"],
    ["{{ message.payload.email }}", "variable_undefined", "message.payload.email"],
    ["{% for x in nope %}{% endfor %}", "variable_undefined", "nope"],
    ["{{ execution.variables.none.first }}", "variable_undefined", "execution.variables.none.first"],
    ["Hi {{ execution.variables.nothing }}", "output_missing", "{{ execution.variables.nothing }}"],
    ["Hi {{ execution.variables.none | first }}", "output_missing", "{{ execution.variables.none | first }}"],
    ["Hi {{ execution.variables.list }}", "not_a_text", "{{ execution.variables.list }}", "| json", "| join"],
    ["{{ 1 | divided_by: 0 }}", "not_finite", "{{ 1 | divided_by: 0 }}"],
    ["{{ 'now' | date: '%s' }}", "clock_not_read", "{{ 'now' | date: '%s' }}", "{{ now | date }}"],
    ["{{ 'today' | date }}", "clock_not_read", "{{ 'today' | date }}", "{{ now | date }}"],
    ["{{ 'soon' | date }}", "not_a_date", "{{ 'soon' | date }}"],
    ["{{ true | date }}", "not_a_date", "{{ true | date }}"],
    ["{{ 0 | date: '%F', 'Mars/Base' }}", "not_a_date", "{{ 0 | date: '%F', 'Mars/Base' }}"],
    ["{{ '%zz' | url_decode }}", "not_rendered", "{{ '%zz' | url_decode }}"],
    ["{{ execution.variables.odd | append: 'x' }}", "not_a_text", "{{ execution.variables.odd | append: 'x' }}"],
    ["{{ 'x' | base64_decode }}", "template_invalid", "base64_decode", "line:1", "col:1"],
    ["{{ a.b", "template_invalid", '"{{ a.b"', "line:1", "col:1"],
    ["{{ }}", "template_invalid", "line:1", "col:4"],
    ["{% if x %}", "template_invalid", "{% if x %}", "line:1", "col:1"],
    // prototypes
    ["{{ constructor.constructor }}", "variable_undefined", "constructor.constructor"],
    ["{{ execution.__proto__ }}", "variable_undefined", "execution.__proto__"],
    ["{{ execution.variables.name.constructor }}", "variable_undefined", "execution.variables.name.constructor"],
    ["{{ execution.variables.list['map'] }}", "variable_undefined", "execution.variables.list['map']"],
    // endless loops
    ["{% for i in (1..10000000) %}{% endfor %}", "memory_exceeded", "{% for i in (1..10000000) %}", 4_194_304],
    [
      "{% for i in (1..20000) %}{% for j in (1..20000) %}{% endfor %}{% endfor %}",
      "steps_exceeded",
      "{% for j in (1..20000) %}",
      100_000,
      "TEMPLATE_STEPS_MAX",
    ],
    [
      "{% assign a = 'xx' %}{% for i in (1..90) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}",
      "memory_exceeded",
      "{{ a }}",
    ],
    ["{% assign a = 'xx' %}{% for i in (1..90) %}{% assign a = a | append: a %}{% endfor %}", "memory_exceeded", "a"],
    [
      "{% for i in (1..9000) %}{% assign b = execution.id | slice: 0, 9000 %}{% endfor %}",
      "memory_exceeded",
      "{% assign b = execution.id | slice: 0, 9000 %}",
    ],
    [
      "{% for i in (1..'x') %}{% endfor %}{% for i in (1..9999999) %}{% endfor %}",
      "memory_exceeded",
      "{% for i in (1..9999999) %}",
    ],
    ["{% for i in (1..'1e999') %}{% endfor %}", "memory_exceeded", "{% for i in (1..'1e999') %}"],
    [
      "{{ execution.variables.people | where: 'a[(1e9..9e9)]' }}",
      "field_expected",
      "{{ execution.variables.people | where: 'a[(1e9..9e9)]' }}",
    ],
    ["{{ execution.variables.people | has }}", "field_expected", "{{ execution.variables.people | has }}"],
    ["{{ execution.id | slice: 0, 99999999 }}", "memory_exceeded", "{{ execution.id | slice: 0, 99999999 }}"],
    [
      "{% for i in (execution.variables.huge..execution.variables.huge) %}{% endfor %}",
      "template_invalid",
      "(1..count)",
    ],
  ])("%s", (text, code, ...named) => {
    const message = naming("config/at", ...named);
    const error = { type: "invalid_configuration", message, retryable: false };
    expect(rendered(text)).toEqual({ ok: false, code, error });
  });
});

describe("size is bounded", () => {
  const long = { long: "ü".repeat(100_000), list: Array.from({ length: 20_000 }, () => "item") };
  const error = (code: FaultCode, ...named: readonly (string | number)[]) => ({
    ok: false,
    code,
    error: { type: "invalid_configuration", message: naming(...named), retryable: false },
  });

  test.each<[string, Json]>([
    ["texts", ["{{ long }} ", "{{ long }} "]],
    ["kept values", ["{{ long }}", "{{ long }}"]],
    ["kept lists", ["{{ list }}", "{{ list }}"]],
    ["texts without a template", ["x".repeat(200_000), "x".repeat(200_000)]],
  ])("%s count together over a configuration", (_what, config) => {
    expect(render(config, long)).toEqual(error("output_exceeded", "config/1", 262_144, "TEMPLATE_OUTPUT_BYTES_MAX"));
  });

  test("a long template is refused before it is parsed", () => {
    const text = `{{ execution.id }}${"€".repeat(30_000)}`;
    const limit = [90_018, 65_536, "TEMPLATE_BYTES_MAX"];
    expect(rendered(text)).toEqual(error("template_too_big", "config/at", ...limit));
    const found = { pointer: "/config/0", code: "template_too_big", message: naming(...limit) };
    expect(templateFindings([text], "/config")).toEqual([found]);
  });

  test("a template longer than is kept renders all the same", () => {
    const text = `{{ execution.id }}${"x".repeat(10_000)}`;
    expect([rendered(text), rendered(text)]).toEqual(
      [1, 2].map(() => ({ ok: true, value: { at: `exe_1${"x".repeat(10_000)}` } })),
    );
  });

  test("more templates than are kept render all the same", () => {
    for (let index = 0; index < 1_200; index++) {
      expect(rendered(`${index} {{ execution.id }}`)).toEqual({ ok: true, value: { at: `${index} exe_1` } });
    }
  });

  test("a configuration nested too deep is an error", () => {
    const deep = Array.from({ length: 100_000 }).reduce<Json>((inner) => [inner], "x");
    expect(render(deep, scope)).toEqual(error("too_deep"));
  });

  test("a value nested too deep is an error", () => {
    const deep = Array.from({ length: 100_000 }).reduce<Json>((inner) => [inner], "x");
    expect(render({ at: "{{ deep }}" }, { deep })).toEqual(error("not_rendered", "config/at", "deep"));
  });
});

describe("a large value", () => {
  test("beyond the budget is measured once, and not copied", () => {
    let reads = 0;
    const body = {
      get text() {
        reads++;
        return "x".repeat(TEMPLATE_OUTPUT_BYTES_MAX);
      },
    };
    expect(render({ at: "{{ body }}" }, { body }).ok).toBe(false);
    expect(reads).toBe(1);
  });

  test("is not copied where nothing in it has to be kept apart from slots", () => {
    const body = { list: [{ a: 1 }], $other: 1 };
    const plain = { list: [{ a: 1 }] };
    const [kept, copied] = [render(["{{ plain }}"], { plain }), render(["{{ body }}"], { body })];
    expect(kept.ok && Array.isArray(kept.value) && kept.value[0]).toBe(plain);
    expect(copied.ok && copied.value).toEqual([body]);
    expect(fillSecrets(plain, {})).toEqual({ ok: true, value: plain });
  });
});

describe("findings before anything is rendered", () => {
  const first = ["line:1", "col:1"];
  test.each<[string, readonly string[], string | undefined]>([
    ["{{ x | upcas }}", ["upcas", ...first], '"upcase"'],
    ["{{ x | sample }}", ["sample", ...first], undefined],
    ["{% fro %}", ['"fro"', ...first], '"for"'],
    ["a\n {{ a.b", ['"{{ a.b"', "line:2", "col:2"], undefined],
    ["{% for i in (0.5..9) %}{% endfor %}", ["(1..count)"], undefined],
    ...["include", "render", "layout", "block", "increment", "decrement", "cycle", "tablerow", "liquid", "echo"].map(
      (tag): [string, readonly string[], undefined] => [`{% ${tag} 'x' %}`, [`"${tag}"`, ...first], undefined],
    ),
  ])("%s", (text, named, meant) => {
    const found = {
      pointer: "/config/a~1b/0",
      code: "template_invalid",
      message: naming(...named),
      ...(meant === undefined ? {} : { hint: naming(meant) }),
    };
    expect(templateFindings({ "a/b": [text] }, "/config")).toEqual([found]);
  });

  test("nothing is wrong with sound templates and other values", () => {
    expect(templateFindings(["x", "{{ anything }}", 1, null, true, { a: "Bearer {{ secrets.key }}" }], "")).toEqual([]);
  });
});
