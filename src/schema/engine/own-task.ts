// Tasks of an execution: the open tasks that the execution has created, and its outbox messages about them.

/** A task that is open as far as the execution knows. The catalog stores the task itself. */
export type OwnTask = {
  readonly run: string;
  readonly action: string;
  /** The task is canceled when the execution leaves this state. Null: it is canceled only when the execution ends. */
  readonly boundTo: string | null;
  /** The task's id. Null until the run is known to have created the task. */
  readonly id: string | null;
  readonly watch?: TaskWatch;
  /**
   * Set if the execution no longer needs the task. `looks`: how many times the engine has searched for the task without
   * finding it.
   */
  readonly withdrawn?: { readonly at: number; readonly reason: string; readonly looks: number };
  /** The number of a reminder that is due but not sent yet. Absent if no reminder is due. */
  readonly reminding?: number;
  readonly escalating?: true;
};

/** The next reminder and the escalation (epoch ms) of an open task. Each is null if there is none. */
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
   * The result of a task update. open: the task was open and was updated. closed: the task had already ended. none: the
   * task does not exist.
   */
  readonly found: "open" | "closed" | "none";
  /** The task after the update. Absent if the task does not exist. */
  readonly task?: UpdatedTask;
};
export type UpdatedTask = {
  readonly id: string;
  readonly title: string;
  readonly assignee: string | null;
  readonly priority: number | null;
  readonly dueAt: number | null;
  /** The assignee before the escalation. Null if the update was not an escalation. */
  readonly escalatedFrom: string | null;
};
