// Worker routes: the paths and formats that a reaction worker's operators expect. They call the same use cases as the
// engine's own routes.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import * as shape from "#wire/worker/shape.ts";
import {
  presentStatistics,
  presentStatus,
  presentStreamInfo,
  presentTestEvent,
  presentWorkerExecution,
  presentWorkerSummary,
} from "#wire/worker/present.ts";
import { executionIdText } from "#schema/ids.ts";
import { refuse } from "#schema/refusal.ts";
import { anyObject } from "#schema/values.ts";
import * as query from "#wire/query.ts";
import { listActions } from "#services/actions/standalone-actions.ts";
import { readState } from "#services/cells/read-state.ts";
import { cancelExecution } from "#services/executions/control-execution.ts";
import { refuseRetired } from "#services/executions/executions.ts";
import { tryTrigger } from "#services/worker/try-trigger.ts";
import { initializeStream, runStatistics, streamInfo, workerStatus } from "#services/worker/worker.ts";
import { checkHealth } from "#services/upkeep/check-health.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { endpoint, jsonBody } from "./http/endpoint.ts";
import { answerProblem } from "./http/problem.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Worker";
const params = z.object({ id: executionIdText });

const status = endpoint("getWorkerStatus", {
  method: "get",
  path: "/api/worker/status",
  tag,
  summary: "Get worker health",
  request: { query: query.plainQuery },
  answer: shape.workerStatus,
});

const statistics = endpoint("getWorkerStatistics", {
  method: "get",
  path: "/api/worker/statistics",
  tag,
  summary: "Get run counts by status",
  description: "Counts the newest 20,000 runs in the catalog, which may lag by a moment.",
  request: { query: shape.workerStatisticsQuery },
  answer: shape.workerStatistics,
});

const stream = endpoint("getStreamInfo", {
  method: "get",
  path: "/api/worker/stream-info",
  tag,
  summary: "Get queue depths",
  request: { query: query.plainQuery },
  answer: shape.streamInfo,
});

const initialize = endpoint("initializeStream", {
  method: "post",
  path: "/api/worker/initialize-stream",
  tag,
  summary: "Check bindings and tables",
  description:
    "Lists missing bindings and tables. Only a deployment creates bindings and tables. It is safe to repeat this request.",
  request: { query: query.plainQuery },
  answer: shape.streamInitialized,
});

const sendTestEvent = endpoint("sendTestEvent", {
  method: "post",
  path: "/api/worker/test-event",
  tag,
  summary: "Dispatch a test delivery",
  description:
    "The body, any JSON object, becomes `request.body` of the trigger's mapping. The result of the mapping starts an execution or sends an event. If the mapping cannot use the delivery, the response shows why, and the delivery is not stored.",
  request: { query: shape.testEventQuery, body: jsonBody(anyObject, false) },
  answer: shape.testEvent,
});

const publish = endpoint("publishExecutionEvent", {
  method: "post",
  path: "/api/worker/events",
  tag,
  summary: "Publish an execution event",
  description:
    "Sends the payload to the trigger, as its sender would. A repeat with the same `executionId` has no effect.",
  request: { query: query.changeQuery, body: jsonBody(shape.executionEventBody) },
  answer: shape.testEvent,
});

const create = endpoint("createWorkerExecution", {
  method: "post",
  path: "/api/worker/executions",
  tag,
  summary: "Create an execution",
  description:
    "Starts an execution with the trigger's mapping of `inputPayload`. To make the request safe to repeat, send the header `Idempotency-Key`.",
  request: { query: query.changeQuery, body: jsonBody(shape.newExecutionBody) },
  answer: shape.testEvent,
});

const list = endpoint("listWorkerExecutions", {
  method: "get",
  path: "/api/worker/executions",
  tag,
  summary: "List actions of all executions",
  description:
    "With `status=queued`, lists actions that wait for the worker. With `status=retry` and `dueBefore`, lists actions that are due for a retry.",
  request: { query: shape.workerExecutionQuery },
  answer: query.pageOf(shape.workerExecutionSummary),
});

const read = endpoint("getWorkerExecution", {
  method: "get",
  path: "/api/worker/executions/{id}",
  tag,
  summary: "Get an execution by action",
  request: { params, query: query.plainQuery },
  answer: shape.workerExecution,
});

const cancel = endpoint("cancelWorkerExecution", {
  method: "post",
  path: "/api/worker/executions/{id}/cancel",
  tag,
  summary: "Cancel an execution",
  description: "Has the same effect as `POST /v1/executions/{id}/cancel`. The query contains the reason.",
  request: { params, query: shape.cancelQuery },
  answer: shape.workerExecution,
});

