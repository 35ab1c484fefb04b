// Definition tests: runs the tests of a stored or an unsaved definition.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { presentTested } from "#wire/definitions/present.ts";
import * as shape from "#wire/definitions/shape.ts";
import * as query from "#wire/query.ts";
import type { TestResult } from "#schema/virtual/test-result.ts";
import { runTests } from "#services/preview/run-tests.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { endpoint, jsonBody } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const shared = {
  method: "post",
  tag: "Definitions",
  description:
    "Each test runs an execution on a virtual clock, with given variables, events and outcomes. It compares the result with its expectations. Without `tests` in the body, the tests of the definition run.",
  answer: shape.testResults,
} as const;

const testStored = endpoint("testDefinition", {
  ...shared,
  path: "/v1/definitions/{ref}/test",
  summary: "Run definition tests",
  request: {
    params: z.object({ ref: shape.definitionRefText }),
    query: query.plainQuery,
    body: jsonBody(shape.testDefinitionBody, false),
  },
});

const testInline = endpoint("testInlineDefinition", {
  ...shared,
  path: "/v1/definitions/test",
  summary: "Run tests of an unsaved definition",
  request: { query: query.plainQuery, body: jsonBody(shape.testInlineBody) },
});

export const definitionTests = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(testInline, async (c) => {
    const { definition: body, tests = null } = c.req.valid("json");
    return answer(c, await runTests(c.var.deps, c.var.caller, { definition: { body }, tests }), present);
  })
  .openapi(testStored, async (c) => {
    const { tests = null } = c.req.valid("json");
    const definition = { reference: c.req.valid("param").ref };
    return answer(c, await runTests(c.var.deps, c.var.caller, { definition, tests }), present);
  });

function present(tested: readonly TestResult[]): shape.ApiTestResults {
  return { passed: tested.every(({ passed }) => passed), tests: tested.map(presentTested) };
}
