// Standalone actions: dispatch, list, read, cancel and retry them.
import { z } from "zod";
import * as shape from "#wire/actions/shape.ts";
import { controlBody } from "#wire/executions/bodies.ts";
import {
  presentAction,
  presentActionReply,
  presentActionSummary,
  presentRetiredAction,
} from "#wire/actions/present.ts";
import { presentDelivery } from "#wire/reports/present.ts";
import { executionIdText } from "#schema/ids.ts";
import * as query from "#wire/query.ts";
import { actionRequest, dispatchAction } from "#services/actions/dispatch-actions.ts";
import { findDeliveredAction, listDeliveredActions } from "#services/actions/standalone-actions.ts";
import { cancelAction, retryAction } from "#services/actions/control-action.ts";
import { answer } from "../http/answer.ts";
import { crudRoutes } from "../http/crud.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { setRateLimitHeaders } from "../http/rate-limit.ts";

const tag = "Actions";
const params = z.object({ id: executionIdText });

const dispatch = endpoint("dispatchAction", {
  method: "post",
  path: "/v1/actions",
  tag,
  summary: "Run a standalone action",
  description:
    "With an Idempotency-Key, or a `dedupKey` within its window, a repeated request returns the first action with `repeated: true`. A dry run ignores both keys.",
  request: { query: query.changeQuery, body: jsonBody(shape.actionBody) },
  answer: shape.actionReply,
  status: 201,
});

const cancel = endpoint("cancelAction", {
  method: "post",
  path: "/v1/actions/{id}/cancel",
  tag,
  summary: "Cancel a standalone action",
  description: "An attempt in progress finishes. The engine makes no further attempt.",
  request: { params, query: query.changeQuery, body: jsonBody(controlBody, false) },
  answer: shape.actionReply,
});

const retry = endpoint("retryAction", {
  method: "post",
  path: "/v1/actions/{id}/retry",
  tag,
  summary: "Retry a standalone action",
  description:
    "The retry has the same idempotency key. Without `config` and `variables` the provider receives the same bytes. With `config` or `variables`, the config is rendered again.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.retryBody, false) },
  answer: shape.actionReply,
});

export const actions = crudRoutes({
  tag,
  path: "/v1/actions/{id}",
  params,
  list: {
    id: "listActions",
    summary: "List standalone actions",
    description: "The list is read from the catalog, which may lag by a moment.",
    query: shape.actionQuery,
    run: listDeliveredActions,
    answer: shape.actionSummary,
    present: ({ delivery, ...row }) => ({ ...presentActionSummary(row), delivery: presentDelivery(delivery) }),
  },
  get: {
    id: "getAction",
    summary: "Get a standalone action",
    run: findDeliveredAction,
    answer: shape.actionView,
    present: ({ action, delivery }) => ({
      ...(action.kind === "live" ? presentAction(action.seen) : presentRetiredAction(action.retired)),
      delivery: presentDelivery(delivery),
    }),
  },
})
  .openapi(dispatch, async (c) => {
    const { dryRun } = c.req.valid("query");
    const request = actionRequest(c.req.valid("json"), c.var.idempotencyKey);
    const result = await dispatchAction(c.var.deps, c.var.caller, request, dryRun);
    await setRateLimitHeaders(c);
    return answer(
      c,
      result,
      ({ reply, seen }) => presentActionReply(reply, seen, dryRun),
      ({ reply }) => (reply.repeated || dryRun ? 200 : 201),
    );
  })
  .openapi(cancel, async (c) => {
    const { dryRun } = c.req.valid("query");
    const { reason = null } = c.req.valid("json");
    const input = { id: c.req.valid("param").id, reason, key: c.var.idempotencyKey, dryRun };
    const result = await cancelAction(c.var.deps, c.var.caller, input);
    return answer(c, result, ({ reply, seen }) => presentActionReply(reply, seen, dryRun));
  })
  .openapi(retry, async (c) => {
    const { dryRun } = c.req.valid("query");
    const { config = null, variables = null, reason = null } = c.req.valid("json");
    const input = { id: c.req.valid("param").id, config, variables, reason, key: c.var.idempotencyKey, dryRun };
    const result = await retryAction(c.var.deps, c.var.caller, input);
    return answer(c, result, ({ reply, seen }) => presentActionReply(reply, seen, dryRun));
  });
