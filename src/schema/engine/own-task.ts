// Tasks of an execution: the open tasks that the execution has created, and its outbox messages about these tasks.

/** A task that the execution knows as open. The catalog stores the task itself. */
export type OwnTask = {
  readonly run: string;
  readonly action: string;
  /** The state that the execution must leave to cancel the task; null if only the end of the execution cancels it. */
  readonly boundTo: string | null;
  /** The task's id; null until the run is known to have created the task. */
  readonly id: string | null;
  readonly watch?: TaskWatch;
  /**
   * Set if the execution no longer needs the task. `looks`: how many times the engine searched for the task and did not
   * find it.
   */
  readonly withdrawn?: { readonly at: number; readonly reason: string; readonly looks: number };
  /** The number of the reminder that is due and not sent yet. */
  readonly reminding?: number;
  readonly escalating?: true;
};

/** The next reminder and the escalation (epoch ms) of an open task; null without one. */
export type TaskWatch = { readonly remind: Reminding | null; readonly escalateAt: number | null };
export type Reminding = {
  /** When the next reminder is due, in epoch ms. */
  readonly at: number;
  readonly everyMs: number | null;
  readonly given: number;
  readonly left: number;
};

/** An outbox message about a task. `key` identifies the message. */
export type TaskUpdate = { readonly key: string; readonly run: string } & (
  | { readonly kind: "withdraw"; readonly at: number; readonly reason: string; readonly looks: number }
  | { readonly kind: "remind"; readonly number: number }
  | { readonly kind: "escalate" }
);

export type TaskUpdateResult = {
  /**
   * The result of a task update. open: the task was open and is updated. closed: the task had ended before. none: the
   * task does not exist.
   */
  readonly found: "open" | "closed" | "none";
  /** The task after the update; absent if it does not exist. */
  readonly task?: UpdatedTask;
};
export type UpdatedTask = {
  readonly id: string;
  readonly title: string;
  readonly assignee: string | null;
  readonly priority: number | null;
  readonly dueAt: number | null;
  /** The assignee before the escalation; null if the update was no escalation. */
  readonly escalatedFrom: string | null;
};
