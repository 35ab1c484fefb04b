// Metrics: returns metrics as Prometheus text and as JSON, and the engine's configuration.
import { OpenAPIHono } from "@hono/zod-openapi";
import * as query from "#wire/query.ts";
import * as shape from "#wire/metrics/shape.ts";
import { presentConfig, presentPrometheus, presentSnapshot } from "#wire/metrics/present.ts";
import { presentMetricsAnswer } from "#wire/metrics/present-figures.ts";
import { figuresQuery, metricsAnswer } from "#wire/metrics/query-shape.ts";
import { presentWaiting, waitingWork } from "#wire/metrics/waiting-shape.ts";
import { FIGURES_READ_MAX } from "#schema/limits/upkeep/statistics.ts";
import { queryFigures } from "#services/monitor/query-figures.ts";
import { readWaiting } from "#services/monitor/read-waiting.ts";
import { readConfig, readTotals } from "#services/recurring/recurring.ts";
import { readTypesToday } from "#services/monitor/daily-figures.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { endpoint } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Service";
const request = { query: query.plainQuery };

const text = endpoint("getMetrics", {
  method: "get",
  path: "/v1/metrics",
  tag,
  summary: "Get metrics for Prometheus",
  description:
    "Returns the figures of the key's tenant. With the root key and no tenant, returns the figures of all tenants.",
  request,
  answer: shape.prometheusText,
  mediaType: "text/plain",
});

const snapshot = endpoint("getMetricsSnapshot", {
  method: "get",
  path: "/v1/metrics/snapshot",
  tag,
  summary: "Get metrics as JSON",
  request,
  answer: shape.metricsSnapshot,
});

const config = endpoint("getConfig", {
  method: "get",
  path: "/v1/config",
  tag,
  summary: "Get the configuration",
  request,
  answer: shape.configView,
});

const figures = endpoint("queryMetrics", {
  method: "get",
  path: "/v1/metrics/query",
  tag,
  summary: "Get metrics by dimension",
  description: `Returns the figures of a range by the requested dimensions. Reads at most ${FIGURES_READ_MAX.rows} rows per range, or is refused.`,
  request: { query: figuresQuery },
  answer: metricsAnswer,
});

const waiting = endpoint("getWaitingWork", {
  method: "get",
  path: "/v1/metrics/waiting",
  tag,
  summary: "Get ages of waiting work",
  description: "Returns how long the oldest item of each class and definition has waited, the oldest first.",
  request,
  answer: waitingWork,
});

export const metrics = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(text, async (c) => {
    const args = [c.var.deps, c.var.installationCaller] as const;
    const [totals, types] = await Promise.all([readTotals(...args), readTypesToday(...args)]);
    return c.text(presentPrometheus(totals, types), 200, {
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    });
  })
  .openapi(snapshot, async (c) => c.json(presentSnapshot(await readTotals(c.var.deps, c.var.installationCaller)), 200))
  .openapi(figures, async (c) => {
    const { from = null, to = null, step, compare, groupBy = [], limit, ...rest } = c.req.valid("query");
    const { definition, version, type, action, connection } = rest;
    const filters = { definition, version, type, action, connection };
    const query = { from, to, step, isCompared: compare === "previous", groupBy, filters, limit };
    return answer(c, await queryFigures(c.var.deps, c.var.caller, query), (shown) =>
      presentMetricsAnswer(shown, { step, groupBy }),
    );
  })
  .openapi(waiting, async (c) => answer(c, await readWaiting(c.var.deps, c.var.caller), presentWaiting))
  .openapi(config, async (c) => {
    const { isOn, intervalMs } = await readConfig(c.var.deps, c.var.caller);
    return c.json(presentConfig({ isOn, intervalMs }), 200);
  });
