// Execution history: reads the journal, the runs, the family tree, and the explanation of the current state.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { presentExplanation } from "#wire/explanation/present.ts";
import { explanation } from "#wire/explanation/shape.ts";
import { entry, run } from "#wire/history/shape.ts";
import { TREE_CURSOR_CHARS_MAX, TREE_PAGE_MAX } from "#schema/limits/executions.ts";
import { presentEntry } from "#wire/history/present-entry.ts";
import { presentRun } from "#wire/history/present.ts";
import { presentDelivery } from "#wire/reports/present.ts";
import { executionIdText } from "#schema/ids.ts";
import * as query from "#wire/query.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { executionTree, presentTree } from "#wire/executions/tree.ts";
import { executionTree as readTree } from "#services/executions/children/execution-tree.ts";
import { explainExecution } from "#services/executions/explain-execution.ts";
import { getJournal, listRuns } from "#services/executions/executions.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const tag = "Executions";
const params = z.object({ id: executionIdText });

const journal = endpoint("getJournal", {
  method: "get",
  path: "/v1/executions/{id}/journal",
  tag,
  summary: "List journal entries",
  request: { params, query: query.pageQuery },
  answer: query.pageOf(entry),
});

const runs = endpoint("listRuns", {
  method: "get",
  path: "/v1/executions/{id}/runs",
  tag,
  summary: "List an execution's runs",
  request: { params, query: query.pageQueryWith({ status: z.enum(runStatuses).optional() }) },
  answer: query.pageOf(run),
});

const explain = endpoint("explainExecution", {
  method: "get",
  path: "/v1/executions/{id}/explain",
  tag,
  summary: "Explain an execution",
  description:
    "Returns the next journal entry and its time, and what the execution waits for: a guard, a limit, a slot or a person. Also lists work that was not done, with the reason. Changes nothing.",
  request: { params, query: query.plainQuery },
  answer: explanation,
});

const treePage = {
  cursor: z
    .string()
    .min(1)
    .max(TREE_CURSOR_CHARS_MAX)
    .optional()
    .meta({ description: "The `nextCursor` of the previous page." }),
  limit: z.coerce.number().int().min(1).max(TREE_PAGE_MAX).default(TREE_PAGE_MAX),
};
const tree = endpoint("executionTree", {
  method: "get",
  path: "/v1/executions/{id}/tree",
  tag,
  summary: "Get an execution's family tree",
  description:
    "Reads each execution from its object, so that the answer is current. Deleted executions are read from the catalog.",
  request: { params, query: query.pageQueryWith(treePage) },
  answer: executionTree,
});

export const history = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(journal, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const input = { execution: c.req.valid("param").id, cursor, limit };
    const page = await getJournal(c.var.deps, c.var.caller, input);
    return answer(c, page, ({ entries, nextCursor }) => ({ data: entries.map(presentEntry), nextCursor }));
  })
  .openapi(explain, async (c) => {
    const result = await explainExecution(c.var.deps, c.var.caller, { execution: c.req.valid("param").id });
    return answer(c, result, ({ explanation: told, retired }) => presentExplanation(told, retired));
  })
  .openapi(tree, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const input = { execution: c.req.valid("param").id, cursor, limit };
    return answer(c, await readTree(c.var.deps, c.var.caller, input), presentTree);
  })
  .openapi(runs, async (c) => {
    const { cursor = null, limit, status = null } = c.req.valid("query");
    const execution = c.req.valid("param").id;
    const page = await listRuns(c.var.deps, c.var.caller, { execution, status, cursor, limit });
    return answer(c, page, ({ runs, deliveries, nextCursor }) => ({
      data: runs.map((run, n) => ({ ...presentRun(execution, run), delivery: presentDelivery(deliveries[n] ?? null) })),
      nextCursor,
    }));
  });
