// Runners: lists the action types with their abilities and defaults.
import { OpenAPIHono } from "@hono/zod-openapi";
import { runnerList } from "#wire/actions/runner-list.ts";
import * as query from "#wire/query.ts";
import { listRunners } from "#services/actions/list-runners.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";
import { configSchemaOf } from "../reference/action-schemas.ts";

const list = endpoint("listRunners", {
  method: "get",
  path: "/v1/runners",
  tag: "Actions",
  summary: "List action types",
  description: "Returns what each action type is able to do, its defaults, and the tenant's prices.",
  request: { query: query.plainQuery },
  answer: runnerList,
});

export const runnerTypes = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid }).openapi(list, async (c) =>
  answer(c, await listRunners(c.var.deps, c.var.caller), (runners) => ({
    data: runners.map((runner) => ({ ...runner, configSchema: configSchemaOf(runner.type) })),
  })),
);
