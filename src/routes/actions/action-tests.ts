// Action tests: runs an action with mocks and stores no execution.
import { OpenAPIHono } from "@hono/zod-openapi";
import * as shape from "#wire/rehearsal/shape.ts";
import { presentTested } from "#wire/rehearsal/present.ts";
import * as query from "#wire/query.ts";
import { REHEARSAL_ATTEMPTS_MAX } from "#schema/limits/planning/rehearsal-attempts.ts";
import { testAction, type TestAction } from "#services/rehearsal/test-action.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const test = endpoint("testAction", {
  method: "post",
  path: "/v1/actions/test",
  tag: "Actions",
  summary: "Test an action with mocks",
  description:
    "Checks the action, runs it on a virtual clock with all retries, and returns every request that it would make. Sends and stores nothing, and decrypts no secret: secret names stand in for values.",
  request: { query: query.plainQuery, body: jsonBody(shape.testActionBody) },
  answer: shape.testedAction,
});

export const actionTest = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid }).openapi(test, async (c) => {
  const result = await testAction(c.var.deps, c.var.caller, inputOf(c.req.valid("json")));
  return answer(c, result, presentTested);
});

function inputOf({ action, context = {}, mocks = [], maxAttempts }: shape.ReadTestAction): TestAction {
  const { variables = {}, message = null, previousState = null, currentState = "act", now } = context;
  return {
    action,
    variables,
    mocks,
    trigger: { message, previousState, currentState },
    startAt: now === undefined ? null : Date.parse(now),
    attemptsMax: maxAttempts ?? REHEARSAL_ATTEMPTS_MAX,
  };
}
