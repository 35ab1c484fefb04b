// Limits by key: reads and releases the use of one key.
import { OpenAPIHono } from "@hono/zod-openapi";
import { presentReleased, presentLimitUse } from "#wire/key-limits/present.ts";
import * as shape from "#wire/key-limits/shape.ts";
import * as query from "#wire/query.ts";
import { releaseLimit, getLimit } from "#services/key-limits/key-limits.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { endpoint, jsonBody } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Limits by key";

const read = endpoint("getLimit", {
  method: "get",
  path: "/v1/limits",
  tag,
  summary: "Get the use of a key",
  description: "Shows which runs or executions use a key of a limit, and which wait. A key that none uses has no use.",
  request: { query: shape.limitQuery },
  answer: shape.limitUse,
});

const release = endpoint("releaseLimit", {
  method: "post",
  path: "/v1/limits/release",
  tag,
  summary: "Release a key of a limit",
  description:
    "Deletes the slots, places and counts of a key. Attempts in progress and live executions continue, so more than allowed may be in progress until they end.",
  request: { query: query.changeQuery, body: jsonBody(shape.releaseBody) },
  answer: shape.releasedLimit,
});

export const limits = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(read, async (c) => {
    const { name, key, of = "runs" } = c.req.valid("query");
    return answer(c, await getLimit(c.var.deps, c.var.caller, { name, key, of }), presentLimitUse);
  })
  .openapi(release, async (c) => {
    const { of = "runs", ...body } = c.req.valid("json");
    const input = { ...body, of, dryRun: c.req.valid("query").dryRun };
    return answer(c, await releaseLimit(c.var.deps, c.var.caller, input), presentReleased);
  });
