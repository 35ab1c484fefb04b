// Executions: start, list, read and erase them.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { startExecutionBody } from "#wire/executions/bodies.ts";
import { fields, only, type ExecutionField } from "#wire/executions/fields.ts";
import { erasedExecution, execution, executionStatus, executionSummary } from "#wire/executions/shape.ts";
import { reply } from "#wire/history/shape.ts";
import { presentExecution, presentRetired, presentSummary } from "#wire/executions/present.ts";
import { selectFields, presentReply } from "#wire/history/present.ts";
import { executionIdText, triggerIdText } from "#schema/ids.ts";
import { subjectKey } from "#schema/subject/key.ts";
import * as value from "#schema/values.ts";
import * as query from "#wire/query.ts";
import { eraseExecution } from "#services/executions/erase-execution.ts";
import { getExecution, type FoundExecution, listExecutions } from "#services/executions/executions.ts";
import { startExecution } from "#services/executions/start-executions.ts";
import { defaults } from "#schema/defaults.ts";
import { REFERENCE_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { setRateLimitHeaders } from "../http/rate-limit.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const tag = "Executions";
const params = z.object({ id: executionIdText });

const start = endpoint("startExecution", {
  method: "post",
  path: "/v1/executions",
  tag,
  summary: "Start an execution",
  description: "With an Idempotency-Key, a repeated request returns the same execution with `repeated: true`.",
  request: { query: query.changeQuery.extend({ fields }), body: jsonBody(startExecutionBody) },
  answer: reply,
  status: 201,
});

const list = endpoint("listExecutions", {
  method: "get",
  path: "/v1/executions",
  tag,
  summary: "List executions",
  description: "The list is read from the catalog, which may lag by a moment.",
  request: {
    query: query.pageQueryWith({
      status: executionStatus.optional(),
      definition: z
        .string()
        .min(1)
        .max(REFERENCE_CHARS_MAX)
        .optional()
        .meta({ description: "A definition's name, name@version, or the id of a version." }),
      version: z.coerce.number().int().min(1).optional(),
      namespace: value.namespace.optional(),
      correlationId: value.correlationId.optional(),
      quarantined: z
        .enum(["true"])
        .optional()
        .meta({ description: "Only quarantined executions, with the reason for the quarantine." }),
      trigger: triggerIdText.optional().meta({ description: "Only executions started by this trigger." }),
      subject: subjectKey.optional().meta({ description: "Only executions of the subject (customer) with this key." }),
      nextBefore: query.instantQuery
        .optional()
        .meta({
          description:
            "Only executions with a subject and a planned step before this instant, sorted by that step. Requires a definition's name.",
        }),
      createdAfter: query.instantQuery.optional(),
      createdBefore: query.instantQuery.optional(),
    }),
  },
  answer: query.pageOf(executionSummary),
});

const read = endpoint("getExecution", {
  method: "get",
  path: "/v1/executions/{id}",
  tag,
  summary: "Get an execution",
  request: { params, query: query.plainQuery.extend({ fields }) },
  answer: execution,
});

const erase = endpoint("eraseExecution", {
  method: "delete",
  path: "/v1/executions/{id}",
  tag,
  summary: "Erase an execution",
  description:
    "Deletes the journal, runs, dead letters and tasks before the retention ends. The audit log records the erasure. A live execution is refused with `execution_live`: cancel it first. After the erasure, the execution's Idempotency-Key starts a new execution.",
  request: { params, query: query.changeQueryWithReason },
  answer: erasedExecution,
});

export const executions = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(start, async (c) => {
    const { dryRun, fields: shownFields } = c.req.valid("query");
    const body = c.req.valid("json");
    const { deps, caller, idempotencyKey: key } = c.var;
    const result = await startExecution(deps, caller, {
      definition: body.definition,
      variables: body.variables ?? {},
      namespace: body.namespace ?? defaults.namespace,
      correlationId: body.correlationId ?? null,
      id: body.id ?? null,
      key,
      dryRun,
      ...(body.desired ? { desired: body.desired } : {}),
    });
    await setRateLimitHeaders(c);
    return answer(
      c,
      result,
      (started) => selectFields(presentReply(started, dryRun), shownFields),
      (started) => (started.repeated || dryRun ? 200 : 201),
    );
  })
  .openapi(list, async (c) => {
    const { cursor, limit, tenant: _tenant, quarantined, nextBefore, ...others } = c.req.valid("query");
    const filters = { ...others, quarantined: quarantined === "true" };
    const page = await listExecutions(c.var.deps, c.var.caller, { filters, nextBefore, cursor: cursor ?? null, limit });
    return answer(c, page, query.presentPage(presentSummary));
  })
  .openapi(read, async (c) => {
    const { fields: shownFields } = c.req.valid("query");
    const isShown = (name: ExecutionField): boolean => shownFields?.has(name) ?? true;
    const wanted = { accepts: isShown("waitingFor"), standing: isShown("journey") };
    const result = await getExecution(c.var.deps, c.var.caller, { execution: c.req.valid("param").id, wanted });
    return answer(c, result, (found) => only(presentFound(found), shownFields));
  })
  .openapi(erase, async (c) => {
    const { reason = null, dryRun } = c.req.valid("query");
    const input = { execution: c.req.valid("param").id, reason, dryRun };
    const result = await eraseExecution(c.var.deps, c.var.caller, input);
    return answer(c, result, (erasure) => ({ ...erasure, dryRun }));
  });

function presentFound(found: FoundExecution) {
  if (found.kind === "retired") return presentRetired(found.row);
  return presentExecution(found.state, found.accepts, found.standing);
}
