import { describe, expect, test } from "vitest";
import { parseMessage, renderMessage, reviewMessage, variableFindings } from "#kernel/language/message-template.ts";
import type { JsonObject } from "#schema/json.ts";
import { FINDINGS_MAX } from "#schema/limits/api-requests.ts";
import { TEMPLATE_OUTPUT_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { completeTemplate, templateDraft } from "#schema/template.ts";
import { naming } from "#test/support/matchers/naming.ts";

type Draft = Omit<Parameters<typeof completeTemplate>[0], "name">;
const variables: Draft["variables"] = [
  { name: "name" },
  { name: "nick", required: false },
  { name: "items", default: [1, "<b>"] },
];
const open = (draft: Draft) => parseMessage(completeTemplate({ name: "welcome", variables, ...draft }));
const review = (draft: Draft) => reviewMessage(open(draft));
const rendered = (draft: Draft, given: JsonObject = { name: "Ada" }) => renderMessage(open(draft), given);

describe("a message", () => {
  test("is rendered part by part from the variables it declares", () => {
    const draft = {
      subject: "Hi {{ name }}",
      html: "<p>{{ name }}</p>",
      text: "Hi {{ name }}{% if nick %}!{% endif %}",
    };
    expect(rendered(draft)).toEqual({ subject: "Hi Ada", html: "<p>Ada</p>", text: "Hi Ada", findings: [], hints: [] });
    expect(rendered({ text: "x" })).toMatchObject({ subject: null, html: null, text: "x" });
  });

  test("every template has the unsubscribe link, unless it declares a variable of this name", () => {
    const draft = { html: '<a href="{{ unsubscribe_url }}">x</a>', text: "{{ name }}" };
    expect(review(draft).findings).toEqual([]);
    expect(rendered(draft).html).toBe('<a href="https://engine.example/u/placeholder">x</a>');
    expect(renderMessage(open(draft), { name: "Ada" }, "https://a.test/u/t").html).toContain("https://a.test/u/t");
    const own = { text: "{{ unsubscribe_url }}", variables: [{ name: "unsubscribe_url", default: "mine" }] };
    expect(rendered(own, {}).text).toBe("mine");
  });

  test("parts know nothing of each other", () => {
    const draft = { subject: "{% assign name = 'Bo' %}{{ name }}", text: "{{ name }}" };
    expect(rendered(draft)).toMatchObject({ subject: "Bo", text: "Ada" });
  });

  test.each<[string, string]>([
    ["{{ name }}", "&lt;A &amp; &quot;B&quot;&#39;&gt;"],
    ["{{ name | raw }}", `<A & "B"'>`],
    ["{{ name | downcase }}", "&lt;a &amp; &quot;b&quot;&#39;&gt;"],
    ["{{ name | append: '<br>' }}", "&lt;A &amp; &quot;B&quot;&#39;&gt;&lt;br&gt;"],
    // a value escaped by the author is not escaped again
    ["{{ name | escape }}", "&lt;A &amp; &#34;B&#34;&#39;&gt;"],
    ["{{ name | escape_once }}", "&lt;A &amp; &#34;B&#34;&#39;&gt;"],
    ["{{ name | escape | newline_to_br | raw }}", "&lt;A &amp; &#34;B&#34;&#39;&gt;"],
    ["{% for x in items %}{{ x }},{% endfor %}", "1,&lt;b&gt;,"],
    ["{% capture c %}{{ name }}{% endcapture %}{{ c | raw }}", "&lt;A &amp; &quot;B&quot;&#39;&gt;"],
    ["<a href='?q={{ name | url_encode }}'>", "<a href='?q=%3CA+%26+%22B%22&#39;%3E'>"],
  ])("escapes in HTML: %s", (html, given) => {
    expect(rendered({ html }, { name: `<A & "B"'>` })).toMatchObject({ html: given, findings: [] });
  });

  test("does not escape in text and in subjects", () => {
    const draft = { subject: "{{ name }}", text: "{{ name }}" };
    expect(rendered(draft, { name: "<&>" })).toMatchObject({ subject: "<&>", text: "<&>" });
  });

  test.each<[string, string]>([
    ["Ada\r\nBcc: everyone@example.com", "Hi Ada Bcc: everyone@example.com"],
    ["Ada\u2028\u0000\u0085\tLovelace\n", "Hi Ada Lovelace"],
  ])("keeps its subject on one line: %j", (name, subject) => {
    const hint = { pointer: "/subject", code: "line_break" };
    expect(rendered({ subject: "Hi {{ name }}", text: "x" }, { name })).toMatchObject({ subject, hints: [hint] });
  });

  test("takes a default where nothing or null is given, and null where there is none", () => {
    const text = "{{ items | join }}{{ nick | default: '-' }}{% for x in nick %}{% endfor %}";
    expect(rendered({ text })).toMatchObject({ text: "1 <b>-", findings: [] });
    expect(rendered({ text }, { name: "Ada", items: null, nick: "A" })).toMatchObject({ text: "1 <b>A" });
    expect(rendered({ text: "{{ items }}" }, { name: "Ada", items: 0 })).toMatchObject({ text: "0" });
  });

  test("does not render what it is given", () => {
    expect(rendered({ text: "{{ name }}" }, { name: "{{ nick }}{% if %}" })).toMatchObject({
      text: "{{ nick }}{% if %}",
    });
  });

  test("takes variables that are called like parts of the language", () => {
    const message = open({
      text: "{{ constructor }}",
      variables: [{ name: "constructor", required: false, default: 5 }],
    });
    expect(renderMessage(message, {})).toMatchObject({ text: "5" });
    expect(renderMessage(open({ text: "x", variables: [{ name: "toString" }] }), {}).findings).toMatchObject([
      { code: "required" },
    ]);
  });
});

describe("a message that cannot be rendered says where and why", () => {
  test.each<[Draft, string, readonly (string | number)[]]>([
    [{ html: "{{ nick }}" }, "/html", ["{{ nick }}"]],
    [{ html: "{{ items[5] }}" }, "/html", ["items[5]"]],
    [{ html: "{{ items }}" }, "/html", ["{{ items }}", "| json", "| join"]],
    [{ text: "{{ name.first }}" }, "/text", ["name.first"]],
    [{ subject: "{{ 1 | divided_by: 0 }}", text: "x" }, "/subject", ["{{ 1 | divided_by: 0 }}"]],
    [
      { text: "{% for i in (1..200000) %}{% endfor %}" },
      "/text",
      ["{% for i in (1..200000) %}", 100_000, "TEMPLATE_STEPS_MAX"],
    ],
  ])("%j", (draft, pointer, named) => {
    expect(rendered(draft).findings).toEqual([{ pointer, code: "not_rendered", message: naming(...named) }]);
  });

  test("and gives the parts that can", () => {
    expect(rendered({ html: "{{ nick }}", text: "{{ name }}" })).toMatchObject({ html: null, text: "Ada" });
  });

  test("its size counts over all parts", () => {
    const given = { name: "x".repeat(TEMPLATE_OUTPUT_BYTES_MAX - 10) };
    const message = naming(262_144, "TEMPLATE_OUTPUT_BYTES_MAX");
    expect(rendered({ html: "{{ name }}", text: "{{ name }}" }, given).findings).toEqual([
      { pointer: "/text", code: "not_rendered", message },
    ]);
  });

  test("variables that are missing, and those it does not know", () => {
    const findings = [
      { pointer: "/variables/name", code: "required", message: naming('"name"') },
      { pointer: "/variables/nmae", code: "unknown_variable", message: naming('"nmae"'), hint: naming('"name"') },
      { pointer: "/variables/~1~0", code: "unknown_variable", message: naming('"/~"') },
    ];
    const nothing = { subject: null, html: null, text: null, hints: [] };
    expect(rendered({ text: "x" }, { nmae: "Ada", "/~": 1, name: null })).toEqual({ ...nothing, findings });
    expect(variableFindings(open({ text: "x" }).variables, { nmae: 1 }, "/config/variables")).toMatchObject([
      { pointer: "/config/variables/name" },
      { pointer: "/config/variables/nmae" },
    ]);
  });
});

describe("what is wrong is found before anything is rendered", () => {
  test.each<[Draft, object]>([
    [{ html: "{{ name" }, { pointer: "/html", code: "template_invalid" }],
    [
      { text: "{{ name | upcas }}" },
      {
        pointer: "/text",
        code: "template_invalid",
        message: naming("upcas", "line:1", "col:1"),
        hint: naming('"upcase"'),
      },
    ],
    [{ text: "{{ name | raw }}" }, { pointer: "/text", message: naming("raw", "line:1", "col:1") }],
    [{ html: "{% include 'x' %}" }, { pointer: "/html", code: "template_invalid" }],
    [{ html: "{% for x in (0.5..9) %}{% endfor %}" }, { pointer: "/html", code: "template_invalid" }],
    [
      { html: "{% if name %}".repeat(8_000) + "{% endif %}".repeat(800) },
      { pointer: "/html", code: "template_invalid" },
    ],
    [{ html: "x{{ secrets.key }}" }, { pointer: "/html", code: "secret_misused" }],
    [{ text: "{% if secrets.key %}{% endif %}" }, { pointer: "/text", code: "secret_misused" }],
    [
      { subject: "{{ name | append: secrets.key }}", text: "x" },
      { pointer: "/subject", code: "secret_misused" },
    ],
    [
      { subject: "a\nb", text: "x" },
      { pointer: "/subject", code: "line_break" },
    ],
    [
      { subject: "a\rb", text: "x" },
      { pointer: "/subject", code: "line_break" },
    ],
    [
      { text: "x\n{{ nmae }}" },
      { pointer: "/text", code: "undeclared_variable", message: naming('"nmae"', 2), hint: naming('"name"') },
    ],
    [{ text: "{{ now | date }}" }, { code: "undeclared_variable", hint: naming('{ "name": "now" }') }],
    [{ text: "{{ name[other.x] }}" }, { code: "undeclared_variable", message: naming('"other"', 1) }],
    [{ text: "{{ x }}{% assign x = name %}{{ x }}" }, { code: "undeclared_variable", message: naming('"x"', 1) }],
    [
      { text: "x", variables: [{ name: "a" }, { name: "a" }] },
      { pointer: "/variables/1/name", code: "duplicate_variable", message: naming('"a"') },
    ],
    [
      { text: "€".repeat(50_000) },
      { pointer: "/text", code: "template_too_big", message: naming(150_000, 131_072, "MESSAGE_PART_BYTES_MAX") },
    ],
  ])("%.100j", (draft, finding) => {
    expect(review(draft).findings).toMatchObject([finding]);
  });

  test("a part that is broken is not rendered either", () => {
    expect(rendered({ html: "{{ name", text: "{{ name }}" })).toMatchObject({
      html: null,
      text: "Ada",
      findings: [{ pointer: "/html", code: "template_invalid" }],
    });
  });

  test("everything is said at once, and what nothing uses is a hint", () => {
    expect(review({ subject: "{{ a }}", html: "{{ b }}{{ b }}", text: "{{ b }}" })).toEqual({
      findings: [
        expect.objectContaining({ pointer: "/subject" }),
        expect.objectContaining({ pointer: "/html" }),
        expect.objectContaining({ pointer: "/text" }),
      ],
      hints: [0, 1, 2].map((n) =>
        expect.objectContaining({ pointer: `/variables/${n}/name`, code: "unused_variable" }),
      ),
    });
    const sound = { text: "{% for x in items %}{{ forloop.index }}{{ x }}{% endfor %}{% assign y = name %}{{ y }}" };
    const message = naming('"nick"');
    expect(review(sound)).toEqual({
      findings: [],
      hints: [{ pointer: "/variables/1/name", code: "unused_variable", message }],
    });
  });

  test("an attribute without quotes is a hint", () => {
    const { findings, hints } = review({ html: "<p>{{ items }}</p>\n<a href={{ name }}>{{ nick }}</a>" });
    expect(findings).toEqual([]);
    expect(hints).toEqual([
      { pointer: "/html", code: "unquoted_attribute", message: naming("{{ name }}", 2), hint: naming('"{{ name }}"') },
    ]);
  });

  test("a part that cannot be read may use any of them, so nothing is said to be unused", () => {
    expect(review({ text: "{{ name" }).hints).toEqual([]);
  });
});

describe("a review", () => {
  test("lists no more undeclared names, and no more hints, than an answer has", () => {
    const names = Array.from({ length: 500 }, (_, n) => `{{ name_${n} }}`).join("");
    expect(review({ text: names }).findings).toHaveLength(FINDINGS_MAX);
    const { hints } = review({ html: `<a ${"x={{ name }} ".repeat(500)}>` });
    expect(hints.filter(({ pointer }) => pointer === "/html")).toHaveLength(FINDINGS_MAX);
  });
});

describe("a draft", () => {
  const draft = { name: "welcome", text: "x" };
  test("is settled: every question has an answer", () => {
    const parsed = templateDraft.parse({ ...draft, variables: [{ name: "a" }, { name: "b", default: 0 }] });
    expect(completeTemplate(parsed)).toEqual({
      description: null,
      subject: null,
      html: null,
      text: "x",
      variables: [
        { name: "a", required: true, default: null, description: null },
        { name: "b", required: false, default: 0, description: null },
      ],
    });
    expect(completeTemplate(templateDraft.parse(draft)).variables).toEqual([]);
  });

  test.each<[object]>([
    [{ name: "welcome" }],
    [{ ...draft, name: "Welcome" }],
    [{ ...draft, variables: [{ name: "secrets" }] }],
    [{ ...draft, variables: [{ name: "a-b" }] }],
    [{ ...draft, variables: [{ name: "a", required: true, default: 1 }] }],
    [{ ...draft, txet: "x" }],
  ])("%j is none", (wrong) => {
    expect(templateDraft.safeParse(wrong).success).toBe(false);
  });
});
