// Journal: the append-only history of one execution. An entry has what happened and why, and never a secret.
import type { TaskUpdate, TaskUpdateResult } from "./own-task.ts";
import type { Actor } from "./input.ts";
import type { FamilyEntry } from "../family/entries.ts";
import type { EventMessage } from "./event.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ActionError, Hold, Outcome } from "./outcome.ts";

export type TimerMove = { readonly timer: string; readonly from: number | null; readonly to: number | null };

/**
 * What depends on a changed variable, and does not move. keeps: as set (`onMove`). brought_forward: an operator ran it
 * early. rescheduled: an operator set its instant. under_way: it was attempted, sent, or held. The others are over.
 */
export const unmovedReasons = [
  "keeps",
  "brought_forward",
  "rescheduled",
  "under_way",
  "done",
  "failed",
  "skipped",
] as const;
export type UnmovedItem = {
  /** `node`: for a journey, if its run is no longer stored, or it has none. */
  readonly kind: "timer" | "run" | "node";
  readonly id: string;
  readonly action: string | null;
  readonly reason: (typeof unmovedReasons)[number];
};

/** A run that was over is scheduled again: its instant had passed on its turn, or the run is to be repeated. */
export type RepeatedRun = {
  readonly run: string;
  readonly action: string;
  readonly dueAt: number;
  readonly because: "already_past" | "redo";
};

