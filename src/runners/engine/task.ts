// Asks something of a person: makes a task, once a run. What comes of it reaches the execution as the event
// `task_completed` or `task_canceled`; the run itself is done when the task stands in the list.
import { z } from "zod";
import { json, jsonObject } from "#schema/json.ts";
import { isoDuration, timezone } from "#schema/definition/timing.ts";
import { attemptMs } from "#schema/defaults.ts";
import { configurationFailure } from "../core/classify.ts";
import { failed, succeeded } from "../core/outcomes.ts";
import type { Runner } from "../core/runner.ts";

const person = z.string().min(1).max(200);

const taskConfig = z
  .strictObject({
    title: z.string().min(1).max(500),
    description: z.string().max(10_000).optional(),
    assignee: person.optional(),
    /** The same as assignee, as some documents spell it. */
    assignedTo: person.optional(),
    /** A duration counts from the task's making. */
    dueDate: z.union([isoDuration, z.iso.date(), z.iso.datetime({ offset: true, local: true })]).optional(),
    /** Of a due date without an offset. */
    timezone: timezone.optional(),
    payload: json.optional(),
    form: jsonObject.optional(),
  })
  .superRefine(({ assignee, assignedTo }, context) => {
    if (assignee === undefined || assignedTo === undefined || assignee === assignedTo) return;
    context.addIssue({ code: "custom", path: ["assignedTo"], message: "says another person than assignee" });
  });
type TaskConfig = z.infer<typeof taskConfig>;

export const task: Runner<TaskConfig> = {
  type: "task",
  config: taskConfig,
  permissions: ["tasks:create"],
  repeats: { mode: "provider", windowMs: null },
  timeoutMs: attemptMs.catalog,
  retryPolicy: "task",
  run: async (config, context) => {
    const startedAt = context.now();
    const { title, assignee = config.assignedTo ?? null } = config;
    if (context.tasks === undefined) {
      const failure = configurationFailure("no tasks can be made here", "tasks_missing");
      return failed(failure, { startedAt, endedAt: context.now() });
    }
    const made = await context.tasks.create({
      title,
      assignee,
      description: config.description ?? null,
      dueDate: config.dueDate ?? null,
      timezone: config.timezone ?? null,
      payload: config.payload ?? null,
      form: config.form ?? null,
    });
    const span = { startedAt, endedAt: context.now() };
    if (!made.ok) return failed(made.failure, span);
    const dueAt = made.task.dueAt === null ? null : new Date(made.task.dueAt).toISOString();
    const result = { taskId: made.task.id, title, assignee, dueAt };
    const payload = { ...result, actionId: context.ticket.action };
    return succeeded({ result, events: [{ type: "task_created", payload }] }, span);
  },
};
