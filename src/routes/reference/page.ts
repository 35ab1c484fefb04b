// Reference pages: /openapi.json, the page at /docs made from it, and the schema with which editors check definitions.
// The page is plain HTML without scripts and external resources.
import { OpenAPIHono } from "@hono/zod-openapi";
import { etag } from "hono/etag";
import { html } from "hono/html";
import type { AppEnv } from "../http/context.ts";
import type { Deps } from "#services/deps.ts";
import { definitionSchema } from "./definition-schema.ts";
import type { JsonSchema } from "./json-schema.ts";
import { openApiDocument, type Document } from "./openapi.ts";
import { paragraphs } from "./text.ts";
import { renderProblems, renderSchemas } from "./schemas.ts";
import { stylesheet } from "./style.ts";
import { endpointsByTag, renderEndpoint, type Endpoint } from "./endpoint.ts";

const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const SCHEMA_PATH = "/schemas/definition.json";
const SCHEMA_TYPE = "application/schema+json";
const FOR_AN_HOUR = { "Cache-Control": "public, max-age=3600" };

export function reference(whole: () => OpenAPIHono<AppEnv>) {
  let built: Document | null = null;
  let schema: JsonSchema | null = null;
  const documentFor = ({ actionTypes }: Deps) => (built ??= openApiDocument(whole(), actionTypes));
  const schemaFor = ({ actionTypes }: Deps) => (schema ??= definitionSchema(actionTypes));
  return new OpenAPIHono<AppEnv>()
    .use("/openapi.json", etag())
    .use(SCHEMA_PATH, etag())
    .get("/openapi.json", (c) => c.json(documentFor(c.var.deps), 200, FOR_AN_HOUR))
    .get(SCHEMA_PATH, (c) => c.json(schemaFor(c.var.deps), 200, { ...FOR_AN_HOUR, "Content-Type": SCHEMA_TYPE }))
    .get("/docs/style.css", (c) =>
      c.body(stylesheet, 200, { ...FOR_AN_HOUR, "Content-Type": "text/css; charset=utf-8" }),
    )
    .get("/docs", (c) => {
      c.header("Content-Security-Policy", POLICY);
      c.header("Cache-Control", "public, max-age=3600");
      return c.html(page(documentFor(c.var.deps)));
    });
}

function page(document: Document) {
  const groups = endpointsByTag(document);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title} API</title>
        <link rel="stylesheet" href="/docs/style.css" />
      </head>
      <body>
        <nav aria-label="Contents">
          <strong>${document.info.title} ${document.info.version}</strong>
          ${groups.map(
            ([tag, endpoints]) =>
              html`<h2>${tag}</h2>
                ${navList(endpoints)}`,
          )}
          <h2>More</h2>
          <ul>
            <li><a href="#problems">Problem codes</a></li>
            <li><a href="#schemas">Schemas</a></li>
            <li><a href="/openapi.json">openapi.json</a></li>
            <li><a href="/schemas/definition.json">JSON Schema of definitions</a></li>
          </ul>
        </nav>
        <main>
          <h1>${document.info.title} API</h1>
          ${paragraphs(document.info.description ?? "")}
          ${groups.map(
            ([tag, endpoints]) =>
              html`<h2>${tag}</h2>
                <p>${about(document, tag)}</p>
                ${endpoints.map(renderEndpoint)}`,
          )}
          ${renderProblems()} ${renderSchemas(document)}
        </main>
      </body>
    </html>`;
}

function about({ tags = [] }: Document, tag: string): string {
  return tags.find(({ name }) => name === tag)?.description ?? "";
}

function navList(endpoints: readonly Endpoint[]) {
  return html`<ul>
    ${endpoints.map((one) => html`<li><a href="#${one.id}">${one.summary}</a></li>`)}
  </ul>`;
}
