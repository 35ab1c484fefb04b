// What the API says of itself: health, the OpenAPI document, the reference page.
import { expect, test } from "vitest";
import { version } from "#wire/health/shape.ts";
import { problemCode } from "#wire/problem.ts";
import { openDb } from "#catalog/db.ts";
import manifest from "../../../package.json";
import { api, must, type Parsed } from "#test/support/api.ts";
import { brokenBinding } from "#test/support/catalog.ts";

const open = { key: null };

test("health needs no key and asks the catalog only when told to", async () => {
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

test("the document is OpenAPI 3.1, every reference in it leads somewhere, every operation is complete", async () => {
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
      expect(operation.responses.default.content["application/problem+json"].schema).toEqual({
        $ref: "#/components/schemas/Problem",
      });
      const parameters = operation.parameters?.map((one: { name: string }) => one.name) ?? [];
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) expect(parameters).toContain(name);
      if (method === "post") expect(parameters).toContain("Idempotency-Key");
    }
  }
});

test("the document describes definitions down to their states", async () => {
  const { body } = await must(200, api().ask("GET", "/openapi.json", open));
  const { Definition } = body.components.schemas;
  expect(JSON.stringify(Definition)).toContain("initial");
  expect(names(body)).toEqual(
    expect.arrayContaining(["Execution", "Reply", "Run", "JournalEntry", "Problem", "Finding"]),
  );
});

test("the reference page needs nothing from elsewhere and runs no script", async () => {
  const { body, headers } = await must(200, api().ask("GET", "/docs", open));
  expect(headers.get("Content-Type")).toMatch(/^text\/html/);
  expect(headers.get("Content-Security-Policy")).toMatch(/default-src 'none'/);
  expect(body).not.toMatch(/<script|style="|https?:\/\//);
  expect(body).toContain("/v1/executions/{id}/events");
  for (const code of problemCode.options) expect(body).toContain(`id="${code}"`);
  for (const [, target] of body.matchAll(/href="#([^"]+)"/g)) expect(body).toContain(`id="${target}"`);
  const style = await must(200, api().ask("GET", "/docs/style.css", open));
  expect(style.headers.get("Content-Type")).toMatch(/^text\/css/);
});

function names(document: { components: { schemas: Record<string, unknown> } }): string[] {
  return Object.keys(document.components.schemas);
}
