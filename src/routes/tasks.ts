// Tasks: lists, completes, cancels and reassigns the work that executions request from people.
import { z } from "zod";
import { presentTask } from "#wire/tasks/present.ts";
import { taskIdText } from "#schema/ids.ts";
import * as shape from "#wire/tasks/shape.ts";
import * as query from "#wire/query.ts";
import { closeTask, unlessWithdrawn, type ClosedTask, type CloseTask } from "#services/tasks/close-task.ts";
import { getTask, listTasks, reassignTask } from "#services/tasks/tasks.ts";
import { answer } from "./http/answer.ts";
import type { AppContext } from "./http/context.ts";
import { answerOncePerKey } from "./http/idempotency-key.ts";
import { crudRoutes } from "./http/crud.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";

const tag = "Tasks";
const params = z.object({ id: taskIdText });
const changeRequest = <Body extends z.ZodType>(body: Body, required = true) => ({
  params,
  query: query.changeQuery,
  body: jsonBody(body, required),
});

const complete = endpoint("completeTask", {
  method: "post",
  path: "/v1/tasks/{id}/complete",
  tag,
  summary: "Complete a task",
  description:
    "The execution receives the event `task_completed`. The task closes even if the execution has ended or does not accept the event; see `delivery`.",
  request: changeRequest(shape.completeTaskBody, false),
  answer: shape.closedTask,
});

const cancel = endpoint("cancelTask", {
  method: "post",
  path: "/v1/tasks/{id}/cancel",
  tag,
  summary: "Cancel a task",
  description: "The execution receives the event `task_canceled`.",
  request: changeRequest(shape.cancelTaskBody, false),
  answer: shape.closedTask,
});

const reassign = endpoint("reassignTask", {
  method: "post",
  path: "/v1/tasks/{id}/reassign",
  tag,
  summary: "Reassign a task",
  request: changeRequest(shape.reassignTaskBody),
  answer: shape.changedTask,
});

export const tasks = crudRoutes({
  tag,
  path: "/v1/tasks/{id}",
  params,
  list: {
    id: "listTasks",
    summary: "List tasks",
    query: shape.taskQuery,
    run: listTasks,
    answer: shape.task,
    present: presentTask,
  },
  get: {
    id: "getTask",
    summary: "Get a task",
    run: (deps, caller, { id }) => getTask(deps, caller, { task: id }),
    answer: shape.task,
    present: presentTask,
  },
})
  .openapi(complete, async (c) => {
    const { result = null, by = null } = c.req.valid("json");
    const { dryRun } = c.req.valid("query");
    return close(c, { task: c.req.valid("param").id, status: "completed", result, by, reason: null, dryRun });
  })
  .openapi(cancel, async (c) => {
    const { reason = null, by = null } = c.req.valid("json");
    const { dryRun } = c.req.valid("query");
    return close(c, { task: c.req.valid("param").id, status: "canceled", result: null, by, reason, dryRun });
  })
  .openapi(reassign, async (c) => {
    const { assignee, reason = null } = c.req.valid("json");
    const input = { task: c.req.valid("param").id, assignee, reason, dryRun: c.req.valid("query").dryRun };
    const result = await answerOncePerKey(c, input, (deps) => reassignTask(deps, c.var.caller, input));
    return answer(c, result, (changed) => ({ task: presentTask(changed), dryRun: input.dryRun }));
  });

async function close(c: AppContext, input: CloseTask): Promise<Response> {
  const result = await answerOncePerKey<ClosedTask>(c, input, (deps) => closeTask(deps, c.var.caller, input));
  return answer(c, unlessWithdrawn(result), ({ task, repeated }) => ({
    task: presentTask(task),
    repeated,
    dryRun: input.dryRun,
  }));
}
