// Journal: the append-only history of one execution. Each entry contains a fact and its reason, but no secret.
import type { TaskUpdate, TaskUpdateResult } from "./own-task.ts";
import type { Actor } from "./input.ts";
import type { FamilyEntry } from "../family/entries.ts";
import type { VerbEntry } from "./verb-entries.ts";
import type { EventMessage } from "./event.ts";
import type { JsonObject } from "../json.ts";
import type { ActionError, Hold, Outcome } from "./outcome.ts";
import type { StartHold, StartSkip } from "../key-limits/start-place.ts";

/** A moved timer or run. `timer`: the id of either. `node`: the journey's node; absent for other kinds. */
export type TimerMove = {
  readonly timer: string;
  readonly node?: string;
  readonly from: number | null;
  readonly to: number | null;
};

/**
 * Why a timer or run keeps its time after a variable has changed. keeps: its `onMove` setting says so. brought_forward:
 * an operator ran it early. rescheduled: an operator set its instant. in_progress: it was attempted, sent or held. Any
 * other reason: it is over.
 */
export const unmovedReasons = [
  "keeps",
  "brought_forward",
  "rescheduled",
  "in_progress",
  "done",
  "failed",
  "skipped",
] as const;
export type UnmovedItem = {
  /** node: an item of a journey without a stored run. */
  readonly kind: "timer" | "run" | "node";
  readonly id: string;
  readonly action: string | null;
  readonly reason: (typeof unmovedReasons)[number];
};

/** A run that was over and is scheduled again: it was skipped as `already_past` or `past`, or `onMove` is `redo`. */
export type RepeatedRun = {
  readonly run: string;
  readonly action: string;
  readonly dueAt: number;
  readonly because: "already_past" | "redo";
};

