// Health, the OpenAPI document, and the reference page.
import { expect, test } from "vitest";
import { version } from "#wire/health/shape.ts";
import { problemCode } from "#wire/problem.ts";
import { openDb } from "#catalog/db.ts";
import manifest from "../../../package.json";
import { tags } from "#routes/http/tags.ts";
import { api, must, type Parsed } from "#test/support/api.ts";
import { brokenBinding } from "#test/support/catalog.ts";

const open = { key: null };

test("health needs no key, and queries the catalog only with `deep=true`", async () => {
  const { ask } = api();
  const time = "2026-11-18T12:00:00.000Z";
  expect((await must(200, ask("GET", "/health", open))).body).toEqual({ status: "ok", version, time });
  expect((await must(200, ask("GET", "/health?deep=true", open))).body.checks).toEqual({ catalog: "ok" });
  const down = api({ db: openDb(brokenBinding) });
  await must(200, down.ask("GET", "/health", open));
  expect((await must(503, down.ask("GET", "/health?deep=true", open))).body).toMatchObject({
    status: "degraded",
    checks: { catalog: "failed" },
  });
  await must(400, ask("GET", "/health?deeep=true", open));
});

test("the version is package.json's", () => expect(version).toBe(manifest.version));

test("the root points to the documentation", async () => {
  expect((await must(200, api().ask("GET", "/", open))).body).toMatchObject({
    docs: "/docs",
    openapi: "/openapi.json",
  });
});

test("the document is OpenAPI 3.1 with resolvable references and complete operations", async () => {
  const { body } = await must(200, api().ask("GET", "/openapi.json", open));
  expect(body.openapi).toBe("3.1.0");
  expect(body.components.securitySchemes.key).toMatchObject({ type: "http", scheme: "bearer" });
  const names = Object.keys(body.components.schemas);
  for (const [, name] of JSON.stringify(body).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    expect(names).toContain(name);
  for (const [path, item] of Object.entries<Record<string, Parsed>>(body.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      expect(operation.operationId, `${method} ${path}`).toBeTruthy();
      expect(operation.summary, path).toBeTruthy();
      expect(operation.tags, `${path}: exactly one tag`).toHaveLength(1);
      expect(Object.keys(operation.responses).filter((status) => status.startsWith("4"))).not.toEqual([]);
      const parameters = operation.parameters?.map((one: { name: string }) => one.name) ?? [];
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) expect(parameters).toContain(name);
      if (method === "post") expect(parameters).toContain("Idempotency-Key");
    }
  }
});

test("the tags have the order of src/routes/http/tags.ts", async () => {
  const { body } = await must(200, api().ask("GET", "/openapi.json", open));
  const told = Object.values<Record<string, Parsed>>(body.paths).flatMap((item) =>
    Object.values(item).map(({ tags: [tag] }) => tag),
  );
  expect([...new Set(told)]).toEqual(Object.keys(tags));
  expect(body.tags.map(({ name }: { name: string }) => name)).toEqual(Object.keys(tags));
  expect(told.at(-1)).toBe(body.paths["/v1/tenants"].post.tags[0]);
  const page = await must(200, api().ask("GET", "/docs", open));
  expect(page.body.lastIndexOf("/v1/tenants")).toBeGreaterThan(page.body.lastIndexOf("/v1/definitions"));
});

test("each operation lists its refusal codes, and no others", async () => {
  const { body } = await must(200, api().ask("GET", "/openapi.json", open));
  const codesOf = (path: string, method: string, status: number): unknown => {
    const response = body.paths[path][method].responses[status];
    const found = response?.$ref === undefined ? response : body.components.responses[response.$ref.split("/").at(-1)];
    return found?.content["application/problem+json"].schema.allOf[1].properties.code.enum;
  };
  expect(codesOf("/v1/tasks/{id}/complete", "post", 409)).toEqual(["answer_lost", "task_closed"]);
  expect(codesOf("/v1/definitions", "post", 422)).toContain("definition_invalid");
  expect(codesOf("/v1/definitions", "get", 401)).toEqual(["unauthenticated"]);
  expect(codesOf("/v1/definitions", "get", 409)).toBeUndefined();
  expect(codesOf("/health", "get", 401)).toBeUndefined();
});

