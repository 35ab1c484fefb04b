import { describe, expect, test } from "vitest";
import { render, templateFindings } from "#kernel/language/render.ts";
import { linkUseIn, secretsIn, type LinkUse } from "#kernel/language/template.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { fillSecrets, secretNames } from "#schema/secret-slots.ts";
import { naming } from "#test/support/matchers/naming.ts";

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

describe("secrets", () => {
  const secrets = { key: "s3cr3t", crm_api_token: "t0k3n" };
  const freeze = (config: Json): Json => {
    const result = render(config, scope);
    if (!result.ok) throw new Error(result.error.message);
    return result.value;
  };

  test.each<[string, Json, Json]>([
    ["{{secrets.key}}", { $secret: [{ name: "key" }] }, "s3cr3t"],
    ["{{ secrets['key'] }}", { $secret: [{ name: "key" }] }, "s3cr3t"],
    ["Bearer {{secrets.crm_api_token}}", { $secret: ["Bearer ", { name: "crm_api_token" }] }, "Bearer t0k3n"],
    [
      "{{ execution.id }}:{{ secrets.key }}:{{- secrets.key }}",
      { $secret: ["exe_1", ":", { name: "key" }, ":", { name: "key" }] },
      "exe_1:s3cr3t:s3cr3t",
    ],
    ["{% assign x = 1 %}{{ secrets.key }}", { $secret: [{ name: "key" }] }, "s3cr3t"],
  ])("%s is frozen as a slot and filled at the last moment", (text, frozen, filled) => {
    expect(freeze({ at: text })).toEqual({ at: frozen });
    expect(fillSecrets(freeze({ at: text }), secrets)).toEqual({ ok: true, value: { at: filled } });
  });

  test.each<[string]>([
    ["{{ execution.variables.evil }}"],
    ["x {{ execution.variables.evil }}"],
    ["{% raw %}{{ secrets.key }}{% endraw %}"],
    ["{{ '{{secrets.key}}' }}"],
    ["{{ execution.variables.forged }}"],
    ["{{ execution.variables.forged | json }}"],
  ])("%s cannot forge one", (text) => {
    const frozen = freeze({ at: text });
    expect(secretNames(frozen)).toEqual([]);
    expect(JSON.stringify(fillSecrets(frozen, secrets))).not.toContain("s3cr3t");
  });

  test("fields called $secret come through as they were", () => {
    const own = { $secret: [{ name: "key" }], l: [{ $$secret: 1, $$$secret: 2, secret: 3, $secrets: 4, x$secret: 5 }] };
    expect(freeze(own)).toEqual({
      $$secret: [{ name: "key" }],
      l: [{ $$$secret: 1, $$$$secret: 2, secret: 3, $secrets: 4, x$secret: 5 }],
    });
    expect(fillSecrets(freeze(own), secrets)).toEqual({ ok: true, value: own });
    const { forged } = (scope as { execution: { variables: { forged: Json } } }).execution.variables;
    expect(fillSecrets(freeze("{{ execution.variables.forged }}"), secrets)).toEqual({ ok: true, value: forged });
  });

  test("their names are known without their values", () => {
    const frozen = freeze({ b: "{{secrets.b}}", a: ["{{secrets.a}}{{secrets.b}}", 5, null, "x"] });
    expect(secretNames(frozen)).toEqual(["a", "b"]);
  });

  test.each<[Json, string]>([
    ["{{secrets.nope}}", "nope"],
    [["{{secrets.nope}}", "{{secrets.constructor}}"], "constructor, nope"],
  ])("%j: %s", (config, named) => {
    expect(fillSecrets(freeze(config), secrets)).toMatchObject({
      ok: false,
      error: { type: "invalid_configuration", message: naming(named), retryable: false },
    });
  });

  test.each<[string]>([
    ["{{ secrets }}"],
    ["{{ secrets.key.size }}"],
    ["{{ secrets[execution.id] }}"],
    ["{{ secrets[0] }}"],
    ["{{ secrets.key | upcase }}"],
    ["{{ execution.id | append: secrets.key }}"],
    ["{{ execution.list | where: name: secrets.key }}"],
    ["{{ secrets.key == 'x' }}"],
    ["{{ execution[secrets.key] }}"],
    ["{{ 'text'[secrets.key] }}"],
    ["{% if secrets.key %}x{% endif %}"],
    ["{% if execution.id %}{{ secrets.key }}{% endif %}"],
    ["{% for x in (1..secrets.key) %}{% endfor %}"],
    ["{% for x in execution.list limit: secrets.key %}{% endfor %}"],
    ["{% capture x %}{{ secrets.key }}{% endcapture %}"],
    ["{% assign x = secrets.key %}"],
    ["{% case 1 %}{% when secrets.key %}{% endcase %}"],
  ])("%s is refused", (text) => {
    const message = naming("{{ secrets.name }}");
    expect(templateFindings({ at: text }, "")).toEqual([{ pointer: "/at", code: "secret_misused", message }]);
    expect(render({ at: text }, scope)).toMatchObject({ ok: false, code: "secret_misused", error: { message } });
  });
});

