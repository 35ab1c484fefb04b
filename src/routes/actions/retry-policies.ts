// Retry policies: lists the presets, and shows when each attempt of a policy would be made.
import { OpenAPIHono } from "@hono/zod-openapi";
import { presentRetryTimetable, presentNamed } from "#wire/retry/present.ts";
import * as shape from "#wire/retry/shape.ts";
import * as query from "#wire/query.ts";
import { namedPolicies, retryTimetable } from "#services/actions/retry-timetable.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const tag = "Retry policies";

const list = endpoint("listRetryPolicies", {
  method: "get",
  path: "/v1/retry-policies",
  tag,
  summary: "List retry policies",
  request: { query: query.plainQuery },
  answer: shape.namedPolicies,
});

const ofPreset = endpoint("getRetryLadder", {
  method: "get",
  path: "/v1/retry-policies/ladder",
  tag,
  summary: "Get a retry policy's timetable",
  request: { query: shape.retryTimetableQuery },
  answer: shape.retryTimetable,
});

const ofPolicy = endpoint("showRetryLadder", {
  method: "post",
  path: "/v1/retry-policies/ladder",
  tag,
  summary: "Preview a retry policy's timetable",
  description: "This request changes nothing.",
  request: { query: query.plainQuery, body: jsonBody(shape.retryTimetableBody) },
  answer: shape.retryTimetable,
});

export const retryPolicies = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(list, (c) => c.json(presentNamed(namedPolicies())))
  .openapi(ofPreset, (c) => {
    const { policy, startAt = null, timezone = null } = c.req.valid("query");
    return answer(c, retryTimetable(c.var.deps, { policy, startAt, timezone, error: null }), presentRetryTimetable);
  })
  .openapi(ofPolicy, (c) => {
    const { policy, startAt, timezone = null, error = null } = c.req.valid("json");
    const from = startAt === undefined ? null : Date.parse(startAt);
    return answer(c, retryTimetable(c.var.deps, { policy, startAt: from, timezone, error }), presentRetryTimetable);
  });
