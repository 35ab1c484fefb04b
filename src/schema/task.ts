// A task: what an execution asks of a person, from its making to its end.
import type { Json, JsonObject } from "./json.ts";

export const taskStatuses = ["open", "completed", "canceled"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** What the person gets to see; a form is for whoever shows it, the engine does not look into it. */
export type TaskBody = {
  readonly description: string | null;
  readonly payload: Json;
  readonly form: JsonObject | null;
};

/** What a runner asks for; whose task it is comes from its ticket. */
export type NewTask = TaskBody & {
  readonly title: string;
  readonly assignee: string | null;
  /** An ISO date, date-time or duration from now. */
  readonly dueDate: string | null;
  readonly timezone: string | null;
};
