// Refusals by the HTTP layer before any use case is called.
import { describe, expect, test } from "vitest";
import { problem } from "#wire/problem.ts";
import { BODY_VALUES_MAX, FINDINGS_MAX } from "#schema/limits/api-requests.ts";
import { refusalCodes } from "#schema/refusal.ts";
import { refusalStatus } from "#routes/http/refusal-status.ts";
import { api, must, shop } from "#test/support/api.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

const json = { "Content-Type": "application/json" };

function brokenStream(text: string, fault: Error): ReadableStream<Uint8Array> {
  const parts = [new TextEncoder().encode(text)];
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.error(fault);
      else controller.enqueue(part);
    },
  });
}

async function withShop() {
  const made = api();
  return { made, ...(await shop(made)) };
}

describe("headers", () => {
  test.each([
    ["If-None-Match", "*", ""],
    ["If-Match", '"3"', ""],
    ["X-Idempotency-Key", "o-17", "Idempotency-Key"],
    ["X-Dry-Run", "true", "?dryRun=true"],
  ])("the unsupported header %s is refused and changes nothing", async (name, value, hint) => {
    const { made, key } = await withShop();
    const started = await must(201, made.ask("POST", "/v1/executions", { key, body: { definition: "order" } }));
    const at = `/v1/executions/${started.body.execution.id}`;
    const headers = { [name]: value };
    const { body } = await must(400, made.ask("POST", `${at}/cancel`, { key, headers }));
    const named = { pointer: name.toLowerCase(), code: "header_not_supported" };
    expect(body).toMatchObject({ code: "invalid_input", errors: [named], hint: expect.stringContaining(hint) });
    const read = await must(200, made.ask("GET", at, { key, headers }));
    expect(read.body.status).not.toBe("canceled");
    await must(400, made.ask("DELETE", "/v1/secrets/none", { key, headers }));
  });
});

