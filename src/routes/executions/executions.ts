// Executions: start, list, read and erase them.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { startExecutionBody } from "#wire/executions/bodies.ts";
import { fields, only, type ExecutionField } from "#wire/executions/fields.ts";
import { executionPage, listExecutionsQuery, writtenFilters } from "#wire/executions/list-query.ts";
import { erasedExecution, execution } from "#wire/executions/shape.ts";
import { reply } from "#wire/history/shape.ts";
import { presentExecution, presentExecutionPage, presentRetired } from "#wire/executions/present.ts";
import { selectFields, presentReply } from "#wire/history/present.ts";
import { executionIdText } from "#schema/ids.ts";
import * as query from "#wire/query.ts";
import { eraseExecution } from "#services/executions/erase-execution.ts";
import { getExecution, type FoundExecution } from "#services/executions/executions.ts";
import { listExecutions } from "#services/executions/list-executions.ts";
import { startExecution } from "#services/executions/start-executions.ts";
import { defaults } from "#schema/defaults.ts";
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
  description:
    "The list is read from the catalog, which may lag by a moment. Filters can be combined. The newest execution is first; with a range of a search variable, the smallest value is first.",
  request: { query: listExecutionsQuery },
  answer: executionPage,
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
    const { cursor = null, limit, nextBefore, count, ...others } = c.req.valid("query");
    const input = { filters: filtersOf(others), variables: writtenFilters(others), nextBefore, cursor, limit };
    const page = await listExecutions(c.var.deps, c.var.caller, { ...input, isCounted: count === "true" });
    return answer(c, page, presentExecutionPage);
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

type Filters = Omit<z.infer<typeof listExecutionsQuery>, "cursor" | "limit" | "nextBefore" | "count">;

function filtersOf({ tenant: _tenant, var: _var, quarantined, overdue, ...filters }: Filters) {
  return { ...filters, quarantined: quarantined === "true", isOverdue: overdue === "true" };
}

function presentFound(found: FoundExecution) {
  if (found.kind === "retired") return presentRetired(found.row);
  return presentExecution(found.state, found.accepts, found.standing);
}
