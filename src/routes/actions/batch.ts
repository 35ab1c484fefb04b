// Action batches: dispatches up to 100 actions in one request and answers for each of them.
import { OpenAPIHono } from "@hono/zod-openapi";
import { actionBatchReply, actionsBody, type ApiActionBatchReply } from "#wire/actions/shape.ts";
import * as query from "#wire/query.ts";
import { actionStatus } from "#schema/engine/action-status.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { Refusal, Result } from "#schema/refusal.ts";
import { actionRequest, dispatchActions } from "#services/actions/dispatch-actions.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { problemOf } from "../http/problem.ts";
import { setRateLimitHeaders } from "../http/rate-limit.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const dispatch = endpoint("dispatchActions", {
  method: "post",
  path: "/v1/actions/batch",
  tag: "Actions",
  summary: "Run up to 100 actions",
  description:
    "Returns 200 with one result per item, in order, even if some are refused. An Idempotency-Key covers the whole batch: item n (from 0) without its own `idempotencyKey` gets the key `<Idempotency-Key>.<n>`.",
  request: { query: query.changeQuery, body: jsonBody(actionsBody) },
  answer: actionBatchReply,
});

export const actionBatch = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid }).openapi(dispatch, async (c) => {
  const requests = c.req
    .valid("json")
    .actions.map(({ idempotencyKey = null, ...body }) => actionRequest(body, idempotencyKey));
  const { dryRun } = c.req.valid("query");
  const result = await dispatchActions(c.var.deps, c.var.caller, { requests, key: c.var.idempotencyKey, dryRun });
  await setRateLimitHeaders(c);
  return answer(c, result, (replies) => present(replies, c.var.requestId, dryRun));
});

function present(replies: readonly Result<Reply>[], requestId: string, dryRun: boolean): ApiActionBatchReply {
  const results = replies.map((reply, n) => presentOne(reply, n, requestId));
  const done = results.filter((result) => result.ok);
  const repeated = done.filter((result) => result.repeated).length;
  return { dispatched: done.length - repeated, repeated, refused: results.length - done.length, dryRun, results };
}

function presentOne(reply: Result<Reply>, n: number, requestId: string): ApiActionBatchReply["results"][number] {
  if (!reply.ok) return { ok: false, problem: problemOf(locate(reply.refusal, n), requestId) };
  const { state, repeated } = reply.value;
  return { ok: true, id: state.id, status: actionStatus(state), repeated };
}

/** Puts the item's position in the batch before each pointer into the body. A pointer to a header stays unchanged. */
function locate(refusal: Refusal, n: number): Refusal {
  const errors = (refusal.errors ?? []).map((finding) =>
    finding.pointer.startsWith("/") ? { ...finding, pointer: `/actions/${n}${finding.pointer}` } : finding,
  );
  return { ...refusal, errors };
}
