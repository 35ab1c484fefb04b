// Execution batches: starts up to 100 executions in one request and answers for each of them.
import { OpenAPIHono } from "@hono/zod-openapi";
import { startExecutionsBody } from "#wire/executions/bodies.ts";
import { batchReply, type ApiBatchReply } from "#wire/history/shape.ts";
import * as query from "#wire/query.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { Result } from "#schema/refusal.ts";
import { startExecutions } from "#services/executions/start-executions.ts";
import { defaults } from "#schema/defaults.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { problemOf } from "../http/problem.ts";
import { setRateLimitHeaders } from "../http/rate-limit.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const start = endpoint("startExecutions", {
  method: "post",
  path: "/v1/executions/batch",
  tag: "Executions",
  summary: "Start up to 100 executions",
  description:
    "Returns 200 with one result per item, in order, even if some are refused. An Idempotency-Key covers the whole batch: item n (from 0) without its own `idempotencyKey` gets the key `<Idempotency-Key>.<n>`.",
  request: { query: query.changeQuery, body: jsonBody(startExecutionsBody) },
  answer: batchReply,
});

export const executionBatch = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid }).openapi(start, async (c) => {
  const requests = c.req
    .valid("json")
    .executions.map((item) => ({
      definition: item.definition,
      variables: item.variables ?? {},
      namespace: item.namespace ?? defaults.namespace,
      correlationId: item.correlationId ?? null,
      id: item.id ?? null,
      key: item.idempotencyKey ?? null,
      ...(item.desired ? { desired: item.desired } : {}),
    }));
  const { dryRun } = c.req.valid("query");
  const result = await startExecutions(c.var.deps, c.var.caller, { requests, key: c.var.idempotencyKey, dryRun });
  await setRateLimitHeaders(c);
  return answer(c, result, (replies) => present(replies, c.var.requestId));
});

function present(replies: readonly Result<Reply>[], requestId: string): ApiBatchReply {
  const results = replies.map((reply) => presentOne(reply, requestId));
  const done = results.filter((result) => result.ok);
  const repeated = done.filter((result) => result.repeated).length;
  return { started: done.length - repeated, repeated, refused: results.length - done.length, results };
}

function presentOne(reply: Result<Reply>, requestId: string): ApiBatchReply["results"][number] {
  if (!reply.ok) return { ok: false, problem: problemOf(reply.refusal, requestId) };
  const { state, repeated } = reply.value;
  return { ok: true, id: state.id, status: state.status, repeated };
}
