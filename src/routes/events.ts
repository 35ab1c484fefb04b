// Events: publishes an event by correlation key, and lists published events with their outcome.
import { OpenAPIHono } from "@hono/zod-openapi";
import * as shape from "#wire/events/shape.ts";
import { presentPublishedEvent, storedStatus } from "#wire/events/present.ts";
import * as query from "#wire/query.ts";
import { listPublishedEvents, publishEvent } from "#services/events/published-events.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Events";

const post = endpoint("postEvent", {
  method: "post",
  path: "/v1/events",
  tag,
  summary: "Publish an event by correlation key",
  description:
    "The response lists the matched executions. `GET /v1/events` shows the outcome. A repeated id or Idempotency-Key returns the earlier event and publishes nothing.",
  request: { query: query.changeQuery, body: jsonBody(shape.postEventBody) },
  answer: shape.postedReply,
  status: 202,
  dryAnswer: shape.postedReply,
});

const list = endpoint("listPostedEvents", {
  method: "get",
  path: "/v1/events",
  tag,
  summary: "List published events",
  description:
    "With `status=kept`, lists events that wait for an execution. With `status=undeliverable`, lists events that no execution accepted.",
  request: { query: shape.postedQuery },
  answer: query.pageOf(shape.postedEvent),
});

export const events = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(post, async (c) => {
    const { id = null, payload = null, source = null, correlationId = null, ...event } = c.req.valid("json");
    const { dryRun } = c.req.valid("query");
    const input = { ...event, id, payload, source, correlationId, key: c.var.idempotencyKey, dryRun };
    const result = await publishEvent(c.var.deps, c.var.caller, input);
    return answer(
      c,
      result,
      ({ row, repeated }) => ({ event: presentPublishedEvent(row), repeated, dryRun }),
      () => (dryRun ? 200 : 202),
    );
  })
  .openapi(list, async (c) => {
    const { cursor = null, limit, status, correlationKey = null } = c.req.valid("query");
    const stored = status === undefined ? null : storedStatus(status);
    const asked = { cursor, limit, status: stored, correlationKey };
    const page = await listPublishedEvents(c.var.deps, c.var.caller, asked);
    return answer(c, page, query.presentPage(presentPublishedEvent));
  });
