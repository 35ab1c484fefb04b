// Runs: lists the runs of all executions.
import { OpenAPIHono } from "@hono/zod-openapi";
import { presentRunSummary, runListQuery, runPage } from "#wire/actions/run-list.ts";
import { presentDelivery } from "#wire/reports/present.ts";
import { searchRuns } from "#services/actions/search-runs.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const list = endpoint("searchRuns", {
  method: "get",
  path: "/v1/runs",
  tag: "Actions",
  summary: "List the runs of all executions",
  description:
    "The list is read from the catalog, which may lag by a moment. Filters can be combined. The newest execution is first; with `recipient`, the newest run is first.",
  request: { query: runListQuery },
  answer: runPage,
});

export const runs = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid }).openapi(list, async (c) => {
  const { cursor = null, limit, tenant: _tenant, ...filters } = c.req.valid("query");
  const page = await searchRuns(c.var.deps, c.var.caller, { filters, cursor, limit });
  return answer(c, page, ({ data, ...rest }) => ({
    data: data.map(({ delivery, ...row }) => ({ ...presentRunSummary(row), delivery: presentDelivery(delivery) })),
    ...rest,
  }));
});
