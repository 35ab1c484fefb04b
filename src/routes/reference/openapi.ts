// /openapi.json: made from the schemas that validate, plus what holds for every endpoint. Built once per isolate.
import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { version } from "#wire/health/shape.ts";
import { templateBodySchema } from "#wire/templates/shape.ts";
import { definition } from "#schema/definition/definition.ts";
import type { AppEnv } from "../http/context.ts";

export type Document = ReturnType<OpenAPIHono<AppEnv>["getOpenAPI31Document"]>;

const description = `Durable state machines and actions.

**Keys.** \`Authorization: Bearer <key>\`. A key belongs to one tenant and has scopes, none of which implies another.
The root key belongs to no tenant and names one per request with \`X-Tenant\` (or \`?tenant=\`).

**Repeats.** Every POST takes an \`Idempotency-Key\`: the same key and body get the first answer again; the same key with
another body is refused with 422. Every change takes \`?dryRun=true\`.

**Refusals** are \`application/problem+json\` (RFC 9457) with a \`code\`; unknown fields and parameters are refused.

**Lists** come in pages: pass \`nextCursor\` as \`cursor\` until it is null.`;

export function openApiDocument(app: OpenAPIHono<AppEnv>): Document {
  app.openAPIRegistry.registerComponent("securitySchemes", "key", {
    type: "http",
    scheme: "bearer",
    description: "An API key of one tenant, or the root key.",
  });
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Escapement", version, description },
    servers: [{ url: "/" }],
  });
  const schemas = { ...document.components?.schemas, ...bodySchemas() };
  return { ...document, paths: withHeaders(document.paths), components: { ...document.components, schemas } };
}

type Schemas = NonNullable<NonNullable<Document["components"]>["schemas"]>;

/** Bodies that use cases check, not routes; their schemas are recursive, and zod's own generator can say so. */
function bodySchemas(): Schemas {
  return { ...schemasOf("Definition", definition), ...schemasOf("Template", templateBodySchema) };
}

function schemasOf(title: string, schema: z.ZodType): Schemas {
  const partName = (name: string): string => `${title}${name.replace(/^_+schema/, "Part")}`;
  const { $schema: _dialect, $defs: parts = {}, ...whole } = z.toJSONSchema(schema, { io: "input" });
  const named = Object.fromEntries(Object.entries(parts).map(([name, part]) => [partName(name), part]));
  const text = JSON.stringify({ [title]: whole, ...named });
  const moved = text.replace(
    /"#\/\$defs\/([^"]+)"/g,
    (_all, name: string) => `"#/components/schemas/${partName(name)}"`,
  );
  return JSON.parse(moved) as Schemas; // JSON Schema is OpenAPI 3.1's own dialect
}

const tenantHeader = {
  name: "X-Tenant",
  in: "header",
  description: "With the root key: the tenant meant.",
  schema: { type: "string" },
} as const;
const keyHeader = {
  name: "Idempotency-Key",
  in: "header",
  description: "The same key and body get the first answer again.",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,200}$" },
} as const;

function withHeaders(paths: Document["paths"]): NonNullable<Document["paths"]> {
  const entries = Object.entries(paths ?? {}).map(([path, item]) => {
    const { get, post, put, patch, delete: gone } = item;
    const changed = { ...item };
    if (get?.security) changed.get = { ...get, parameters: [...(get.parameters ?? []), tenantHeader] };
    if (post) changed.post = { ...post, parameters: [...(post.parameters ?? []), tenantHeader, keyHeader] };
    if (put) changed.put = { ...put, parameters: [...(put.parameters ?? []), tenantHeader] };
    if (patch) changed.patch = { ...patch, parameters: [...(patch.parameters ?? []), tenantHeader] };
    if (gone) changed.delete = { ...gone, parameters: [...(gone.parameters ?? []), tenantHeader] };
    return [path, changed] as const;
  });
  return Object.fromEntries(entries);
}
