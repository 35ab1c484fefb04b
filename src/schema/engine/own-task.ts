// Asked tasks: the tasks that an execution has created, and the updates that it sends for them through its outbox.

/** A task that is open, as far as its execution knows. */
export type OwnTask = {
  readonly run: string;
  readonly action: string;
  /** The state whose exit cancels it; null if only the execution's end does. */
  readonly boundTo: string | null;
  /** null until the run is known to have created it. */
  readonly id: string | null;
  readonly watch?: TaskWatch;
  /** No longer needed. `looks`: how often it was searched for and not found. */
  readonly withdrawn?: { readonly at: number; readonly reason: string; readonly looks: number };
  /** The number of the reminder that is due, and not sent yet. */
  readonly reminding?: number;
  readonly escalating?: true;
};

/** What happens to an open task. */
export type TaskWatch = { readonly remind: Reminding | null; readonly escalateAt: number | null };
export type Reminding = {
  /** When the next one is due. */
  readonly at: number;
  readonly everyMs: number | null;
  readonly given: number;
  readonly left: number;
};

/** `key` identifies the update in the outbox. */
export type TaskUpdate = { readonly key: string; readonly run: string } & (
  | { readonly kind: "withdraw"; readonly at: number; readonly reason: string; readonly looks: number }
  | { readonly kind: "remind"; readonly number: number }
  | { readonly kind: "escalate" }
);

export type TaskUpdateResult = {
  /** open: the task was open and is updated. closed: it had ended before. none: there is no such task. */
  readonly found: "open" | "closed" | "none";
  /** The task after the update; absent if there is none. */
  readonly task?: UpdatedTask;
};
export type UpdatedTask = {
  readonly id: string;
  readonly title: string;
  readonly assignee: string | null;
  readonly priority: number | null;
  readonly dueAt: number | null;
  /** The assignee before the escalation. */
  readonly escalatedFrom: string | null;
};
