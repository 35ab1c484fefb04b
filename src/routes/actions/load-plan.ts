// Load plans: computes the plan of a load test. The engine sends nothing; a client carries out the plan.
import { OpenAPIHono } from "@hono/zod-openapi";
import { planLoadBody } from "#wire/load/shape.ts";
import * as query from "#wire/query.ts";
import { loadPlan } from "#schema/load.ts";
import { planLoadTest } from "#services/rehearsal/plan-load.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const plan = endpoint("planLoad", {
  method: "post",
  path: "/v1/actions/load-plan",
  tag: "Actions",
  summary: "Plan a load test",
  description:
    "Checks the action as POST /v1/actions does. The plan lists the scenarios and how the load rises. Run the plan with `npm run load -- plan.json`. The sandbox imitates the provider, unless the action's own url is on this machine.",
  request: { query: query.plainQuery, body: jsonBody(planLoadBody) },
  answer: loadPlan,
});

export const loadPlans = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid }).openapi(plan, async (c) => {
  const { action, config } = c.req.valid("json");
  return answer(c, await planLoadTest(c.var.deps, c.var.caller, { action, config }), (plan) => plan);
});
