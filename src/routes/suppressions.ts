// Suppressions: lists, adds and deletes addresses that a tenant's messages must not be sent to.
import { OpenAPIHono } from "@hono/zod-openapi";
import * as query from "#wire/query.ts";
import { presentSuppression } from "#wire/suppressions/present.ts";
import * as shape from "#wire/suppressions/shape.ts";
import {
  addSuppressions,
  deleteSuppression,
  getSuppression,
  listSuppressions,
} from "#services/suppressions/suppressions.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { endpoint, jsonBody } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Suppressions";
const params = shape.suppressionParams;
const path = "/v1/suppressions/{channel}/{address}";

const list = endpoint("listSuppressions", {
  method: "get",
  path: "/v1/suppressions",
  tag,
  summary: "List suppressed addresses",
  description: "The list is sorted by channel and address.",
  request: { query: shape.listSuppressionsQuery },
  answer: query.pageOf(shape.suppression),
});

const add = endpoint("addSuppressions", {
  method: "post",
  path: "/v1/suppressions",
  tag,
  summary: "Add suppressed addresses",
  description:
    "Adds up to 1,000 addresses. The next attempt of each message heeds them. An address that already has the reason is unchanged, so the request can be repeated.",
  request: { query: query.changeQuery, body: jsonBody(shape.addSuppressionsBody) },
  answer: shape.addedSuppressions,
});

const get = endpoint("getSuppression", {
  method: "get",
  path,
  tag,
  summary: "Get a suppressed address",
  request: { params, query: query.plainQuery },
  answer: shape.suppression,
});

const remove = endpoint("deleteSuppression", {
  method: "delete",
  path,
  tag,
  summary: "Delete a suppressed address",
  description: "Allows the address again: it loses all its reasons, and the next message is sent.",
  request: { params, query: query.changeQueryWithReason },
  answer: shape.deletedSuppression,
});

export const suppressions = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(list, async (c) => {
    const { cursor = null, limit, channel, reason } = c.req.valid("query");
    const page = await listSuppressions(c.var.deps, c.var.caller, { filters: { channel, reason }, cursor, limit });
    return answer(c, page, query.presentPage(presentSuppression));
  })
  .openapi(add, async (c) => {
    const { reason = null, suppressions: added } = c.req.valid("json");
    const { dryRun } = c.req.valid("query");
    const result = await addSuppressions(c.var.deps, c.var.caller, { suppressions: added, reason, dryRun });
    return answer(c, result, (counts) => ({ ...counts, dryRun }));
  })
  .openapi(get, async (c) => {
    return answer(c, await getSuppression(c.var.deps, c.var.caller, c.req.valid("param")), presentSuppression);
  })
  .openapi(remove, async (c) => {
    const { reason = null, dryRun } = c.req.valid("query");
    const input = { ...c.req.valid("param"), reason, dryRun };
    const result = await deleteSuppression(c.var.deps, c.var.caller, input);
    return answer(c, result, (deleted) => ({ ...presentSuppression(deleted), dryRun }));
  });