type Body =
  | FamilyEntry
  | VerbEntry
  | { readonly kind: "event_received"; readonly event: EventMessage; readonly actor: Actor }
  | { readonly kind: "event_buffered"; readonly event: EventMessage; readonly reason: string; readonly actor: Actor }
  | { readonly kind: "event_replayed"; readonly event: string; readonly type: string }
  | { readonly kind: "event_dropped"; readonly event: string; readonly type: string; readonly reason: string }
  /** The current state has no transition for an event: a run's result, a timer, or a buffered event. */
  | {
      readonly kind: "event_ignored";
      readonly type: string;
      readonly source: string;
      /** The id of an event from outside. `reason`: why an execution that buffers nothing would refuse it. */
      readonly event?: string;
      readonly reason?: string;
    }
  | { readonly kind: "moved"; readonly from: string | null; readonly to: string; readonly by: string }
  | {
      readonly kind: "assigned";
      readonly variables: JsonObject;
      readonly by: string;
      /** Timers and runs whose time has moved with the variables; absent if none has. */
      readonly moves?: readonly TimerMove[];
    }
  | { readonly kind: "timer_armed"; readonly timer: string; readonly dueAt: number | null; readonly expression: string }
  | { readonly kind: "timer_fired"; readonly timer: string; readonly lateMs: number }
  | { readonly kind: "timer_disarmed"; readonly timer: string; readonly reason: string }
  | {
      readonly kind: "run_created";
      readonly run: string;
      readonly action: string;
      readonly dueAt: number | null;
      /** Why this run is created although an earlier run of the action is over; absent for the first run. */
      readonly reactivated?: RepeatedRun["because"];
    }
  | {
      readonly kind: "run_dispatched";
      readonly run: string;
      readonly attempt: number;
      readonly lane: "direct" | "queue";
    }
  | { readonly kind: "run_resent"; readonly run: string; readonly attempt: number; readonly reason: string }
  | { readonly kind: "run_claimed"; readonly run: string; readonly attempt: number; readonly config: JsonObject | null }
  | { readonly kind: "run_settled"; readonly run: string; readonly attempt: number; readonly outcome: Outcome }
  | {
      readonly kind: "run_retry";
      readonly run: string;
      readonly attempt: number;
      readonly dueAt: number;
      readonly error: ActionError;
    }
  /** A rule for a time zone returned an unknown zone, which `given` contains as JSON. `taken` is used instead. */
  | {
      readonly kind: "timezone_unknown";
      readonly run: string;
      readonly action: string;
      readonly given: string;
      readonly taken: string;
    }
  | { readonly kind: "timezone_unknown"; readonly timer: string; readonly given: string; readonly taken: string }
  /** The attempt was not made, because its connection or window is closed before `until`. It is made later. */
  | ({ readonly kind: "run_held"; readonly run: string; readonly attempt: number } & Hold)
  | { readonly kind: "run_ok"; readonly run: string; readonly action: string }
  | {
      readonly kind: "run_failed";
      readonly run: string;
      readonly action: string;
      readonly error: ActionError;
      /** Why the run failed before its last attempt; absent if all attempts were made. */
      readonly reason?: string;
    }
  /**
   * The definition, or the parent `by`, handled the failure, so no operator has to. `state`: the state at that time.
   */
  | {
      readonly kind: "run_handled";
      readonly run: string;
      readonly action: string;
      readonly event: string;
      readonly state: string;
      readonly by?: string;
    }
  | {
      readonly kind: "run_skipped";
      readonly run: string;
      readonly action: string;
      readonly reason: string;
      /** Only for a run that a false condition skipped: the values that the condition read, by path. */
      readonly values?: JsonObject;
      /** Only for a run that a cap or a limit by key skipped: when a new run may pass. Absent if this is unknown. */
      readonly nextAt?: number;
    }
  | {
      readonly kind: "run_canceled";
      readonly run: string;
      readonly action: string;
      readonly reason: string;
      /** The error of the run's last attempt. Absent if no attempt failed. */
      readonly error?: ActionError;
    }
  | {
      readonly kind: "run_redriven";
      readonly run: string;
      readonly action: string;
      /** True: an operator changed the config or the variables. The config is therefore rendered again. */
      readonly edited: boolean;
      /** The operator retried the run although the machine had handled its failure. */
      readonly forced?: true;
      /** True: the operator's request allowed one attempt only. */
      readonly once?: true;
      readonly actor: Actor;
      readonly reason: string | null;
    }
  | {
      readonly kind: "dead_letter_archived";
      readonly run: string;
      readonly action: string;
      readonly actor: Actor;
      readonly reason: string | null;
    }
  | {
      readonly kind: "patched";
      readonly variables: JsonObject;
      readonly moves: readonly TimerMove[];
      readonly actor: Actor;
      readonly reason: string | null;
    }
  | { readonly kind: "paused" | "resumed" | "erased"; readonly actor: Actor; readonly reason: string | null }
  | {
      readonly kind: "canceled";
      readonly actor: Actor;
      readonly reason: string | null;
      /** Why due work could not be processed before the cancellation. The cancellation left this work undone. */
      readonly fault?: string;
    }
  /** The parent received the end of this execution. `refused`: why it ignored the event; null if it did not. */
  | { readonly kind: "parent_notified"; readonly parent: string; readonly refused: string | null }
  /** The execution no longer needs the task of this run, so the task is withdrawn. */
  | { readonly kind: "task_withdrawn"; readonly run: string; readonly action: string; readonly reason: string }
  /** A reminder or the escalation of this run's task is due. */
  | {
      readonly kind: "task_update_due";
      readonly run: string;
      readonly action: string;
      readonly update: "remind" | "escalate";
    }
  /** The result of an update of this run's task. */
  | {
      readonly kind: "task_updated";
      readonly run: string;
      readonly action: string;
      readonly update: TaskUpdate["kind"];
      readonly found: TaskUpdateResult["found"];
    }
  /** The execution's correlation key has changed. Null: it no longer has one. */
  | { readonly kind: "correlated"; readonly key: string | null }
  /** The directory has registered the execution under this key. */
  | { readonly kind: "correlation_key_registered"; readonly key: string | null }
  /** The subject's object has confirmed the execution's end. */
  | { readonly kind: "subject_notified" }
  /** A limit on starts delays the first move. `ahead`: how many executions with this key are before it. */
  | ({ readonly kind: "start_held" } & StartHold)
  /** The limits on starts have admitted the execution, which now makes its first move. */
  | { readonly kind: "start_admitted"; readonly waitedMs: number }
  /** A limit on starts has skipped the execution, which ends without a first move. */
  | ({ readonly kind: "start_skipped" } & StartSkip)
  | { readonly kind: "correlation_failed"; readonly message: string }
  /** Journey nodes that were skipped: they can no longer be reached, or their condition was false. */
  | { readonly kind: "nodes_skipped"; readonly nodes: readonly string[]; readonly reason: string }
  /** Which edge the journey took out of a node with several outgoing edges. */
  | { readonly kind: "edge_taken"; readonly node: string; readonly way: string }
  /** An edge without effect. It led to a node that had already begun or ended. */
  | { readonly kind: "token_absorbed"; readonly node: string; readonly from: string }
  /** All work in progress has ended. From now on the completed nodes are compensated, in this order. */
  | { readonly kind: "compensating"; readonly nodes: readonly string[] }
  /**
   * The result of this node's action is not stored, because all stored results together would exceed the limit. So the
   * compensation cannot read it.
   */
  | { readonly kind: "result_not_kept"; readonly node: string; readonly bytes: number }
  /** An exit node, or a goal (`exitWhen/<n>`), has ended the journey. */
  | { readonly kind: "exited"; readonly by: string; readonly outcome: string }
  /** A reconciler's desired state has changed. */
  | {
      readonly kind: "desired";
      readonly revision: number;
      readonly desired: JsonObject;
      readonly actor: Actor;
      readonly reason: string | null;
    }
  /** A reconciler's observed state has changed. `observed` is null if the state is too large for the journal. */
  | { readonly kind: "observed"; readonly revision: number; readonly observed: JsonObject | null }
  /** A reconciler applied a rule: its JSON pointer, its effect and reason, and the values that it read, by path. */
  | {
      readonly kind: "decided";
      readonly rule: string;
      readonly does: "target" | "emit" | "signal" | "shutdown";
      readonly to: string;
      readonly reason: string;
      readonly values?: JsonObject;
    }
  /**
   * The rules of a reconciler's state cannot be evaluated. The reconciler evaluates them again when a value that they
   * read changes.
   */
  | { readonly kind: "tick_failed"; readonly message: string }
  /** The collector failed for the first time, or with another error. The reconciler calls it again later. */
  | {
      readonly kind: "collector_failed";
      readonly failures: number;
      readonly error: ActionError;
      readonly nextAt: number;
    }
  | { readonly kind: "collector_recovered"; readonly failures: number }
  | { readonly kind: "completed" }
  | { readonly kind: "failed"; readonly error: ActionError };

export type JournalBody = Body;
/**
 * An entry of the journal. `seq` is the number of the input that wrote it, and `n` its number among the entries of that
 * input. Entries are ordered by `seq`, then by `n`.
 */
export type JournalEntry = { readonly seq: number; readonly n: number; readonly at: number } & Body;
