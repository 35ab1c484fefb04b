// Monitor routes: the paths and formats that certain consoles expect. The consoles were written for a journey's
// executor. The routes call the same use cases as the engine's own routes.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { presentTypes } from "#wire/metrics/present.ts";
import { typesMetrics } from "#wire/metrics/shape.ts";
import { presentReportDays } from "#wire/reports/present.ts";
import { reportDays } from "#wire/reports/shape.ts";
import * as shape from "#wire/monitor/shape.ts";
import {
  presentDays,
  presentDrained,
  presentHeld,
  presentHistory,
  presentMetrics,
  presentRetried,
  presentStanding,
} from "#wire/monitor/present.ts";
import { controlBody } from "#wire/executions/bodies.ts";
import * as query from "#wire/query.ts";
import { executionIdText, parseQueueItemId } from "#schema/ids.ts";
import { DRAIN_RUNS } from "#schema/limits/upkeep/queue-drains.ts";
import { retryDeadLetter } from "#services/dead-letters/retry-run.ts";
import { drainQueue } from "#services/monitor/drain-queue.ts";
import { holdJourney, type HoldJourney } from "#services/monitor/hold-journey.ts";
import { moduleHistory } from "#services/monitor/module-history.ts";
import { readMetrics } from "#services/monitor/read-metrics.ts";
import { readReportDays } from "#services/hooks/delivery-status.ts";
import { readTypes } from "#services/monitor/daily-figures.ts";
import { readProgress } from "#services/monitor/read-progress.ts";
import { answer } from "./http/answer.ts";
import type { AppContext, AppEnv } from "./http/context.ts";
import { endpoint, jsonBody } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Monitor";
const params = z.object({ journeyInstanceId: executionIdText });
const item = z.object({
  queueItemId: shape.queueItemId.transform((id, context) => {
    const name = parseQueueItemId(id);
    if (name !== null) return name;
    context.addIssue({ code: "custom", message: "must be an execution's id, a dot and a run's id" });
    return z.NEVER;
  }),
});

const process = endpoint("processExecutions", {
  method: "post",
  path: "/api/execution/process",
  tag,
  summary: "Run due work",
  description:
    "The engine runs due work automatically, so this request is optional. The request waits some seconds for the work that it started. Work that takes longer counts as processed, but not as successful or failed. A dry run returns the number of due items.",
  request: { query: query.changeQuery, body: jsonBody(shape.processBody, false) },
  answer: shape.processedExecutions,
});

const status = endpoint("getMonitorStatus", {
  method: "get",
  path: "/api/execution/status/{journeyInstanceId}",
  tag,
  summary: "Get an execution's progress",
  request: { params, query: query.plainQuery },
  answer: shape.monitorStatus,
});

const retry = endpoint("retryQueueItem", {
  method: "post",
  path: "/api/execution/retry/{queueItemId}",
  tag,
  summary: "Retry an execution's failed actions",
  description: "Has the same effect as `POST /v1/dead-letters/{id}/retry` without changes. A dry run sends nothing.",
  request: { params: item, query: query.changeQuery, body: jsonBody(shape.retryItemBody, false) },
  answer: shape.retriedItem,
});

const metrics = endpoint("getMonitorMetrics", {
  method: "get",
  path: "/api/execution/metrics",
  tag,
  summary: "Get today's metrics",
  request: { query: shape.metricsQuery },
  answer: shape.monitorMetrics,
});

const pause = endpoint("pauseJourney", {
  method: "post",
  path: "/api/execution/pause/{journeyInstanceId}",
  tag,
  summary: "Pause an execution",
  description: "Has the same effect as `POST /v1/executions/{id}/pause`.",
  request: { params, query: query.changeQuery, body: jsonBody(controlBody, false) },
  answer: shape.controlledExecution,
});

const resume = endpoint("resumeJourney", {
  method: "post",
  path: "/api/execution/resume/{journeyInstanceId}",
  tag,
  summary: "Resume an execution",
  description: "Has the same effect as `POST /v1/executions/{id}/resume`.",
  request: { params, query: query.changeQuery, body: jsonBody(controlBody, false) },
  answer: shape.controlledExecution,
});

const history = endpoint("getModuleHistory", {
  method: "get",
  path: "/api/execution/history/{journeyInstanceId}",
  tag,
  summary: "List an execution's attempts",
  request: { params, query: query.pageQuery },
  answer: shape.moduleHistory,
});

