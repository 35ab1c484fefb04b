// Tasks: what an execution asks of a person, from creation to end.
import { z } from "zod";
import { lengthMs } from "./definition/duration-text.ts";
import { isoDuration } from "./definition/timing.ts";
import type { Json, JsonObject } from "./json.ts";
import { REMINDERS_MAX, REMINDER_GAP_MS_MIN } from "./limits/open-tasks.ts";

/** Any text: a name, an address, a group. */
export const person = z.string().min(1).max(200);
/** A task's priority, as for actions: higher is more urgent. */
export const priority = z.number().int().min(0).max(100);

/** withdrawn: canceled by the engine, because its execution no longer needs it. */
export const taskStatuses = ["open", "completed", "canceled", "withdrawn"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** A length of time from now on; a repeated one must have a fixed length. */
const length = isoDuration.refine((text) => lengthMs(text) > 0, { message: "must be a positive length of time" });

/** When its execution is notified that it is still open; as in the config. */
export const reminder = z
  .strictObject({
    /** Counted from the task's creation. */
    after: length.optional(),
    /** Counted back from its due date. */
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

/** The assignee after it was open for too long. */
export const escalateTo = z.strictObject({
  assignee: person,
  /** Counted from the task's creation; default: the due date. */
  after: length.optional(),
  priority: priority.optional(),
});
export type EscalateTo = z.infer<typeof escalateTo>;

/** What the person sees; the engine passes a form on without reading it. */
export type TaskBody = {
  readonly description: string | null;
  readonly payload: Json;
  readonly form: JsonObject | null;
  /** The zone of the due date and of the two instants below, if they have no offset. Absent if there are none. */
  readonly timezone?: string;
  readonly reminder?: Reminder;
  readonly escalateTo?: EscalateTo;
};

/** A runner's request; the ticket names the execution. */
export type NewTask = Pick<TaskBody, "description" | "payload" | "form"> & {
  readonly title: string;
  readonly assignee: string | null;
  readonly priority: number | null;
  /** An ISO date, date-time or duration from now. */
  readonly dueDate: string | null;
  readonly timezone: string | null;
  readonly reminder: Reminder | null;
  readonly escalateTo: EscalateTo | null;
};

/** A process's change of the open tasks that one of its actions created. Absent fields are unchanged. */
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

/** The source of events that notify executions about their tasks. */
export const TASK_SOURCE = "task";

/** The end of a run's task is one event, however often it is sent: its id is derived from the run's. */
export function taskEventId(run: string): string {
  return `task/${run}`;
}

/** The run whose task's end the event reports; null for another event. Clients cannot send such an id. */
export function ownTaskRun({ id, type }: { readonly id: string; readonly type: string }): string | null {
  const run = /^task\/(\d+\.\d+)$/.exec(id)?.[1];
  return run !== undefined && (type === "task_completed" || type === "task_canceled") ? run : null;
}