test("every schema with `type` and `config` types the config; no request leaves it open", async () => {
  const { body } = await must(200, api().ask("GET", "/openapi.json", open));
  const left: string[] = [];
  const look = (schema: Parsed, at: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { type, config } = schema.properties ?? {};
    if (type !== undefined && config?.type === "object" && config.properties === undefined) left.push(at);
    for (const [key, each] of Object.entries(schema)) look(each, `${at}/${key}`);
  };
  for (const [path, item] of Object.entries<Record<string, Parsed>>(body.paths))
    for (const { requestBody } of Object.values(item)) look(requestBody, path);
  const names = new Set<string>();
  const collect = (schema: unknown): void => {
    for (const [, name = ""] of JSON.stringify(schema ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      if (!names.has(name)) {
        names.add(name);
        collect(body.components.schemas[name]);
      }
  };
  for (const item of Object.values<Record<string, Parsed>>(body.paths))
    for (const { requestBody } of Object.values(item)) collect(requestBody);
  // A journey's `defaults` may set parts of a node's config, so these schemas require no complete config.
  const ofJourneys = new Set(["ActingNode", "EachNode", "Undo"]);
  for (const name of names) if (!ofJourneys.has(name)) look(body.components.schemas[name], name);
  expect(left, 'mark the field with .meta({ "x-config-of": "type" }), as src/wire/actions/shape.ts does').toEqual([]);
  expect(names).toContain("TypedAction");
});

test("the schema of definitions needs no key, and has an ETag", async () => {
  const { ask } = api();
  const first = await must(200, ask("GET", "/schemas/definition.json", open));
  expect(first.headers.get("Content-Type")).toBe("application/schema+json");
  expect(first.headers.get("Cache-Control")).toBe("public, max-age=3600");
  expect(first.body).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: { WebhookAction: { properties: { type: { const: "webhook" } } } },
  });
  const etag = first.headers.get("ETag") ?? "";
  const again = await must(
    304,
    ask("GET", "/schemas/definition.json", { ...open, headers: { "If-None-Match": etag } }),
  );
  expect(again.body).toBe("");
  await must(200, ask("GET", "/schemas/definition.json", { ...open, headers: { "If-None-Match": '"another"' } }));
});

test("the document describes definitions down to their states", async () => {
  const { body } = await must(200, api().ask("GET", "/openapi.json", open));
  const { Definition } = body.components.schemas;
  expect(JSON.stringify(Definition)).toContain("initial");
  expect(names(body)).toEqual(
    expect.arrayContaining(["Execution", "Reply", "Run", "JournalEntry", "Problem", "Finding"]),
  );
});

test("the reference page loads no external resource and runs no script", async () => {
  const { body, headers } = await must(200, api().ask("GET", "/docs", open));
  expect(headers.get("Content-Type")).toMatch(/^text\/html/);
  expect(headers.get("Content-Security-Policy")).toMatch(/default-src 'none'/);
  expect(body).not.toMatch(/<script|style="|(?:src|href|action)="https?:|url\(/);
  expect(body).toContain("/v1/executions/{id}/events");
  for (const code of problemCode.options) expect(body).toContain(`id="${code}"`);
  for (const [, target] of body.matchAll(/href="#([^"]+)"/g)) expect(body).toContain(`id="${target}"`);
  const style = await must(200, api().ask("GET", "/docs/style.css", open));
  expect(style.headers.get("Content-Type")).toMatch(/^text\/css/);
});

function names(document: { components: { schemas: Record<string, unknown> } }): string[] {
  return Object.keys(document.components.schemas);
}