const days = endpoint("listMetricsDays", {
  method: "get",
  path: "/v1/metrics/days",
  tag: "Service",
  summary: "List daily metrics",
  description: "Lists UTC days, the oldest first and today last. The figures are stored for 400 days.",
  request: { query: shape.metricsQuery },
  answer: shape.metricsDays,
});

const deliveries = endpoint("listMetricsDeliveries", {
  method: "get",
  path: "/v1/metrics/deliveries",
  tag: "Service",
  summary: "List daily delivery reports",
  description:
    "Counts what providers have reported about messages, by UTC day, definition and event. The figures are stored for 400 days.",
  request: {
    query: shape.metricsQuery.extend({
      definition: z.string().min(1).max(100).optional().meta({ description: "A definition's name." }),
    }),
  },
  answer: reportDays,
});

const types = endpoint("listMetricsTypes", {
  method: "get",
  path: "/v1/metrics/types",
  tag: "Service",
  summary: "List metrics by action type",
  description: "The number of UTC days, including today. The action type with the most runs comes first.",
  request: { query: shape.metricsQuery },
  answer: typesMetrics,
});

export const monitor = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(process, async (c) => {
    const { batchSize = DRAIN_RUNS.usual, maxRetries = null } = c.req.valid("json");
    const input = { batchSize, maxRetries, dryRun: c.req.valid("query").dryRun };
    return answer(c, await drainQueue(c.var.deps, c.var.caller, input), presentDrained);
  })
  .openapi(status, async (c) => {
    const execution = c.req.valid("param").journeyInstanceId;
    const progress = await readProgress(c.var.deps, c.var.caller, { execution });
    return answer(c, progress, (shown) => presentStanding(execution, shown));
  })
  .openapi(retry, async (c) => {
    const { resetRetryCount = true, reason = null } = c.req.valid("json");
    const { execution, run } = c.req.valid("param").queueItemId;
    const redrive = { config: null, variables: null, force: false, once: !resetRetryCount, reason };
    const { dryRun } = c.req.valid("query");
    const input = { execution, run, ...redrive, key: c.var.idempotencyKey, dryRun };
    const result = await retryDeadLetter(c.var.deps, c.var.caller, input);
    return answer(c, result, ({ run: redriven }) => presentRetried(execution, redriven));
  })
  .openapi(metrics, async (c) => {
    const { days: count } = c.req.valid("query");
    return answer(c, await readMetrics(c.var.deps, c.var.caller, { days: count }), presentMetrics);
  })
  .openapi(pause, async (c) => {
    const { reason = null } = c.req.valid("json");
    return answerHold(c, {
      ...executionOf(c.req.valid("param")),
      verb: "pause",
      reason,
      dryRun: c.req.valid("query").dryRun,
    });
  })
  .openapi(resume, async (c) => {
    const { reason = null } = c.req.valid("json");
    return answerHold(c, {
      ...executionOf(c.req.valid("param")),
      verb: "resume",
      reason,
      dryRun: c.req.valid("query").dryRun,
    });
  })
  .openapi(history, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const input = { ...executionOf(c.req.valid("param")), cursor, limit };
    return answer(c, await moduleHistory(c.var.deps, c.var.caller, input), presentHistory);
  })
  .openapi(days, async (c) => {
    const { days: count } = c.req.valid("query");
    return answer(c, await readMetrics(c.var.deps, c.var.caller, { days: count }), presentDays);
  })
  .openapi(deliveries, async (c) => {
    const { days: count, definition = null } = c.req.valid("query");
    return answer(c, await readReportDays(c.var.deps, c.var.caller, { days: count, definition }), presentReportDays);
  })
  .openapi(types, async (c) => {
    const { days: count } = c.req.valid("query");
    return answer(c, await readTypes(c.var.deps, c.var.caller, { days: count }), presentTypes);
  });

async function answerHold(c: AppContext, input: Omit<HoldJourney, "key">): Promise<Response> {
  return answer(c, await holdJourney(c.var.deps, c.var.caller, { ...input, key: c.var.idempotencyKey }), presentHeld);
}

function executionOf({ journeyInstanceId }: { readonly journeyInstanceId: string }): { readonly execution: string } {
  return { execution: journeyInstanceId };
}
