import { expect, test } from "vitest";
import { unquotedOutputs } from "#kernel/language/unquoted-outputs.ts";

test.each<[string, readonly string[]]>([
  ["<a href={{ url }}>x</a>", ["{{ url }}"]],
  ["<a href= {{ url }} class=x>", ["{{ url }}"]],
  ["<a href=https://x.example/{{ id }}?a={{ b }}>", ["{{ id }}", "{{ b }}"]],
  ["<IMG\n  src={{ a }}/>", ["{{ a }}"]],
  ["<a class=x href={{ url }}>", ["{{ url }}"]],
  ["<a {% if b %}href={{ url }}{% endif %}>", ["{{ url }}"]],
  // quoted
  ['<a href="{{ url }}">{{ text }}</a>', []],
  ["<a href='{{ url }}' title=\"it's {{ a }}\">", []],
  ['<a class="a>b" href="{{ url }}">', []],
  ['<a {% if b %}href="{{ url }}"{% endif %}>', []],
  ['<a data-x=\'"\' href="{{ url }}">', []],
  ["<a \"x\" 'y'>", []],
  // no attribute's value
  ["a < b = {{ c }}", []],
  ["<p>a={{ b }}</p>", []],
  ["<{{ tag }} x={{ y }}>", []],
  ["<!-- <a href={{ url }}> -->", []],
  ["<br class=x>{{ a }}<hr class=>a={{ b }}", []],
  ["<a {{ attributes }}>", []],
  ["plain {{ text }}", []],
  ["", []],
])("%s", (html, written) => {
  expect(unquotedOutputs(html).map((each) => each.written)).toEqual(written);
});

test("says in which line", () => {
  expect(unquotedOutputs("<p>\n{{ a\n}}</p>\n<a href={{ url }}>")).toEqual([{ written: "{{ url }}", line: 4 }]);
});
