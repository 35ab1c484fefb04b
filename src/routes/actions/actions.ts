// Standalone actions: dispatch, list and read.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import * as shape from "#wire/actions/shape.ts";
import { controlBody } from "#wire/executions/bodies.ts";
import {
  presentAction,
  presentActionReply,
  presentActionSummary,
  presentRetiredAction,
} from "#wire/actions/present.ts";
import { executionIdText } from "#schema/ids.ts";
import * as query from "#wire/query.ts";
import { actionRequest, dispatchAction } from "#services/actions/dispatch-actions.ts";
import { findAction, listActions } from "#services/actions/standalone-actions.ts";
import { cancelAction, retryAction } from "#services/actions/control-action.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { showRates } from "../http/rate-limit.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const tag = "Actions";
const params = z.object({ id: executionIdText });

const dispatch = endpoint("dispatchAction", {
  method: "post",
  path: "/v1/actions",
  tag,
  summary: "Run a standalone action",
  description:
    "With an Idempotency-Key, or a `dedupKey` within its window, a repeated request returns the first action with `repeated: true`. A dry run shows what an action without such a key would do.",
  request: { query: query.changeQuery, body: jsonBody(shape.actionBody) },
  answer: shape.actionReply,
  status: 201,
});

const list = endpoint("listActions", {
  method: "get",
  path: "/v1/actions",
  tag,
  summary: "List standalone actions",
  description: "Read from the catalog, which may lag by a moment.",
  request: { query: shape.actionQuery },
  answer: query.pageOf(shape.actionSummary),
});

const read = endpoint("getAction", {
  method: "get",
  path: "/v1/actions/{id}",
  tag,
  summary: "Get a standalone action",
  request: { params, query: query.plainQuery },
  answer: shape.actionView,
});

const cancel = endpoint("cancelAction", {
  method: "post",
  path: "/v1/actions/{id}/cancel",
  tag,
  summary: "Cancel a standalone action",
  description: "An attempt in progress finishes, and no further attempt is made.",
  request: { params, query: query.changeQuery, body: jsonBody(controlBody, false) },
  answer: shape.actionReply,
});

const retry = endpoint("retryAction", {
  method: "post",
  path: "/v1/actions/{id}/retry",
  tag,
  summary: "Retry a standalone action",
  description:
    "Keeps the action's idempotency key. Without `config` and `variables` the provider receives the same bytes; with them the config is rendered again.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.retryBody, false) },
  answer: shape.actionReply,
});

export const actions = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(dispatch, async (c) => {
    const { dryRun } = c.req.valid("query");
    const request = actionRequest(c.req.valid("json"), c.var.idempotencyKey);
    const result = await dispatchAction(c.var.deps, c.var.caller, request, dryRun);
    await showRates(c);
    return answer(
      c,
      result,
      ({ reply, seen }) => presentActionReply(reply, seen, dryRun),
      ({ reply }) => (reply.repeated || dryRun ? 200 : 201),
    );
  })
  .openapi(list, async (c) => {
    const { cursor, limit, tenant: _tenant, ...filters } = c.req.valid("query");
    const page = await listActions(c.var.deps, c.var.caller, { filters, cursor: cursor ?? null, limit });
    return answer(c, page, query.presentPage(presentActionSummary));
  })
  .openapi(read, async (c) => {
    const found = await findAction(c.var.deps, c.var.caller, { id: c.req.valid("param").id });
    return answer(c, found, (action) =>
      action.kind === "live" ? presentAction(action.seen) : presentRetiredAction(action.retired),
    );
  })
  .openapi(cancel, async (c) => {
    const { dryRun } = c.req.valid("query");
    const { reason = null } = c.req.valid("json");
    const asked = { id: c.req.valid("param").id, reason, key: c.var.idempotencyKey, dryRun };
    const result = await cancelAction(c.var.deps, c.var.caller, asked);
    return answer(c, result, ({ reply, seen }) => presentActionReply(reply, seen, dryRun));
  })
  .openapi(retry, async (c) => {
    const { dryRun } = c.req.valid("query");
    const { config = null, variables = null, reason = null } = c.req.valid("json");
    const asked = { id: c.req.valid("param").id, config, variables, reason, key: c.var.idempotencyKey, dryRun };
    const result = await retryAction(c.var.deps, c.var.caller, asked);
    return answer(c, result, ({ reply, seen }) => presentActionReply(reply, seen, dryRun));
  });