export const worker = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(status, async (c) => {
    const info = await streamInfo(c.var.deps, c.var.caller);
    if (!info.ok) return answerProblem(c, info.refusal);
    const status = await workerStatus(c.var.deps, c.var.caller);
    return answer(c, status, ({ running }) => presentStatus(running, info.value));
  })
  .openapi(statistics, async (c) => {
    const { since = null } = c.req.valid("query");
    return answer(c, await runStatistics(c.var.deps, c.var.caller, { since }), presentStatistics);
  })
  .openapi(stream, async (c) => answer(c, await streamInfo(c.var.deps, c.var.caller), presentStreamInfo))
  .openapi(initialize, async (c) =>
    answer(c, await initializeStream(c.var.deps), ({ queues }) => ({ initialized: true, streams: queues })),
  )
  .openapi(sendTestEvent, async (c) => {
    const { actionInstanceId: trigger, areaId: namespace = null, dryRun } = c.req.valid("query");
    const key = c.var.idempotencyKey;
    const input = { trigger, namespace, source: "test", body: c.req.valid("json"), key, dryRun } as const;
    return answer(c, await tryTrigger(c.var.deps, c.var.caller, input), (tried) => presentTestEvent(tried, dryRun));
  })
  .openapi(publish, async (c) => {
    const {
      executionId = null,
      actionInstanceId: trigger,
      areaId: namespace = null,
      payload = {},
    } = c.req.valid("json");
    const { dryRun } = c.req.valid("query");
    const key = executionId ?? c.var.idempotencyKey;
    const input = { trigger, namespace, source: "event", body: payload, key, dryRun } as const;
    return answer(c, await tryTrigger(c.var.deps, c.var.caller, input), (tried) => presentTestEvent(tried, dryRun));
  })
  .openapi(create, async (c) => {
    const { actionInstanceId: trigger, areaId: namespace = null, ...body } = c.req.valid("json");
    const { inputPayload = {}, correlationId = null, activationModeId: kind = null } = body;
    const { dryRun } = c.req.valid("query");
    const wanted = { trigger, namespace, kind, source: "execution", correlationId } as const;
    const input = { ...wanted, body: inputPayload, key: c.var.idempotencyKey, dryRun };
    return answer(c, await tryTrigger(c.var.deps, c.var.caller, input), (tried) => presentTestEvent(tried, dryRun));
  })
  .openapi(list, async (c) => {
    const {
      cursor = null,
      limit,
      tenant: _tenant,
      areaId,
      actionInstanceId,
      activationModeId,
      ...filters
    } = c.req.valid("query");
    const mapped = { namespace: areaId, trigger: actionInstanceId, triggerKind: activationModeId };
    const input = { filters: { ...filters, ...mapped }, whose: "all", cursor, limit } as const;
    return answer(c, await listActions(c.var.deps, c.var.caller, input), query.presentPage(presentWorkerSummary));
  })
  .openapi(read, async (c) => {
    const execution = c.req.valid("param").id;
    const state = await readState(c.var.deps, c.var.caller, { execution });
    return answer(c, await refuseRetired(c.var.deps, c.var.caller.tenant, execution, state), presentWorkerExecution);
  })
  .openapi(cancel, async (c) => {
    const { reason = null, dryRun } = c.req.valid("query");
    const verb = { kind: "cancel", reason } as const;
    const input = { execution: c.req.valid("param").id, verb, key: c.var.idempotencyKey, dryRun };
    const result = await cancelExecution(c.var.deps, c.var.caller, input);
    return answer(c, result, ({ state }) => presentWorkerExecution(state));
  })
  .get("/actuator/health", async (c) => {
    const { checks } = await checkHealth(c.var.deps, { deep: true });
    const isUp = checks?.catalog === "ok";
    return c.json({ status: isUp ? "UP" : "DOWN" }, isUp ? 200 : 503);
  })
  .get("/actuator/metrics", (c) => answerProblem(c, pathless(c.req.path, METRICS)))
  .get("/metrics", (c) => answerProblem(c, pathless(c.req.path, METRICS)))
  .get("/actuator/caches", (c) => answerProblem(c, pathless(c.req.path, CACHES)));

const pathless = (path: string, hint: string) =>
  refuse({ code: "not_found", message: `${path} does not exist.`, hint }).refusal;

const METRICS =
  "GET /v1/metrics returns figures for Prometheus, GET /api/worker/statistics counts, and GET /v1/tenants/{id}/usage the quota usage.";
const CACHES = "There is no cache to manage, because isolates refresh their caches automatically.";
