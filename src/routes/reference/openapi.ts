// /openapi.json: built from the schemas that validate requests, and from the headers and refusals that apply to every
// endpoint. It is built once per isolate.
import type { OpenAPIHono } from "@hono/zod-openapi";
import { version } from "#wire/health/shape.ts";
import { templateBodySchema } from "#wire/templates/shape.ts";
import { headersOf } from "../http/conditions.ts";
import type { AppEnv } from "../http/context.ts";
import { tags } from "../http/tags.ts";
import { withTypedConfigs, type ActionTypes } from "./action-schemas.ts";
import { definitionParts } from "./definition-schema.ts";
import { withDescribedDefaults } from "./described-defaults.ts";
import { asComponents, partsOf, type JsonSchema, type Parts } from "./json-schema.ts";
import { withRefusals } from "./refusals.ts";

export type Document = ReturnType<OpenAPIHono<AppEnv>["getOpenAPI31Document"]>;
type Paths = NonNullable<Document["paths"]>;
type Operation = NonNullable<Paths[string]["get"]>;

const description =
  "Durable state machines and actions.\n\n**Keys.** `Authorization: Bearer <key>`. A key belongs to one tenant and has scopes; no scope implies another.\nThe root key belongs to no tenant and names one per request with `X-Tenant` (or `?tenant=`).\n\n**Idempotency.** Every POST takes an `Idempotency-Key`: the same key and body return the first response again; the same key with\nanother body is refused with 422. Every change takes `?dryRun=true`.\n\n**Errors** are `application/problem+json` (RFC 9457) with a `code`; unknown fields and parameters are refused.\n\n**Lists** are paginated: pass `nextCursor` as `cursor` until it is null.\n\n**Editors** complete and check a definition that names `/schemas/definition.json` as its `$schema`.";

export function openApiDocument(app: OpenAPIHono<AppEnv>, types: ActionTypes): Document {
  app.openAPIRegistry.registerComponent("securitySchemes", "key", {
    type: "http",
    scheme: "bearer",
    description: "An API key of one tenant, or the root key.",
  });
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Escapement", version, description },
    servers: [{ url: "/" }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
  });
  const responses = new Map<string, JsonSchema>();
  const paths = inTagOrder(
    mapOperations(document.paths ?? {}, (operation, method) => withHeadersAndRefusals(operation, method, responses)),
  );
  const components = { ...document.components, responses: sorted(responses), schemas: schemasOf(document, types) };
  const info = { ...document.info, license: { name: "MIT", identifier: "MIT" } };
  return asDocument({ ...document, info, paths, components });
}

/**
 * Adds two groups to the declared schemas: recursive bodies, which use cases check, and actions, whose `type` decides
 * their config.
 */
function schemasOf({ components, paths = {} }: Document, types: ActionTypes): object {
  const bodies: Parts = { ...definitionParts(types), ...partsOf("Template", templateBodySchema) };
  const declared = { ...components?.schemas };
  const typed = Object.entries({ ...declared, ...bodies }).map(([name, schema]) => [
    name,
    withTypedConfigs({ ...examplesOf(declared[name]), ...schema }),
  ]);
  return asComponents(withDescribedDefaults(Object.fromEntries(typed), responsesOf(paths)));
}

function examplesOf(schema: object | undefined): object {
  return schema !== undefined && "examples" in schema ? { examples: schema.examples } : {};
}

function responsesOf(paths: Paths): unknown {
  return Object.values(paths).flatMap((item) => METHODS.map((method) => item[method]?.responses));
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
type Method = (typeof METHODS)[number];

function mapOperations(paths: Paths, change: (operation: Operation, method: Method) => Operation): Paths {
  const changed = Object.entries(paths).map(([path, item]) => {
    const operations = METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [[method, change(operation, method)]];
    });
    return [path, { ...item, ...Object.fromEntries(operations) }];
  });
  return Object.fromEntries(changed);
}

function withHeadersAndRefusals(operation: Operation, method: Method, shared: Map<string, JsonSchema>): Operation {
  const supported = headersOf(String(operation.operationId)).map(asParameter);
  const headers = operation.security?.length
    ? [tenantHeader, ...(method === "post" ? [keyHeader] : []), ...supported]
    : [];
  const parameters = [...(operation.parameters ?? []), ...headers];
  return withRefusals({ ...operation, ...(parameters.length > 0 ? { parameters } : {}) }, method, shared);
}

const tenantHeader = {
  name: "X-Tenant",
  in: "header",
  description: "The tenant. Required with the root key, which belongs to no tenant.",
  schema: { type: "string" },
} as const;
const keyHeader = {
  name: "Idempotency-Key",
  in: "header",
  description: "A repeated request with the same key and body returns the first response again.",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,200}$" },
} as const;

function asParameter({ name, description, pattern }: ReturnType<typeof headersOf>[number]) {
  return { name, in: "header", description, schema: { type: "string", pattern } } as const;
}

/** Sorts paths by the order of their tags. Paths of one tag keep the order of declaration. */
function inTagOrder(paths: Paths): Paths {
  const order = Object.keys(tags);
  const tagIndexOf = (item: Paths[string]): number => {
    const first = METHODS.map((method) => item[method]?.tags?.[0]).find((tag) => tag !== undefined);
    return order.indexOf(first ?? "");
  };
  return Object.fromEntries(
    Object.entries(paths).toSorted(([, one], [, other]) => tagIndexOf(one) - tagIndexOf(other)),
  );
}

function sorted(responses: ReadonlyMap<string, JsonSchema>): object {
  return Object.fromEntries([...responses].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** OpenAPI 3.1 contains JSON Schema unchanged; the generator's types are narrower. */
function asDocument(document: object): Document {
  return document as Document;
}
