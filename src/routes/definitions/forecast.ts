// Forecasts: simulates the load of many executions of a definition before any is started.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { definitionRefText } from "#wire/definitions/shape.ts";
import { presentForecast } from "#wire/forecast/present.ts";
import * as shape from "#wire/forecast/shape.ts";
import * as query from "#wire/query.ts";
import { forecastDefinition, type ForecastDefinition } from "#services/preview/forecast-definition.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { endpoint, jsonBody } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const shared = {
  method: "post",
  tag: "Definitions",
  description:
    "Simulates many executions on one virtual clock, under the shared limits of connections and quotas. Returns the number of runs and attempts, the costs of providers and platform, and the time of the last message. Stores and sends nothing.",
  answer: shape.forecast,
} as const;

const forecastStored = endpoint("forecastDefinition", {
  ...shared,
  path: "/v1/definitions/{ref}/forecast",
  summary: "Forecast a definition",
  request: {
    params: z.object({ ref: definitionRefText }),
    query: query.plainQuery,
    body: jsonBody(shape.forecastBody),
  },
});

const forecastInline = endpoint("forecastInlineDefinition", {
  ...shared,
  path: "/v1/definitions/forecast",
  summary: "Forecast an unsaved definition",
  request: { query: query.plainQuery, body: jsonBody(shape.inlineForecastBody) },
});

export const definitionForecasts = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(forecastInline, async (c) => {
    const { definition, ...body } = c.req.valid("json");
    const input = forecastInput({ body: definition, at: "/definition" }, body);
    return answer(c, await forecastDefinition(c.var.deps, c.var.caller, input), presentForecast);
  })
  .openapi(forecastStored, async (c) => {
    const input = forecastInput({ reference: c.req.valid("param").ref }, c.req.valid("json"));
    return answer(c, await forecastDefinition(c.var.deps, c.var.caller, input), presentForecast);
  });

function forecastInput(definition: ForecastDefinition["definition"], body: shape.ReadForecast): ForecastDefinition {
  const { subjects, count = null, perSecond = null, startAt = null, until = null, given = [], sometimes = [] } = body;
  const { assume = {}, shares = {}, connections = {} } = body;
  return { definition, subjects, count, perSecond, startAt, until, given, sometimes, assume, shares, connections };
}
