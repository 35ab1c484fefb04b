// Task runner: creates a task for a person, one per run. The run completes when the task exists; the execution receives
// the task's result as `task_completed` or `task_canceled`. With an `operation`, the runner changes or cancels the open
// tasks of another action.
import { z } from "zod";
import { json, jsonObject } from "#schema/json.ts";
import { isoDuration, timezone } from "#schema/definition/timing.ts";
import { attemptMs } from "#schema/defaults.ts";
import { escalateTo, person, priority, reminder, type TaskChange } from "#schema/task.ts";
import { configurationFailure } from "../core/classify.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import type { Runner, TasksPort } from "../core/runner.ts";

/** A duration counts from the creation of the task. In a change, it counts from the time of the change. */
const dueDate = z.union([isoDuration, z.iso.date(), z.iso.datetime({ offset: true, local: true })]);
const title = z.string().min(1).max(500);
const description = z.string().max(10_000);
const actionId = z.string().min(1).max(100);
const reason = z.string().min(1).max(500);

const created = z
  .strictObject({
    operation: z.literal("create").optional(),
    title,
    description: description.optional(),
    assignee: person.optional(),
    /** An alternative name of the field `assignee`. */
    assignedTo: person.optional(),
    priority: priority.optional(),
    dueDate: dueDate.optional(),
    /** The time zone of a due date that has no offset. */
    timezone: timezone.optional(),
    reminder: reminder.optional(),
    escalateTo: escalateTo.optional(),
    payload: json.optional(),
    form: jsonObject.optional(),
  })
  .superRefine((config, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
    const { assignee, assignedTo, dueDate: due } = config;
    if (assignee !== undefined && assignedTo !== undefined && assignee !== assignedTo) {
      refuse(["assignedTo"], "differs from assignee, which has the same meaning: set only one of the two fields");
    }
    if (due !== undefined) return;
    if (config.reminder?.before !== undefined)
      refuse(["reminder", "before"], 'requires a dueDate, because "before" is counted back from the due date');
    if (config.escalateTo !== undefined && config.escalateTo.after === undefined) {
      refuse(["escalateTo", "after"], "is missing: set a duration, or give the task a dueDate");
    }
  });

const updated = z
  .strictObject({
    operation: z.literal("update"),
    /** The id of the action whose open tasks are changed. */
    task: actionId,
    title: title.optional(),
    description: description.nullable().optional(),
    assignee: person.nullable().optional(),
    priority: priority.nullable().optional(),
    dueDate: dueDate.nullable().optional(),
    timezone: timezone.optional(),
    payload: json.optional(),
    reason: reason.optional(),
  })
  .superRefine(({ operation: _operation, task: _task, reason: _reason, timezone: _timezone, ...changes }, context) => {
    if (Object.keys(changes).length > 0) return;
    context.addIssue({
      code: "custom",
      path: ["assignee"],
      message: "must contain at least one change, such as the assignee",
    });
  });

const withdrawn = z.strictObject({ operation: z.literal("withdraw"), task: actionId, reason: reason.optional() });

const taskConfig = z.discriminatedUnion("operation", [created, updated, withdrawn]);
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
    if (context.tasks === undefined) {
      const failure = configurationFailure("this installation does not support tasks", "tasks_missing");
      return failureOutcome(failure, { startedAt, endedAt: context.now() });
    }
    if (config.operation === "update" || config.operation === "withdraw") {
      const changed = await context.tasks.change(config);
      const span = { startedAt, endedAt: context.now() };
      return changed.ok ? changedOutcome(config, changed, span) : failureOutcome(changed.failure, span);
    }
    const { assignee = config.assignedTo ?? null } = config;
    const created = await context.tasks.create({
      title: config.title,
      assignee,
      priority: config.priority ?? null,
      description: config.description ?? null,
      dueDate: config.dueDate ?? null,
      timezone: config.timezone ?? null,
      reminder: config.reminder ?? null,
      escalateTo: config.escalateTo ?? null,
      payload: config.payload ?? null,
      form: config.form ?? null,
    });
    const span = { startedAt, endedAt: context.now() };
    if (!created.ok) return failureOutcome(created.failure, span);
    const dueAt = created.task.dueAt === null ? null : new Date(created.task.dueAt).toISOString();
    const result = { taskId: created.task.id, title: config.title, assignee, dueAt };
    const payload = { ...result, actionId: context.ticket.action };
    const tasks = [created.task.touched];
    return successOutcome({ result, events: [{ type: "task_created", payload }], tasks }, span);
  },
};

type Changed = Extract<Awaited<ReturnType<TasksPort["change"]>>, { ok: true }>;

/**
 * Builds the outcome of a change. If no task is open, the change succeeds: the task has just ended, and the execution
 * receives its end as an event.
 */
function changedOutcome(
  { operation, task: of }: TaskChange,
  { tasks }: Changed,
  span: Parameters<typeof successOutcome>[1],
) {
  const result = { operation, task: of, taskIds: tasks.map(({ id }) => id) };
  return successOutcome({ result, events: [], tasks: [...tasks] }, span);
}