type ByPerson = { readonly actor: Actor; readonly reason: string | null };
type Body =
  | FamilyEntry
  | { readonly kind: "event_received"; readonly event: EventMessage; readonly actor: Actor }
  | { readonly kind: "event_buffered"; readonly event: EventMessage; readonly reason: string; readonly actor: Actor }
  | { readonly kind: "event_replayed"; readonly event: string; readonly type: string }
  | { readonly kind: "event_dropped"; readonly event: string; readonly type: string; readonly reason: string }
  /** A run's result or a timer without a listener in the current state, or a buffered event that is not accepted. */
  | {
      readonly kind: "event_ignored";
      readonly type: string;
      readonly source: string;
      /** For an outside event: which one, and its refusal if it had not been buffered. */
      readonly event?: string;
      readonly reason?: string;
    }
  | { readonly kind: "moved"; readonly from: string | null; readonly to: string; readonly by: string }
  | {
      readonly kind: "assigned";
      readonly variables: JsonObject;
      readonly by: string;
      /** What depends on them and is due at another time now; absent if nothing is. */
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
      /** An earlier run of it is over: why there is another one. */
      readonly cameBack?: RepeatedRun["because"];
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
  /** The rule for the time zone of its window returned no known zone: the definition's is used. `given` as JSON. */
  | {
      readonly kind: "timezone_unknown";
      readonly run: string;
      readonly action: string;
      readonly given: string;
      readonly taken: string;
    }
  /** Not attempted: its connection, or its window, is closed before `until`. The same attempt is made then. */
  | ({ readonly kind: "run_held"; readonly run: string; readonly attempt: number } & Hold)
  | { readonly kind: "run_ok"; readonly run: string; readonly action: string }
  | {
      readonly kind: "run_failed";
      readonly run: string;
      readonly action: string;
      readonly error: ActionError;
      /** Why the remaining attempts are not made. */
      readonly reason?: string;
    }
  /** Its machine, or its parent `by`, handled the failure: no operator is needed. `state`: its state then. */
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
      /** For a false condition: the values it read, by path. */
      readonly values?: JsonObject;
    }
  | {
      readonly kind: "run_canceled";
      readonly run: string;
      readonly action: string;
      readonly reason: string;
      /** How its last attempt ended, if there was one. */
      readonly error?: ActionError;
    }
  | {
      readonly kind: "run_brought_forward";
      readonly run: string;
      readonly actor: Actor;
      readonly reason: string | null;
    }
  /** Requested by an operator: a node, or a run of an action; `result` if it counts as done with that. */
  | ({
      readonly kind: "skipped_by_hand";
      readonly node?: string;
      readonly run?: string;
      readonly action?: string;
      readonly result?: Json;
    } & ByPerson)
  | ({
      readonly kind: "rescheduled";
      readonly timer?: string;
      readonly run?: string;
      readonly from: number | null;
      readonly to: number;
    } & ByPerson)
  | ({ readonly kind: "held_by_hand"; readonly run: string; readonly action: string } & ByPerson)
  | ({
      readonly kind: "released";
      readonly run: string;
      readonly action: string;
      readonly dueAt: number | null;
    } & ByPerson)
  /** A wait that ended as if that had arrived. */
  | ({
      readonly kind: "completed_by_hand";
      readonly node?: string;
      readonly run?: string;
      readonly as: string;
      readonly payload: Json;
    } & ByPerson)
  | {
      readonly kind: "run_redriven";
      readonly run: string;
      readonly action: string;
      /** True: it was changed, and is rendered again. */
      readonly edited: boolean;
      /** The machine had handled the failure, and an operator retried the run anyway. */
      readonly forced?: true;
      /** The request allowed one attempt only. */
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
      /** Why due work could not be processed before; nothing of it was. */
      readonly fault?: string;
    }
  /** The parent that waits for its end is notified; or why it ignored that. */
  | { readonly kind: "parent_told"; readonly parent: string; readonly refused: string | null }
  /** The task of this run is no longer needed. */
  | { readonly kind: "task_withdrawn"; readonly run: string; readonly action: string; readonly reason: string }
  /** The task of this run is due for a reminder, or for escalation. */
  | {
      readonly kind: "errand_begun";
      readonly run: string;
      readonly action: string;
      readonly errand: "remind" | "escalate";
    }
  /** The result of an update of this run's task. */
  | {
      readonly kind: "errand_done";
      readonly run: string;
      readonly action: string;
      readonly errand: TaskUpdate["kind"];
      readonly found: TaskUpdateResult["found"];
    }
  /** The execution's correlation key from now on; null: none. */
  | { readonly kind: "correlated"; readonly key: string | null }
  /** The directory has registered it under that key. */
  | { readonly kind: "enlisted"; readonly key: string | null }
  /** The subject's object is notified of the execution's end. */
  | { readonly kind: "subject_told" }
  | { readonly kind: "correlation_failed"; readonly message: string }
  /** Nodes of a journey that can no longer be reached, or that were skipped when they were. */
  | { readonly kind: "nodes_skipped"; readonly nodes: readonly string[]; readonly reason: string }
  /** The edge taken out of a node with several. */
  | { readonly kind: "way_taken"; readonly node: string; readonly way: string }
  /** An edge was taken to a node that had begun, or was decided, before. */
  | { readonly kind: "token_absorbed"; readonly node: string; readonly from: string }
  /** All work in progress has ended, and these are compensated now, in this order. */
  | { readonly kind: "compensating"; readonly nodes: readonly string[] }
  /**
   * The compensation of this node will not see its action's result, because all results together would exceed the
   * limit.
   */
  | { readonly kind: "result_not_kept"; readonly node: string; readonly bytes: number }
  /** An exit node, or a goal (`exitWhen/<n>`), has ended the whole journey. */
  | { readonly kind: "exited"; readonly by: string; readonly outcome: string }
  /** A reconciler's desired state has changed. */
  | {
      readonly kind: "desired";
      readonly revision: number;
      readonly desired: JsonObject;
      readonly actor: Actor;
      readonly reason: string | null;
    }
  /** Its observed state has changed; `observed` null: too large for the journal. */
  | { readonly kind: "observed"; readonly revision: number; readonly observed: JsonObject | null }
  /** The rule taken, as a JSON pointer, its effect and reason, and the values it read, by path. */
  | {
      readonly kind: "decided";
      readonly rule: string;
      readonly does: "target" | "emit" | "signal" | "shutdown";
      readonly to: string;
      readonly reason: string;
      readonly values?: JsonObject;
    }
  /** The rules of its state cannot be evaluated; nothing happens until a value that they read changes. */
  | { readonly kind: "tick_failed"; readonly message: string }
  /** The collector has failed, or fails with another error; it is retried with growing gaps. */
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
/** `seq` is the input's; `n` counts within it, so (seq, n) orders the whole history. */
export type JournalEntry = { readonly seq: number; readonly n: number; readonly at: number } & Body;
