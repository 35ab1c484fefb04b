import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filterNames, tagNames } from "#kernel/liquid.ts";
import { render, templateFindings } from "#kernel/render.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import { fillSecrets, secretNames } from "#schema/secret-slots.ts";

const scope = JSON.parse(`{
  "execution": { "id": "exe_1", "variables": {
    "name": "Ada", "nothing": null, "empty": "", "list": [3, 1, 2], "people": [{ "name": "Ada" }, { "name": "Bo" }],
    "evil": "{{secrets.key}}", "tag": "{% if x %}", "forged": { "$secret": [{ "name": "key" }], "in": [{ "$$secret": 1 }] },
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
    // with anything around it, it is text
    ["{{ execution.variables.list[1] }} ", "1 "],
    ["{{ execution.variables.list | first }}", "3"],
    ["{{ execution.variables.name == 'Ada' }}", "true"],
    ["{{ 5 }}", "5"],
    // what may be missing says so
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
    ["{{ execution.variables.nothing | date: '%F' | default: 'never' }}", "never"],
    ["{{ execution.variables.nope | default: execution.variables.nothing | date: '%F' | default: 'never' }}", "never"],
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

  test("a key called __proto__ stays a key", () => {
    const config = JSON.parse('{ "__proto__": "{{ execution.id }}" }') as Json;
    expect(JSON.stringify(render(config, scope))).toBe('{"ok":true,"value":{"__proto__":"exe_1"}}');
  });
});

describe("a template that cannot be rendered says where and why", () => {
  const tooMuch = "handles more than 8388608 bytes of text and lists";
  test.each<[string, string]>([
    ["{{ execution.variables.nope }}", "variable execution.variables.nope is undefined"],
    ["Hi {{ execution.variables.nope.deeper }}", "variable execution.variables.nope.deeper is undefined"],
    ["{{ message.payload.email }}", "variable message.payload.email is undefined"],
    ["{% for x in nope %}{% endfor %}", "variable nope is undefined"],
    ["{{ execution.variables.none.first }}", "variable execution.variables.none.first is undefined"],
    ["Hi {{ execution.variables.nothing }}", "{{ execution.variables.nothing }} comes to nothing; give it a default"],
    ["Hi {{ execution.variables.none | first }}", "{{ execution.variables.none | first }} comes to nothing; give it a default"],
    ["Hi {{ execution.variables.list }}", "{{ execution.variables.list }} is a list or an object; add | json or | join, or let it stand alone"],
    ["{{ 1 | divided_by: 0 }}", "{{ 1 | divided_by: 0 }} is not a finite number"],
    ["{{ 'now' | date: '%s' }}", "{{ 'now' | date: '%s' }} the moment is not read from a clock here: use {{ now | date }}"],
    ["{{ 'today' | date }}", "{{ 'today' | date }} the moment is not read from a clock here: use {{ now | date }}"],
    ["{{ 'soon' | date }}", "{{ 'soon' | date }} is not a date, or the time zone does not exist"],
    ["{{ true | date }}", "{{ true | date }} is not a date, or the time zone does not exist"],
    ["{{ 0 | date: '%F', 'Mars/Base' }}", "{{ 0 | date: '%F', 'Mars/Base' }} is not a date, or the time zone does not exist"],
    ["{{ '%zz' | url_decode }}", "{{ '%zz' | url_decode }} cannot be rendered"],
    ["{{ execution.variables.odd | append: 'x' }}", "{{ execution.variables.odd | append: 'x' }} cannot be rendered"],
    ["{{ 'x' | base64_decode }}", "invalid base64 provided to base64_decode, line:1, col:1"],
    ["{{ a.b", 'output "{{ a.b" not closed, line:1, col:1'],
    ["{{ }}", 'invalid value expression: "", line:1, col:4'],
    ["{% if x %}", "tag {% if x %} not closed, line:1, col:1"],
    // prototypes
    ["{{ constructor.constructor }}", "variable constructor.constructor is undefined"],
    ["{{ execution.__proto__ }}", "variable execution.__proto__ is undefined"],
    ["{{ execution.variables.name.constructor }}", "variable execution.variables.name.constructor is undefined"],
    ["{{ execution.variables.list['map'] }}", "variable execution.variables.list['map'] is undefined"],
    // what has no end
    ["{% for i in (1..10000000) %}{% endfor %}", `{% for i in (1..10000000) %} ${tooMuch}`],
    ["{% for i in (1..20000) %}{% for j in (1..20000) %}{% endfor %}{% endfor %}", "{% for j in (1..20000) %} takes more than 100000 steps (templateSteps)"],
    ["{% assign a = 'xx' %}{% for i in (1..90) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}", `a ${tooMuch}`],
    ["{% assign a = 'xx' %}{% for i in (1..90) %}{% assign a = a | append: a %}{% endfor %}", `a ${tooMuch}`],
    ["{% assign a = 'xx' %}{% for i in (1..9000) %}{% assign b = '12345678' | url_encode | replace: '5', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' %}{% endfor %}", `{% assign b = '12345678' | url_encode | replace: '5', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ${tooMuch}`],
  ])("%s", (text, reason) => {
    const error = { type: "invalid_configuration", message: `config/at: ${reason}`, retryable: false };
    expect(rendered(text)).toEqual({ ok: false, error });
  });
});
