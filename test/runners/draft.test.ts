// Tests of draft checks: the findings about a config that contains templates.
import { expect, it } from "vitest";
import { z } from "zod";
import { configFindings, draftFindings } from "#runners/draft.ts";
import type { JsonObject } from "#schema/json.ts";
import { naming } from "#test/support/matchers/naming.ts";

const url = "https://example.com/hook";

it.each([
  { url },
  { url: "{{ execution.variables.crmWebhookUrl }}" },
  { url: "{% if a %}x{% endif %}" },
  { url, method: "{{ m }}", expectedStatusCodes: "{{ codes }}", headers: "{{ headers }}", sign: "{{ s }}" },
  { url, expectedStatusCodes: ["{{ code }}", 200], query: { a: ["{{ x }}", 1] }, payload: { deep: ["{{ y }}"] } },
  { url, headers: { Authorization: "Bearer {{secrets.crm_api_token}}", "X-A": "{{ a }}" } },
])("accepts %j", (config) => {
  expect(configFindings("webhook", config)).toEqual([]);
});

it.each([
  [{}, ["/url"]],
  [{ url: "example.com" }, ["/url"]],
  [{ url: 5 }, ["/url"]],
  [{ url, method: "post" }, ["/method"]],
  [{ url: "{{ u }}", method: "FETCH", expectedStatusCodes: ["x"] }, ["/method", "/expectedStatusCodes/0"]],
  [{ url, method: "GET", payload: {} }, ["/payload"]],
  [{ url, query: { "a/b": { c: 1 } } }, ["/query/a~1b"]],
])("reports the errors in %j that no rendering can fix", (config, pointers) => {
  expect(configFindings("webhook", config).map(({ pointer }) => pointer)).toEqual(pointers);
});

it("refuses an unknown field even with a template as its value, and suggests a name", () => {
  expect(configFindings("webhook", { url, metod: "{{ m }}" })).toMatchObject([
    { pointer: "/metod", code: "unknown_field", message: naming("metod"), hint: naming("method") },
  ]);
});

it.each(["webhok", "constructor", "__proto__"])("reports nothing for %s, an unknown type", (type) => {
  expect(configFindings(type, { a: 1 })).toEqual([]);
});

it("checks inside unions, lists and records", () => {
  const auth = z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("basic"), user: z.string(), tries: z.number().optional() }),
    z.strictObject({ kind: z.literal("none") }),
  ]);
  const schema = z.strictObject({
    auth,
    ports: z.union([z.number(), z.array(z.number())]).optional(),
    list: z.array(z.strictObject({ port: z.number() })).default([]),
    map: z.record(z.string(), z.strictObject({ size: z.number().nullable() })).optional(),
  });
  const pointers = (config: JsonObject) => draftFindings(schema, config).map(({ pointer }) => pointer);
  const none = { kind: "none" };
  expect(pointers({ auth: { kind: "{{ k }}", user: "u" } })).toEqual([]);
  expect(pointers({ auth: { kind: "basic", user: "{{ u }}", tries: "{{ t }}" } })).toEqual([]);
  expect(pointers({ auth: "{{ auth }}", list: [{ port: "{{ p }}" }], map: { a: { size: "{{ s }}" } } })).toEqual([]);
  expect(pointers({ auth: none, ports: ["{{ p }}", 1] })).toEqual([]);
  expect(pointers({ auth: none, ports: ["{{ p }}", "x"] })).toEqual(["/ports/1"]);
  expect(pointers({ auth: { kind: "digest" } })).toEqual(["/auth/kind"]);
  expect(pointers({ auth: { kind: "basic", user: "u", tries: "{{ t }}", usr: 1 } })).toEqual(["/auth/usr"]);
  expect(pointers({ auth: none, list: [{ port: 1, prot: 2 }] })).toEqual(["/list/0/prot"]);
  expect(pointers({ auth: none, map: { a: { sise: 2, size: 1 } } })).toEqual(["/map/a/sise"]);
});
