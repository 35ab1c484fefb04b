// Tasks: API shapes.
import { z } from "zod";
import { escalateTo, person, reminder, taskStatuses } from "#schema/task.ts";
import { executionIdText, taskIdText } from "#schema/ids.ts";
import { anyJson, anyObject, instant, reason } from "#schema/values.ts";
import { instantQuery, pageQueryWith } from "../query.ts";

export const taskQuery = pageQueryWith({
  status: z.enum(taskStatuses).optional(),
  assignee: person.optional(),
  execution: executionIdText.optional(),
  dueAfter: instantQuery.optional(),
  dueBefore: instantQuery.optional(),
});

export const completeTaskBody = z
  .strictObject({
    result: anyJson
      .optional()
      .meta({ description: "The result of the task, which the event `task_completed` contains." }),
    by: person
      .optional()
      .meta({
        description:
          "The person who completed the task, if the key of the request does not name that person. The value is not verified. Default: the person of the key, or the key.",
      }),
  })
  .meta({ id: "CompleteTask", examples: [{ result: { approved: true }, by: "ada@example.com" }] });
export type CompleteTaskBody = z.input<typeof completeTaskBody>;

export const cancelTaskBody = z
  .strictObject({ reason: reason.optional(), by: person.optional() })
  .meta({ id: "CancelTask", examples: [{ reason: "no longer needed" }] });
export type CancelTaskBody = z.input<typeof cancelTaskBody>;

export const reassignTaskBody = z
  .strictObject({ assignee: person.nullable(), reason: reason.optional() })
  .meta({ id: "ReassignTask", examples: [{ assignee: "grace@example.com", reason: "on holiday" }] });
export type ReassignTaskBody = z.input<typeof reassignTaskBody>;

export const task = z
  .object({
    id: taskIdText,
    status: z.enum(taskStatuses),
    execution: executionIdText,
    run: z.string(),
    actionId: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    assignee: z.string().nullable(),
    priority: z.number().int().nullable().meta({ description: "A higher number is more urgent." }),
    dueAt: instant.nullable(),
    reminder: reminder.nullable().meta({ description: "When the execution receives the next `task_reminder`." }),
    escalateTo: escalateTo.nullable().meta({ description: "The new assignee if the task is still open at that time." }),
    escalatedAt: instant.nullable(),
    escalatedFrom: z.string().nullable().meta({ description: "The assignee before the escalation." }),
    payload: anyJson,
    form: anyObject.nullable(),
    result: anyJson,
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          "Why the task was canceled or withdrawn. If the engine withdrew it: `state_left`, `execution_completed`, `execution_failed`, `execution_canceled` or `execution_ended`.",
      }),
    closedBy: z.string().nullable().meta({ description: "The person, key or execution that closed the task." }),
    closedByVerified: z
      .boolean()
      .nullable()
      .meta({
        description:
          "true: the key of the request proves `closedBy`. false: the client wrote `closedBy`, and the engine did not verify it. null: unknown, or the task is open.",
      }),
    createdAt: instant,
    updatedAt: instant,
    closedAt: instant.nullable(),
    delivery: z.object({
      status: z
        .enum(["none", "pending", "delivered", "refused"])
        .meta({
          description: "Whether the execution has received the end of the task. `pending` is retried automatically.",
        }),
      code: z
        .string()
        .nullable()
        .meta({
          description: "The code of the refusal, such as `execution_final`; null if the execution accepted the event.",
        }),
    }),
  })
  .meta({ id: "Task" });
export type ApiTask = z.infer<typeof task>;

export const closedTask = z
  .object({
    task,
    repeated: z
      .boolean()
      .meta({ description: "true: the request repeats an earlier request, and the engine did nothing again." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "ClosedTask" });
export type ApiClosedTask = z.infer<typeof closedTask>;

export const changedTask = z.object({ task, dryRun: z.boolean() }).meta({ id: "ChangedTask" });
export type ApiChangedTask = z.infer<typeof changedTask>;