describe("bodies", () => {
  test("that are not JSON are refused with the position", async () => {
    const { made, key } = await withShop();
    const headers = { "Content-Type": "application/json" };
    const raw = '{\n  "definition": "order",\n}';
    const { body } = await must(400, made.ask("POST", "/v1/executions", { key, raw, headers }));
    expect(body).toMatchObject({ code: "malformed_json", details: { line: 3, column: 1, position: 27 } });
    expect(body.detail).toMatch(namingPattern(3, 1));
  });

  test.each([
    ['{"definition":"order","variables":{"a":1,"a":2}}', "/variables/a", "duplicate_name"],
    ['{"definition":"order","variables":{"id":9007199254740993}}', "/variables/id", "number_not_exact"],
    ['{"definition":"order","variables":{"id":1e999}}', "/variables/id", "number_not_exact"],
    [String.raw`{"definition":"order","variables":{"name":"\ud800"}}`, "/variables/name", "text_not_unicode"],
  ])("that cannot be stored exactly are refused: %s", async (raw, pointer, code) => {
    const { made, key } = await withShop();
    const headers = { "Content-Type": "application/json" };
    const { body } = await must(400, made.ask("POST", "/v1/executions", { key, raw, headers }));
    expect(body).toMatchObject({ code: "malformed_json", errors: [{ pointer, code }] });
    expect(made.cells.calls).toEqual([]);
  });

  test("that are not UTF-8 are refused", async () => {
    const { made, key } = await withShop();
    const headers = { "Content-Type": "application/json" };
    const raw = new Uint8Array([...new TextEncoder().encode('{"definition":"caf'), 0xe9, 0x22, 0x7d]);
    for (const sent of [raw, new Blob([raw]).stream()]) {
      const { body } = await must(400, made.ask("POST", "/v1/executions", { key, raw: sent, headers }));
      expect(body).toMatchObject({ code: "malformed_json", details: { position: 18 }, hint: naming("UTF-8") });
    }
  });

  test("with too many values are refused with their number", async () => {
    const { made, key } = await withShop();
    const raw = `{"definition":"order","variables":{"a":[${"1,".repeat(BODY_VALUES_MAX)}1]}}`;
    const { body } = await must(422, made.ask("POST", "/v1/executions", { key, raw, headers: json }));
    const details = { field: "body", size: BODY_VALUES_MAX + 5, limit: BODY_VALUES_MAX };
    expect(body).toMatchObject({ code: "limit_exceeded", details });
  });

  test("get at most the limit of findings", async () => {
    const { made, key } = await withShop();
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`n${n}`, 1]));
    const refused = await must(400, made.ask("POST", "/v1/executions", { key, body }));
    expect(refused.body.errors).toHaveLength(FINDINGS_MAX + 1);
    expect(refused.body.errors.at(-1)).toMatchObject({ pointer: "", code: "more_findings" });
  });

  test("that end early are refused without a call to an object", async () => {
    const { made, key } = await withShop();
    const lost = Object.assign(new Error("Network connection lost."), { retryable: true });
    const before = made.cells.calls.length;
    for (const headers of [{}, { "Content-Length": "40" }]) {
      const raw = brokenStream('{"definition":', lost);
      const asked = made.ask("POST", "/v1/executions", { key, raw, headers: { ...json, ...headers } });
      expect((await must(400, asked)).body).toMatchObject({ code: "body_unreadable", retryable: false });
    }
    const signed = { "X-DocuSign-Signature-1": "c2lnbmVk" };
    const path = "/v1/hooks/docusign/acme/ds";
    const callback = made.ask("POST", path, { key: null, raw: brokenStream("{", lost), headers: signed });
    expect((await must(400, callback)).body.code).toBe("body_unreadable");
    expect(made.cells.calls.length).toBe(before);
  });

  test("that are compressed are refused with a hint", async () => {
    const { made, key } = await withShop();
    const raw = new Blob(['{"definition":"order"}']).stream().pipeThrough(new CompressionStream("gzip"));
    const headers = { ...json, "Content-Encoding": "gzip" };
    const { body } = await must(400, made.ask("POST", "/v1/executions", { key, raw, headers }));
    expect(body).toMatchObject({ code: "malformed_json", errors: [{ code: "text_not_unicode" }] });
    expect(body.hint).toContain("Content-Encoding");
  });

  test("that end within a character do not affect the next request", async () => {
    const { made, key } = await withShop();
    const headers = { "Content-Type": "application/json" };
    const cut = new Uint8Array([...new TextEncoder().encode('{"definition":"'), 0xe2, 0x82]);
    await must(400, made.ask("POST", "/v1/executions", { key, raw: cut, headers }));
    const whole = new TextEncoder().encode('{"definition":"order","variables":{"price":"5 €"}}');
    const { body } = await must(201, made.ask("POST", "/v1/executions", { key, raw: whole, headers }));
    expect(body.execution.variables).toMatchObject({ price: "5 €" });
  });

  test("of another type are refused, and so are those without a type", async () => {
    const { made, key } = await withShop();
    for (const headers of [{ "Content-Type": "text/plain" }, { "Content-Type": "application/x-www-form-urlencoded" }]) {
      const { body } = await must(415, made.ask("POST", "/v1/executions", { key, raw: "{}", headers }));
      expect(body).toMatchObject({ code: "unsupported_media_type", hint: expect.stringContaining("application/json") });
    }
    const raw = new TextEncoder().encode("{}");
    await must(415, made.ask("POST", "/v1/executions", { key, raw }));
  });

  test("above 1 MB are refused, with or without Content-Length", async () => {
    const { made, key } = await withShop();
    const headers = { "Content-Type": "application/json" };
    const raw = JSON.stringify({ definition: "x".repeat(1_100_000) });
    const told = await must(413, made.ask("POST", "/v1/executions", { key, raw, headers }));
    expect(told.body).toMatchObject({ code: "body_too_large", details: { field: "body", limit: 1_048_576 } });
    const stream = new Blob([raw]).stream();
    await must(413, made.ask("POST", "/v1/executions", { key, raw: stream, headers }));
  });

  test("that nest too deep are refused", async () => {
    const { made, key } = await withShop();
    const raw = `{"definition":"order","variables":{"a":${"[".repeat(400_000)}${"]".repeat(400_000)}}}`;
    const headers = { "Content-Type": "application/json" };
    const { body } = await must(422, made.ask("POST", "/v1/executions", { key, raw, headers }));
    expect(body).toMatchObject({ code: "limit_exceeded", details: { field: "body", size: 400_002, limit: 200 } });
    const quoted = { definition: "order", variables: { text: "[".repeat(1_000) + '\\"' + "{".repeat(1_000) } };
    await must(201, made.ask("POST", "/v1/executions", { key, body: quoted }));
  });

  test("with unknown fields are refused with a suggestion", async () => {
    const { made, key } = await withShop();
    const body = { definition: "order", variabels: {}, zzz: 1 };
    const refused = await must(400, made.ask("POST", "/v1/executions", { key, body }));
    expect(refused.body.errors).toEqual([
      { pointer: "/variabels", code: "unknown_field", message: expect.any(String), hint: naming("variables") },
      { pointer: "/zzz", code: "unknown_field", message: expect.any(String), hint: naming("definition", "variables") },
    ]);
  });

  test("with fields missing or of the wrong type name the fields", async () => {
    const { made, key } = await withShop();
    const refused = await must(400, made.ask("POST", "/v1/executions", { key, body: { variables: [] } }));
    expect(refused.body.errors).toMatchObject([
      { pointer: "/definition", code: "required" },
      { pointer: "/variables", code: "custom" },
    ]);
  });

  test("in a batch have pointers into the list; a list that is too long is refused", async () => {
    const { made, key } = await withShop();
    const executions = [{ definition: "order" }, { definition: "order", namspace: "x" }];
    const refused = await must(400, made.ask("POST", "/v1/executions/batch", { key, body: { executions } }));
    expect(refused.body.errors).toMatchObject([{ pointer: "/executions/1/namspace", hint: naming("namespace") }]);
    const long = { executions: Array.from({ length: 101 }, () => ({ definition: "order" })) };
    expect((await must(400, made.ask("POST", "/v1/executions/batch", { key, body: long }))).body.errors[0].code).toBe(
      "too_big",
    );
  });

  test("that are optional may be absent, with or without Content-Type", async () => {
    const { made, key } = await withShop();
    const { body } = await must(201, made.ask("POST", "/v1/executions", { key, body: { definition: "order" } }));
    const at = `/v1/executions/${body.execution.id}`;
    await must(200, made.ask("POST", `${at}/pause`, { key }));
    await must(200, made.ask("POST", `${at}/resume`, { key, headers: { "Content-Type": "application/json" } }));
    const refused = await must(400, made.ask("POST", `${at}/pause`, { key, body: { resaon: "x" } }));
    expect(refused.body.errors).toMatchObject([{ pointer: "/resaon", hint: naming("reason") }]);
  });
});

