// Connections: a tenant's accounts at providers. No answer contains the values of their secrets.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import * as shape from "#wire/connections/shape.ts";
import { presentConnection, presentInUse } from "#wire/connections/present.ts";
import * as value from "#schema/values.ts";
import * as query from "#wire/query.ts";
import { provider } from "#schema/connection.ts";
import type { JsonObject } from "#schema/json.ts";
import {
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  updateConnection,
} from "#services/connections/connections.ts";
import { testConnection } from "#services/connections/test-connection.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { answerOncePerKey } from "./http/answer-once.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Connections";
const params = z.object({ ref: shape.connectionRefText });
const changeWithReason = query.changeQuery.extend({ reason: value.reason.optional() });

const create = endpoint("createConnection", {
  method: "post",
  path: "/v1/connections",
  tag,
  summary: "Create a connection",
  description: "`credentials` names stored secrets; they may be set later. Test the connection afterwards.",
  request: { query: query.changeQuery, body: jsonBody(shape.createConnectionBody) },
  answer: shape.connectionView,
  status: 201,
});

const list = endpoint("listConnections", {
  method: "get",
  path: "/v1/connections",
  tag,
  summary: "List connections",
  request: { query: query.pageQueryWith({ provider: provider.optional() }) },
  answer: query.pageOf(shape.connectionView),
});

const read = endpoint("getConnection", {
  method: "get",
  path: "/v1/connections/{ref}",
  tag,
  summary: "Get a connection",
  request: { params, query: query.plainQuery },
  answer: shape.connectionInUse,
});

const update = endpoint("updateConnection", {
  method: "patch",
  path: "/v1/connections/{ref}",
  tag,
  summary: "Update a connection",
  description: "Takes effect within seconds. The provider cannot be changed.",
  request: { params, query: changeWithReason, body: jsonBody(shape.patchConnectionBody) },
  answer: shape.connectionView,
});

const remove = endpoint("deleteConnection", {
  method: "delete",
  path: "/v1/connections/{ref}",
  tag,
  summary: "Delete a connection",
  description: "Frees the name. Runs that use the connection fail with `invalid_configuration`.",
  request: { params, query: changeWithReason },
  answer: shape.connectionView,
});

const tryOut = endpoint("testConnection", {
  method: "post",
  path: "/v1/connections/{ref}/test",
  tag,
  summary: "Test a connection",
  description:
    "Decrypts its secrets, requests an access token if it needs one, and makes the provider's cheapest authenticated call.",
  request: { params, query: query.plainQuery },
  answer: shape.testedConnection,
});

export const connections = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(create, async (c) => {
    const { dryRun } = c.req.valid("query");
    const input = { body: c.req.valid("json"), dryRun };
    const said = { body: input.body as JsonObject, dryRun }; // it came out of JSON.parse
    const result = await answerOncePerKey(c, said, (deps) => createConnection(deps, c.var.caller, input));
    return answer(c, result, presentConnection, dryRun ? 200 : 201);
  })
  .openapi(list, async (c) => {
    const { cursor = null, limit, provider: only = null } = c.req.valid("query");
    const page = await listConnections(c.var.deps, c.var.caller, { provider: only, cursor, limit });
    return answer(c, page, query.presentPage(presentConnection));
  })
  .openapi(tryOut, async (c) => {
    const result = await testConnection(c.var.deps, c.var.caller, { ref: c.req.valid("param").ref });
    return answer(c, result, (tested) => tested);
  })
  .openapi(read, async (c) => {
    const result = await getConnection(c.var.deps, c.var.caller, { ref: c.req.valid("param").ref });
    return answer(c, result, presentInUse);
  })
  .openapi(update, async (c) => {
    const { reason = null, dryRun } = c.req.valid("query");
    const input = { ref: c.req.valid("param").ref, patch: c.req.valid("json"), reason, dryRun };
    return answer(c, await updateConnection(c.var.deps, c.var.caller, input), presentConnection);
  })
  .openapi(remove, async (c) => {
    const { reason = null, dryRun } = c.req.valid("query");
    const input = { ref: c.req.valid("param").ref, reason, dryRun };
    return answer(c, await deleteConnection(c.var.deps, c.var.caller, input), presentConnection);
  });
