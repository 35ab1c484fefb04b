// Restarts: starts a new execution that begins at a state or node of an earlier execution.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { presentRestarted, restartBody, restartedExecution } from "#wire/executions/restart.ts";
import { executionIdText } from "#schema/ids.ts";
import * as query from "#wire/query.ts";
import { restartExecution } from "#services/executions/restart/restart-execution.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const restart = endpoint("restartExecution", {
  method: "post",
  path: "/v1/executions/{id}/restart",
  tag: "Steering",
  summary: "Restart at a state or node",
  description:
    "The earlier execution must have ended, or is canceled first (`cancel`). The response lists the actions that it completed. The new execution skips these actions and uses their results, unless `repeat` names them.",
  request: { params: z.object({ id: executionIdText }), query: query.changeQuery, body: jsonBody(restartBody) },
  answer: restartedExecution,
  status: 201,
});

export const restarting = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid }).openapi(restart, async (c) => {
  const { dryRun } = c.req.valid("query");
  const { from, variables = {}, repeat = "none", version = null, cancel = false, reason = null } = c.req.valid("json");
  const { deps, caller, idempotencyKey: key } = c.var;
  const execution = c.req.valid("param").id;
  const input = { execution, from, variables, repeat, version, cancel, reason, key, dryRun };
  return answer(
    c,
    await restartExecution(deps, caller, input),
    (done) => presentRestarted(done, dryRun),
    ({ reply }) => (reply.repeated || dryRun ? 200 : 201),
  );
});
