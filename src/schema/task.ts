// Tasks: what an execution asks people to do, from the creation of the task to its end.
import { z } from "zod";
import { lengthMs } from "./definition/duration-text.ts";
import { isoDuration } from "./definition/timing.ts";
import type { Json, JsonObject } from "./json.ts";
import { REMINDERS_MAX, REMINDER_GAP_MS_MIN } from "./limits/executions.ts";

/** A person or a group, as any text: a name, an e-mail address or the name of the group. */
export const person = z.string().min(1).max(200);
/** The priority of a task. As for actions, a higher number is more urgent. */
export const priority = z.number().int().min(0).max(100);

/** withdrawn: the engine canceled the task, because the task's execution no longer needs it. */
export const taskStatuses = ["open", "completed", "canceled", "withdrawn"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** A positive duration whose length does not depend on a date. */
const length = isoDuration.refine((text) => lengthMs(text) > 0, { message: "must be a positive length of time" });

/** When the execution gets an event that reminds it of the open task. */
export const reminder = z
  .strictObject({
    /** How long after the task's creation the reminder is due. */
    after: length.optional(),
    /** How long before the due date the reminder is due. */
    before: length.optional(),
    every: length
      .refine((text) => lengthMs(text) >= REMINDER_GAP_MS_MIN, { message: "must be at least one minute" })
      .optional(),
    times: z.number().int().min(1).max(REMINDERS_MAX).optional(),
  })
  .superRefine(({ after, before, every, times }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (after !== undefined && before !== undefined)
      refuse("before", 'must not be combined: set either "after" or "before"');
    if (after === undefined && before === undefined && every === undefined) {
      refuse("after", 'is missing: set "after", "before" or "every"');
    }
    if (every === undefined && (times ?? 1) > 1) refuse("times", 'is above 1 and therefore requires "every"');
  });
export type Reminder = z.infer<typeof reminder>;

/** The new assignee of a task that has been open for too long. */
export const escalateTo = z.strictObject({
  assignee: person,
  /** How long after the task's creation the escalation is due. Default: it is due at the task's due date. */
  after: length.optional(),
  priority: priority.optional(),
});
export type EscalateTo = z.infer<typeof escalateTo>;

/** What a task shows to people. The engine stores the form but does not interpret it. */
export type TaskBody = {
  readonly description: string | null;
  readonly payload: Json;
  readonly form: JsonObject | null;
  /** The time zone of the dates that have no offset. Absent if all dates have one. */
  readonly timezone?: string;
  readonly reminder?: Reminder;
  readonly escalateTo?: EscalateTo;
};

/** A runner's request to create a task. The ticket names the execution. */
export type NewTask = Pick<TaskBody, "description" | "payload" | "form"> & {
  readonly title: string;
  readonly assignee: string | null;
  readonly priority: number | null;
  /** An ISO date or date-time, or a duration that counts from now. Null: the task has no due date. */
  readonly dueDate: string | null;
  readonly timezone: string | null;
  readonly reminder: Reminder | null;
  readonly escalateTo: EscalateTo | null;
};

/** A change of the open tasks that one action has created. Absent fields stay unchanged. */
export type TaskChange =
  | { readonly operation: "withdraw"; readonly task: string; readonly reason?: string | undefined }
  | ({
      readonly operation: "update";
      readonly task: string;
      readonly reason?: string | undefined;
      readonly timezone?: string | undefined;
    } & TaskEdit);
export type TaskEdit = {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly assignee?: string | null | undefined;
  readonly priority?: number | null | undefined;
  readonly dueDate?: string | null | undefined;
  readonly payload?: Json | undefined;
};

/** The source of the events with which the engine notifies an execution about its tasks. */
export const TASK_SOURCE = "task";

/**
 * Returns the id of the event about the end of a run's task. It is derived from the run, so the execution detects a
 * repeated event.
 */
export function taskEventId(run: string): string {
  return `task/${run}`;
}

/**
 * Returns the run whose task has ended. Returns null for any other event. Event ids of this form are reserved for the
 * engine.
 */
export function ownTaskRun({ id, type }: { readonly id: string; readonly type: string }): string | null {
  const run = /^task\/(\d+\.\d+)$/.exec(id)?.[1];
  return run !== undefined && (type === "task_completed" || type === "task_canceled") ? run : null;
}
