// CRUD routes: declares the create, list, get, update and delete endpoints of a noun in one place. A noun declares only
// those endpoints that follow this pattern; its other endpoints are added to the result with `.openapi()`.
import { OpenAPIHono } from "@hono/zod-openapi";
import type { ZodObject, ZodType } from "zod";
import type { JsonObject } from "#schema/json.ts";
import type { Precondition } from "#schema/configuration/precondition.ts";
import type { Result } from "#schema/refusal.ts";
import * as query from "#wire/query.ts";
import type { Deps, TenantCaller } from "#services/deps.ts";
import type { WriteOutcome } from "#services/named/put-named.ts";
import { answer, answerPut, setTag } from "./answer.ts";
import { answerOncePerKey } from "./idempotency-key.ts";
import type { AppEnv } from "./context.ts";
import type { EndpointId } from "./endpoint-access.ts";
import { endpoint, jsonBody, jsonOrTextBody } from "./endpoint.ts";
import { refuseInvalid } from "./refuse-invalid.ts";
import type { Tag } from "./tags.ts";

/**
 * One endpoint: its texts for /openapi.json, its use case and its response. `Shown` is the type of an item in a list's
 * response.
 */
type Verb<Input, Output, Shown = Output> = {
  readonly id: EndpointId;
  readonly summary: string;
  readonly description?: string;
  /** The use case that the endpoint calls. */
  readonly run: (deps: Deps, caller: TenantCaller, input: NoInfer<Input>) => Promise<Result<Output>>;
  /** The schema of the response or, for a list, of one item. */
  readonly answer: ZodType;
  readonly present: (shown: Shown, dryRun: boolean) => object;
};
/** A schema of path or query parameters, whose parsed value is the output. */
type Schema<Output> = ZodObject & ZodType<Output>;
type Change = { readonly reason: string | null; readonly dryRun: boolean };
type PutInput = Change & { readonly body: JsonObject; readonly precondition: Precondition };
type PageQuery = { readonly cursor?: string | undefined; readonly limit: number; readonly tenant?: string | undefined };
/** `filters`: all query parameters except those for paging. `cursor`: null for the first page. */
type PageInput<Query> = {
  readonly filters: Omit<Query, "cursor" | "limit" | "tenant">;
  readonly cursor: string | null;
  readonly limit: number;
};

/** The endpoints of a noun. If a verb is absent, the noun has no such endpoint. */
type Crud<Params, Query, Listed, Found, Body, Changed> = {
  readonly tag: Tag;
  /** The path of one item: "/v1/keys/{id}". The path of the list is the same without the last segment. */
  readonly path: string;
  readonly params: Schema<Params>;
  /** The create endpoint. Its response is stored under the request's Idempotency-Key. */
  readonly create?: Verb<{ readonly body: Body; readonly dryRun: boolean }, Changed> & { readonly body: ZodType<Body> };
  readonly list?: Verb<PageInput<Query>, query.Page<Listed>, Listed> & { readonly query: Schema<Query> };
  /** The read endpoint. `tag` gives its ETag, if the noun can be written by name. */
  readonly get?: Verb<Params, Found> & { readonly tag?: (found: Found) => Promise<string> };
  /** The endpoint that creates an item by its name, or replaces its settings. */
  readonly put?: Verb<Params & PutInput, WriteOutcome<Changed>, Changed> & { readonly body: ZodType<JsonObject> };
  /** The update endpoint. Its body is a JSON merge patch. */
  readonly update?: Verb<Params & Change & { readonly patch: JsonObject }, Changed> & {
    readonly body: ZodType<JsonObject>;
  };
  readonly remove?: Verb<Params & Change, Changed>;
};

export function crudRoutes<Params extends object, Query extends PageQuery, Listed, Found, Body, Changed>({
  tag,
  path,
  params,
  ...verbs
}: Crud<Params, Query, Listed, Found, Body, Changed>): OpenAPIHono<AppEnv> {
  const routes = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid });
  const { create, list, get, put, update, remove } = verbs;
  const collection = path.slice(0, path.lastIndexOf("/"));
  if (create !== undefined) {
    const request = { query: query.changeQuery, body: jsonBody(create.body) };
    const declared = { ...create, path: collection, tag, request, status: 201 } as const;
    routes.openapi(endpoint(create.id, { ...declared, method: "post" }), async (c) => {
      const { dryRun } = c.req.valid("query");
      const input = { body: c.req.valid("json"), dryRun };
      const result = await answerOncePerKey(c, input, (deps) => create.run(deps, c.var.caller, input));
      return answer(c, result, (created) => create.present(created, dryRun), dryRun ? 200 : 201);
    });
  }
  if (list !== undefined) {
    const request = { query: list.query };
    const declared = { ...list, path: collection, tag, request, answer: query.pageOf(list.answer) };
    routes.openapi(endpoint(list.id, { ...declared, method: "get" }), async (c) => {
      const { cursor, limit, tenant: _tenant, ...filters }: Query = c.req.valid("query");
      const page = await list.run(c.var.deps, c.var.caller, { filters, cursor: cursor ?? null, limit });
      const present = query.presentPage((row: Listed) => list.present(row, false));
      return answer(c, page, present);
    });
  }
  if (get !== undefined) {
    const request = { params, query: query.plainQuery };
    routes.openapi(endpoint(get.id, { ...get, method: "get", path, tag, request }), async (c) => {
      const result = await get.run(c.var.deps, c.var.caller, c.req.valid("param"));
      if (result.ok && get.tag !== undefined) setTag(c, await get.tag(result.value));
      return answer(c, result, (found) => get.present(found, false));
    });
  }
  if (put !== undefined) {
    const request = { params, query: query.changeQueryWithReason, body: jsonOrTextBody(put.body, put.id) };
    const declared = { ...put, path, tag, request, status: 201 } as const;
    routes.openapi(endpoint(put.id, { ...declared, method: "put" }), async (c) => {
      const { reason = null, dryRun } = c.req.valid("query");
      const sent = { ...c.req.valid("param"), body: c.req.valid("json"), reason, dryRun };
      const write = (precondition: Precondition) => put.run(c.var.deps, c.var.caller, { ...sent, precondition });
      return answerPut(c, write, (view) => put.present(view, dryRun), dryRun ? 200 : 201);
    });
  }
  if (update !== undefined) {
    const request = { params, query: query.changeQueryWithReason, body: jsonBody(update.body) };
    routes.openapi(endpoint(update.id, { ...update, method: "patch", path, tag, request }), async (c) => {
      const { reason = null, dryRun } = c.req.valid("query");
      const input = { ...c.req.valid("param"), patch: c.req.valid("json"), reason, dryRun };
      const result = await update.run(c.var.deps, c.var.caller, input);
      return answer(c, result, (updated) => update.present(updated, dryRun));
    });
  }
  if (remove !== undefined) {
    const request = { params, query: query.changeQueryWithReason };
    routes.openapi(endpoint(remove.id, { ...remove, method: "delete", path, tag, request }), async (c) => {
      const { reason = null, dryRun } = c.req.valid("query");
      const result = await remove.run(c.var.deps, c.var.caller, { ...c.req.valid("param"), reason, dryRun });
      return answer(c, result, (removed) => remove.present(removed, dryRun));
    });
  }
  return routes;
}
