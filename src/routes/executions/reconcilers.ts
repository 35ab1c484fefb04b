// Reconciler state: reads and sets desired and observed state, each with a revision for conditional changes.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { reply } from "#wire/history/shape.ts";
import { presentReply } from "#wire/history/present.ts";
import { desiredBody, observedBody, revisedReconciler } from "#wire/reconcilers/shape.ts";
import { presentRevised } from "#wire/reconcilers/present.ts";
import { executionIdText } from "#schema/ids.ts";
import * as query from "#wire/query.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { Result } from "#schema/refusal.ts";
import { setDesired, setObserved } from "#services/reconcilers/change-reconciler.ts";
import { readReconciler, type Half } from "#services/reconcilers/read-reconciler.ts";
import { answer } from "../http/answer.ts";
import { readIfMatch } from "../http/conditions.ts";
import type { AppContext, AppEnv } from "../http/context.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { answerProblem } from "../http/problem.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const tag = "Reconcilers";
const params = z.object({ id: executionIdText });
const readEndpoint = {
  method: "get",
  tag,
  request: { params, query: query.plainQuery },
  answer: revisedReconciler,
} as const;

const readDesired = endpoint("getDesired", {
  ...readEndpoint,
  path: "/v1/executions/{id}/desired",
  summary: "Get the desired state",
  description: "The header `ETag` has the revision of the desired state.",
});

const readObserved = endpoint("getObserved", {
  ...readEndpoint,
  path: "/v1/executions/{id}/observed",
  summary: "Get the latest observation",
  description: "The header `ETag` has the revision of the observation. 0 means that there is no observation yet.",
});

const setDesiredEndpoint = endpoint("setDesired", {
  method: "put",
  path: "/v1/executions/{id}/desired",
  tag,
  summary: "Set the desired state",
  description:
    "The reconciler evaluates its rules at the next tick. `shutdownRequested: true` is evaluated before all rules. With `If-Match`, the desired state changes only if it has that revision.",
  request: { params, query: query.changeQuery, body: jsonBody(desiredBody) },
  answer: reply,
});

const setObservedEndpoint = endpoint("setObserved", {
  method: "put",
  path: "/v1/executions/{id}/observed",
  tag,
  summary: "Add an observation",
  description:
    "The engine also accepts an observation while an action is in progress. An observation that is not newer than the stored one changes nothing.",
  request: { params, query: query.changeQuery, body: jsonBody(observedBody) },
  answer: reply,
});

export const reconciling = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(readDesired, async (c) => {
    const input = { execution: c.req.valid("param").id, half: "desired" } as const;
    const result = await readReconciler(c.var.deps, c.var.caller, input);
    setETag(c, result.ok ? (result.value?.revision ?? 0) : undefined);
    return answer(c, result, presentRevised);
  })
  .openapi(readObserved, async (c) => {
    const input = { execution: c.req.valid("param").id, half: "observed" } as const;
    const result = await readReconciler(c.var.deps, c.var.caller, input);
    setETag(c, result.ok ? (result.value?.revision ?? 0) : undefined);
    return answer(c, result, presentRevised);
  })
  .openapi(setDesiredEndpoint, async (c) => {
    const { value, mode = "replace", reason = null } = c.req.valid("json");
    const revision = readIfMatch(c);
    if (!revision.ok) return answerProblem(c, revision.refusal);
    const { dryRun } = c.req.valid("query");
    const request = { execution: c.req.valid("param").id, key: c.var.idempotencyKey, dryRun };
    const input = { ...request, value, mode, reason, ifRevision: revision.value };
    return answerChange(c, await setDesired(c.var.deps, c.var.caller, input), "desired", dryRun);
  })
  .openapi(setObservedEndpoint, async (c) => {
    const { value, observedAt } = c.req.valid("json");
    const revision = readIfMatch(c);
    if (!revision.ok) return answerProblem(c, revision.refusal);
    const at = observedAt === undefined ? null : Date.parse(observedAt);
    const { dryRun } = c.req.valid("query");
    const request = { execution: c.req.valid("param").id, key: c.var.idempotencyKey, dryRun };
    const input = { ...request, value, observedAt: at, ifRevision: revision.value };
    return answerChange(c, await setObserved(c.var.deps, c.var.caller, input), "observed", dryRun);
  });

/**
 * Responds to a change of the state. Sets ETag to the current revision, which the client sends as If-Match with its
 * next change.
 */
function answerChange(c: AppContext, result: Result<Reply>, half: Half, dryRun: boolean): Response {
  const state = result.ok ? result.value.state : null;
  setETag(c, state?.reconciling && (state.reconciling[half]?.revision ?? 0));
  return answer(c, result, (reply) => presentReply(reply, dryRun));
}

function setETag(c: AppContext, revision: number | undefined): void {
  if (revision !== undefined) c.header("ETag", `"${revision}"`);
}
