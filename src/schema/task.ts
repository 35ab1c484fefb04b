// A task: what an execution asks of a person, from its making to its end.
import { z } from "zod";
import { lengthMs } from "./definition/duration-text.ts";
import { isoDuration } from "./definition/timing.ts";
import type { Json, JsonObject } from "./json.ts";
import { REMINDER_GAP_MS_MIN, REMINDERS_MAX } from "./limits/kernel.ts";

/** Any text: a name, an address, a group. */
export const person = z.string().min(1).max(200);
/** As actions have it: higher is more urgent. */
export const priority = z.number().int().min(0).max(100);

/** withdrawn: its execution needs it no more. */
export const taskStatuses = ["open", "completed", "canceled", "withdrawn"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** A length of time from now on, of the same length wherever it begins where it is repeated. */
const length = isoDuration.refine((text) => lengthMs(text) > 0, { message: "a length of time: more than nothing" });

/** When its execution hears that it is still open; in the words of the config. */
export const reminder = z
  .strictObject({
    /** Counted from the task's making. */
    after: length.optional(),
    /** Counted back from when it is due. */
    before: length.optional(),
    every: length.refine((text) => lengthMs(text) >= REMINDER_GAP_MS_MIN, { message: "at least a minute" }).optional(),
    times: z.number().int().min(1).max(REMINDERS_MAX).optional(),
  })
  .superRefine(({ after, before, every, times }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (after !== undefined && before !== undefined) refuse("before", "say one of after and before");
    if (after === undefined && before === undefined && every === undefined) {
      refuse("after", "say when: after, before or every");
    }
    if (every === undefined && (times ?? 1) > 1) refuse("times", "more than one needs every");
  });
export type Reminder = z.infer<typeof reminder>;

/** Who gets it when it stays open. */
export const escalateTo = z.strictObject({
  assignee: person,
  /** Counted from the task's making; without it, when it is due. */
  after: length.optional(),
  priority: priority.optional(),
});
export type EscalateTo = z.infer<typeof escalateTo>;

/** What the person gets to see; a form is for whoever shows it, the engine does not look into it. */
export type TaskBody = {
  readonly description: string | null;
  readonly payload: Json;
  readonly form: JsonObject | null;
  /** Of its due date and of the two below, where they have no offset. Absent where there are none. */
  readonly timezone?: string;
  readonly reminder?: Reminder;
  readonly escalateTo?: EscalateTo;
};

/** What a runner asks for; whose task it is comes from its ticket. */
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

/** What a process wants of the open tasks that one of its actions has made. What is absent stays as it is. */
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

/** The source of events that tell executions of their tasks. */
export const TASK_SOURCE = "task";

/** The end of a run's task is told as one event, however often: its id follows from the run's. */
export function taskEventId(run: string): string {
  return `task/${run}`;
}

/** Whose task's end the event tells; null where it tells of something else. Nobody outside may send such an id. */
export function ownTaskRun({ id, type }: { readonly id: string; readonly type: string }): string | null {
  const run = /^task\/(\d+\.\d+)$/.exec(id)?.[1];
  return run !== undefined && (type === "task_completed" || type === "task_canceled") ? run : null;
}
