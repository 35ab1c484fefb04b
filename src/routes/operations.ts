// Bulk operations: starts, lists and aborts operations over many dead letters or executions.
import { z } from "zod";
import { operationIdText } from "#schema/ids.ts";
import * as shape from "#wire/operations/shape.ts";
import { insideFilter, presentOperation, presentPreview } from "#wire/operations/present.ts";
import { commandOperationBody, commandPreview } from "#wire/operations/command-operation.ts";
import {
  toExecutionFilter,
  toCommand,
  toStopCondition,
  presentCommandPreview,
} from "#wire/operations/present-command-operation.ts";
import * as query from "#wire/query.ts";
import type { Result } from "#schema/refusal.ts";
import { abortOperation, getOperation, listOperations } from "#services/operations/operations.ts";
import { previewOperation, previewCommand } from "#services/operations/preview-operation.ts";
import { startExecutionOperation } from "#services/operations/start-execution-operation.ts";
import { startOperation, type StartedOperation, type StartOperation } from "#services/operations/start-operation.ts";
import { defaults } from "#schema/defaults.ts";
import { answer } from "./http/answer.ts";
import type { AppContext } from "./http/context.ts";
import { crudRoutes } from "./http/crud.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";

const tag = "Dead letters";
const params = z.object({ id: operationIdText });

const PACED =
  "A dry run returns the number of matching dead letters and the expected duration. A repeated Idempotency-Key returns the same operation. Dead letters that appear after the start are not included.";

const retryAll = endpoint("retryAllDeadLetters", {
  method: "post",
  path: "/v1/dead-letters/retry-all",
  tag,
  summary: "Retry dead letters by filter",
  description:
    "Retries each dead letter unchanged under its idempotency key, the oldest first; those that are too late are skipped. " +
    PACED,
  request: { query: query.changeQuery, body: jsonBody(shape.retryAllBody) },
  answer: shape.changedOperation,
  status: 202,
  dryAnswer: shape.operationPreview,
});

const archiveAll = endpoint("archiveAllDeadLetters", {
  method: "post",
  path: "/v1/dead-letters/archive-all",
  tag,
  summary: "Archive dead letters by filter",
  description: PACED,
  request: { query: query.changeQuery, body: jsonBody(shape.archiveAllBody) },
  answer: shape.changedOperation,
  status: 202,
  dryAnswer: shape.operationPreview,
});

const startCommand = endpoint("startOperation", {
  method: "post",
  path: "/v1/operations",
  tag: "Steering",
  summary: "Run a verb on many executions",
  description:
    "Applies the verb once to each matching execution, the oldest first. Executions that no longer match are skipped. A dry run returns the number of matches, the expected duration, and the effect on a sample. A repeated Idempotency-Key returns the same operation.",
  request: { query: query.changeQuery, body: jsonBody(commandOperationBody) },
  answer: shape.changedOperation,
  status: 202,
  dryAnswer: commandPreview,
});

const abort = endpoint("abortOperation", {
  method: "post",
  path: "/v1/operations/{id}/abort",
  tag,
  summary: "Abort an operation",
  description:
    "The operation starts no further items. Items that were already processed stay processed. A batch in progress finishes.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.abortBody, false) },
  answer: shape.changedOperation,
});

export const operations = crudRoutes({
  tag,
  path: "/v1/operations/{id}",
  params,
  list: {
    id: "listOperations",
    summary: "List operations",
    query: shape.operationQuery,
    run: listOperations,
    answer: shape.operation,
    present: presentOperation,
  },
  get: {
    id: "getOperation",
    summary: "Get an operation",
    run: (deps, caller, { id }) => getOperation(deps, caller, { operation: id }),
    answer: shape.operation,
    present: presentOperation,
  },
})
  .openapi(retryAll, async (c) => {
    const { filter, perSecond = defaults.retriedPerSecond, reason = null } = c.req.valid("json");
    return start(c, { verb: "retry", filter: insideFilter(filter), perSecond, reason }, c.req.valid("query").dryRun);
  })
  .openapi(archiveAll, async (c) => {
    const { filter, reason = null } = c.req.valid("json");
    const input = {
      verb: "archive",
      filter: insideFilter(filter),
      perSecond: defaults.archivedPerSecond,
      reason,
    } as const;
    return start(c, input, c.req.valid("query").dryRun);
  })
  .openapi(startCommand, async (c) => {
    const body = c.req.valid("json");
    const { perSecond = defaults.steeredPerSecond, reason = null, ifState = null } = body;
    const stopAt = toStopCondition(body.stopAt);
    const operation = {
      steer: toCommand(body),
      filter: toExecutionFilter(body.filter),
      perSecond,
      stopAt,
      ifState,
      reason,
    };
    const { deps, caller, idempotencyKey: key } = c.var;
    const { dryRun } = c.req.valid("query");
    if (dryRun) return answer(c, await previewCommand(deps, caller, operation), presentCommandPreview);
    return answerStarted(c, await startExecutionOperation(deps, caller, { ...operation, key }));
  })
  .openapi(abort, async (c) => {
    const { reason = null } = c.req.valid("json");
    const { dryRun } = c.req.valid("query");
    const input = { operation: c.req.valid("param").id, reason, dryRun };
    const result = await abortOperation(c.var.deps, c.var.caller, input);
    return answer(c, result, (aborted) => ({ ...aborted, operation: presentOperation(aborted.operation), dryRun }));
  });

async function start(c: AppContext, input: Omit<StartOperation, "key">, dryRun: boolean): Promise<Response> {
  const { deps, caller, idempotencyKey: key } = c.var;
  if (dryRun) return answer(c, await previewOperation(deps, caller, input), presentPreview);
  return answerStarted(c, await startOperation(deps, caller, { ...input, key }));
}

function answerStarted(c: AppContext, result: Result<StartedOperation>): Response | Promise<Response> {
  const present = ({ operation, repeated }: StartedOperation) => ({
    operation: presentOperation(operation),
    repeated,
    dryRun: false,
  });
  return answer(c, result, present, 202);
}
