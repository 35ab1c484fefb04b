// What an execution keeps of the tasks it has asked for, and its errands: what it wants done about them in the list of
// tasks, which it never touches itself. An errand is owed until somebody says that it is done.

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
export type TaskWatch = {
  readonly remind: Reminding | null;
  readonly escalateAt: number | null;
};
export type Reminding = {
  /** When the next one is due. */
  readonly at: number;
  readonly everyMs: number | null;
  readonly given: number;
  readonly left: number;
};

export type AskedTasks = {
  readonly list: readonly AskedTask[];
  /** When the errands went out last; null while there are none. */
  readonly sentAt: number | null;
  readonly resends: number;
};

export type Errand =
  | {
      readonly kind: "withdraw";
      readonly run: string;
      readonly at: number;
      readonly reason: string;
      readonly looks: number;
    }
  | { readonly kind: "remind"; readonly run: string; readonly number: number }
  | { readonly kind: "escalate"; readonly run: string };

/** open: it was, and what was asked is done. closed: it had ended otherwise. none: there is no such task. */
export type ErrandDone = {
  readonly run: string;
  readonly kind: Errand["kind"];
  /** Of a reminder: which. */
  readonly number?: number;
  readonly found: "open" | "closed" | "none";
  /** As it stands then; absent where there is none. */
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
