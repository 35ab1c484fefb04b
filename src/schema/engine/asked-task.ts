// The tasks that an execution has asked for, and the updates of them that it sends to the list of tasks through its outbox.

/** A task that is open, as far as its execution knows. */
export type AskedTask = {
  readonly run: string;
  readonly action: string;
  /** The state whose exit takes it along; null where only the execution's end does. */
  readonly boundTo: string | null;
  /** null until the run is known to have made it. */
  readonly id: string | null;
  readonly watch?: TaskWatch;
  /** Nobody needs it any more. `looks`: how often it was looked for and not found. */
  readonly withdrawn?: { readonly at: number; readonly reason: string; readonly looks: number };
  /** Which reminder is due, and was not given yet. */
  readonly reminding?: number;
  readonly escalating?: true;
};

/** What is to happen to a task that stays open. */
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
  /** The task after the update; absent where there is none. */
  readonly task?: TaskSeen;
};
export type TaskSeen = {
  readonly id: string;
  readonly title: string;
  readonly assignee: string | null;
  readonly priority: number | null;
  readonly dueAt: number | null;
  /** Of an escalated one: whose it was before. */
  readonly escalatedFrom: string | null;
};