test("the secrets that a text names are known before it renders", () => {
  expect(secretsIn("{{ secrets.a }}")).toEqual(["a"]);
  expect(secretsIn("{{ secrets.a }}:{{ secrets.b }}:{{ secrets.a }}{{ now }}")).toEqual(["a", "b"]);
  expect(["plain", "{{ now }}", "{{ secrets.a | upcase }}"].map(secretsIn)).toEqual([[], [], []]);
});

describe("the unsubscribe link", () => {
  const link = "https://engine.test/u/token";
  const freeze = (config: Json, hasLink = true) => render(config, scope, undefined, { hasLink });

  test.each<[string, Json, string]>([
    ["{{ unsubscribe_url }}", { $secret: [{ link: "unsubscribe_url" }] }, link],
    [
      "<a href='{{ unsubscribe_url }}'>{{ secrets.key }}",
      { $secret: ["<a href='", { link: "unsubscribe_url" }, "'>", { name: "key" }] },
      `<a href='${link}'>s3cr3t`,
    ],
  ])("%s is a slot of an e-mail, and filled at the last moment", (text, frozen, filled) => {
    const result = freeze({ text });
    expect(result).toEqual({ ok: true, value: { text: frozen } });
    const value = result.ok ? result.value : null;
    expect(secretNames(value)).toEqual(filled === link ? [] : ["key"]);
    expect(fillSecrets(value, { key: "s3cr3t" }, link)).toEqual({ ok: true, value: { text: filled } });
  });

  test("data and texts that set the name themselves make no slot", () => {
    const forged = { $secret: [{ link: "unsubscribe_url" }] };
    const given = { execution: { variables: { forged } } };
    const result = render({ text: "{{ execution.variables.forged }}" }, given, undefined, { hasLink: true });
    expect(result).toEqual({ ok: true, value: { text: { $$secret: [{ link: "unsubscribe_url" }] } } });
    const own = "{% assign unsubscribe_url = 'mine' %}{{ unsubscribe_url }}";
    expect(freeze({ text: own })).toEqual({ ok: true, value: { text: "mine" } });
  });

  test.each(["{{ unsubscribe_url }}", "a {{ unsubscribe_url }}"])("%s has no value outside of e-mails", (text) => {
    expect(freeze({ text }, false)).toMatchObject({ ok: false });
  });

  test.each<[string, LinkUse]>([
    ["no link", "none"],
    ["unsubscribe_url as plain text", "none"],
    ["{{ execution.variables.unsubscribe_url }}", "none"],
    ["{{ execution.variables.unsubscribe_url }}!", "none"],
    ["{% assign unsubscribe_url = 'mine' %}{{ unsubscribe_url }}", "none"],
    ["{{ unsubscribe_url", "none"],
    ["{{ unsubscribe_url }}", "inserted"],
    ["{{ secrets.key }} {{ unsubscribe_url }} {{ unsubscribe_url }}", "inserted"],
    ["{{ unsubscribe_url.x }}", "misused"],
    ["{{ unsubscribe_url | upcase }}", "misused"],
    ["{{ unsubscribe_url }} {% if now %}{{ unsubscribe_url }}{% endif %}", "misused"],
    ["{% if unsubscribe_url %}x{% endif %}", "misused"],
  ])("%s: %s", (text, use) => expect(linkUseIn(text)).toBe(use));
});