describe("parameters", () => {
  test.each([
    ["?limt=5", "?limt", "unknown_field"],
    ["?limit=0", "?limit", "too_small"],
    ["?limit=1000", "?limit", "too_big"],
    ["?limit=many", "?limit", "invalid_type"],
    ["?status=done", "?status", "invalid_value"],
    ["?createdAfter=yesterday", "?createdAfter", "invalid_format"],
    ["?cursor=zzz", "?cursor", "invalid_cursor"],
  ])("%s is refused by name", async (query, pointer, code) => {
    const { made, key } = await withShop();
    const { body } = await must(400, made.ask("GET", `/v1/executions${query}`, { key }));
    expect(body.errors).toMatchObject([{ pointer, code }]);
    if (pointer === "?limt") expect(body.errors[0].hint).toMatch(namingPattern("limit"));
  });

  test("dryRun is true or false; any other value is refused and changes nothing", async () => {
    const { made, key } = await withShop();
    const body = { definition: "order" };
    await must(400, made.ask("POST", "/v1/executions?dryRun=yes", { key, body }));
    const refused = await must(400, made.ask("POST", "/v1/executions?dryrun=true", { key, body }));
    expect(refused.body.errors).toMatchObject([{ pointer: "?dryrun", hint: naming("dryRun") }]);
    expect(made.cells.calls).toEqual([]);
  });

  test("an invalid id is refused by name", async () => {
    const { made, key } = await withShop();
    const { body } = await must(400, made.ask("GET", "/v1/executions/def_1", { key }));
    expect(body.errors).toMatchObject([{ pointer: "{id}", message: expect.stringContaining("exe_") }]);
  });

  test("an Idempotency-Key has 1 to 200 visible ASCII characters", async () => {
    const { made, key } = await withShop();
    for (const sent of ["x".repeat(201), "two words", "é"]) {
      const headers = { "Idempotency-Key": sent };
      const refused = await must(
        400,
        made.ask("POST", "/v1/executions", { key, body: { definition: "order" }, headers }),
      );
      expect(refused.body.errors).toMatchObject([{ pointer: "Idempotency-Key" }]);
    }
    const headers = { "Idempotency-Key": "x".repeat(200) };
    await must(201, made.ask("POST", "/v1/executions", { key, body: { definition: "order" }, headers }));
  });
});

describe("addresses", () => {
  test("that do not exist are 404 with a hint", async () => {
    const { made } = await withShop();
    const near = await must(404, made.ask("GET", "/v1/execution/exe_1"));
    expect(near.body).toMatchObject({ code: "not_found", hint: expect.stringContaining("/v1/executions") });
    const slash = await must(404, made.ask("GET", "/v1/executions/"));
    const nowhere = await must(404, made.ask("GET", "/nowhere/at/all"));
    expect(nowhere.body.hint).toContain("/docs");
    expect(slash.body.hint).toEqual(expect.any(String));
    expect(slash.body.hint).not.toContain("/docs");
  });

  test("that exist for other methods are 405 with Allow", async () => {
    const { made } = await withShop();
    const refused = await must(405, made.ask("PUT", "/v1/executions"));
    expect(refused.body.code).toBe("method_not_allowed");
    expect(refused.headers.get("Allow")?.split(", ").sort()).toEqual(["GET", "HEAD", "POST"]);
    expect((await must(405, made.ask("PUT", "/v1/executions/exe_1"))).headers.get("Allow")).toBe("GET, DELETE, HEAD");
  });
});

describe("problems", () => {
  test("are application/problem+json with the request's id in body and header", async () => {
    const { made } = await withShop();
    const refused = await must(404, made.ask("GET", "/none", { headers: { "X-Request-Id": "my-id.1" } }));
    expect(refused.headers.get("Content-Type")).toMatch(/^application\/problem\+json/);
    expect(refused.headers.get("X-Request-Id")).toBe("my-id.1");
    expect(problem.strict().parse(refused.body)).toMatchObject({ requestId: "my-id.1", type: "/docs#not_found" });
  });

  test("an invalid X-Request-Id is replaced", async () => {
    const { made } = await withShop();
    for (const sent of ["a b", "x".repeat(101), "<script>"]) {
      const { headers } = await made.ask("GET", "/health", { headers: { "X-Request-Id": sent } });
      expect(headers.get("X-Request-Id")).toMatch(/^req_/);
    }
  });

  test.each(refusalCodes)("%s has a status between 400 and 503", (code) => {
    const { status, retryAfterS } = refusalStatus(code);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(retryAfterS !== undefined).toBe(status === 429 || status === 503);
  });
});
