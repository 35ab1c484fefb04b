// The append-only history of one execution. An entry says what happened and why, and never holds a secret.
import type { TaskUpdate, TaskUpdateResult } from "./asked-task.ts";
import type { Actor } from "./input.ts";
import type { FamilyEntry } from "../family/entries.ts";
import type { EventMessage } from "./event.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ActionError, Hold, Outcome } from "./outcome.ts";

export type TimerMove = { readonly timer: string; readonly from: number | null; readonly to: number | null };

/**
 * What hangs on a variable that was changed, and stays as it is. keeps: it says so (`onMove`). brought_forward: a person had
 * it go before. rescheduled: a person gave it its instant. under_way: it has been tried, or sent, or held on its way. The others are over.
 */
export const stayReasons = [
  "keeps",
  "brought_forward",
  "rescheduled",
  "under_way",
  "done",
  "failed",
  "skipped",
] as const;
export type NotMoved = {
  /** `node`: of a journey, where its run is not kept any more, or it has none. */
  readonly kind: "timer" | "run" | "node";
  readonly id: string;
  readonly action: string | null;
  readonly reason: (typeof stayReasons)[number];
};

/** Over, and to come after all: it was past when its turn came, or is to be done again. */
export type CameBack = {
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
  /** A run's result or a timer that nothing in the current state listens for, or an event that waited and is not taken. */
  | {
      readonly kind: "event_ignored";
      readonly type: string;
      readonly source: string;
      /** Of one from outside: which, and with what it would have been refused, had it not waited. */
      readonly event?: string;
      readonly reason?: string;
    }
  | { readonly kind: "moved"; readonly from: string | null; readonly to: string; readonly by: string }
  | {
      readonly kind: "assigned";
      readonly variables: JsonObject;
      readonly by: string;
      /** What hung on them and is due at another time now; absent where nothing is. */
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
      /** Another run of it is over: why there is one again. */
      readonly cameBack?: CameBack["because"];
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
  /** The rule for the time zone of its window gave none that is known: the definition's is taken. `given` as JSON. */
  | {
      readonly kind: "timezone_unknown";
      readonly run: string;
      readonly action: string;
      readonly given: string;
      readonly taken: string;
    }
  /** Not tried: its connection, or its window, lets nothing through before `until`. The same attempt goes out again then. */
  | ({ readonly kind: "run_held"; readonly run: string; readonly attempt: number } & Hold)
  | { readonly kind: "run_ok"; readonly run: string; readonly action: string }
  | {
      readonly kind: "run_failed";
      readonly run: string;
      readonly action: string;
      readonly error: ActionError;
      /** Where tries were left: why they are not made. */
      readonly reason?: string;
    }
  /** Its machine, or its parent `by`, took the failure and has gone on: nobody is waited for. `state`: where it stood then. */
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
      /** Of a condition that did not hold: what it looked at, by path. */
      readonly values?: JsonObject;
    }
  | {
      readonly kind: "run_canceled";
      readonly run: string;
      readonly action: string;
      readonly reason: string;
      /** How its last try ended, where it had begun. */
      readonly error?: ActionError;
    }
  | {
      readonly kind: "run_brought_forward";
      readonly run: string;
      readonly actor: Actor;
      readonly reason: string | null;
    }
  /** Asked for by a person: a node, or a run of an action's; `result` where it counts as done with that. */
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
  /** A wait that ended as if that had come. */
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
      /** True: it was changed, and is rendered anew. */
      readonly edited: boolean;
      /** Its machine had taken care of the failure, and it was sent again all the same. */
      readonly forced?: true;
      /** One try and no more. */
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
      /** Why what was due could not be worked off before; nothing of it was. */
      readonly fault?: string;
    }
  /** The execution that waits for its end has heard; or why it took no notice. */
  | { readonly kind: "parent_told"; readonly parent: string; readonly refused: string | null }
  /** Nobody needs the task that this run has asked for any more. */
  | { readonly kind: "task_withdrawn"; readonly run: string; readonly action: string; readonly reason: string }
  /** It is time to remind of the task that this run has asked for, or to escalate it. */
  | {
      readonly kind: "errand_begun";
      readonly run: string;
      readonly action: string;
      readonly errand: "remind" | "escalate";
    }
  /** What came of wanting something done about the task that this run has asked for. */
  | {
      readonly kind: "errand_done";
      readonly run: string;
      readonly action: string;
      readonly errand: TaskUpdate["kind"];
      readonly found: TaskUpdateResult["found"];
    }
  /** Events under this key concern it from now on; null: none do. */
  | { readonly kind: "correlated"; readonly key: string | null }
  /** The directory has it under that key. */
  | { readonly kind: "enlisted"; readonly key: string | null }
  /** Its subject's object knows of its end. */
  | { readonly kind: "subject_told" }
  | { readonly kind: "correlation_failed"; readonly message: string }
  /** Nodes of a journey that nothing reaches any more, or that were not wanted when they were. */
  | { readonly kind: "nodes_skipped"; readonly nodes: readonly string[]; readonly reason: string }
  /** The way that was taken out of a node which has several. */
  | { readonly kind: "way_taken"; readonly node: string; readonly way: string }
  /** A way was taken to a node that had begun, or was decided, before. */
  | { readonly kind: "token_absorbed"; readonly node: string; readonly from: string }
  /** All that was under way has ended, and these are taken back now, in this order. */
  | { readonly kind: "compensating"; readonly nodes: readonly string[] }
  /** What takes this node back will not see what its action came to: all of it together would be too much. */
  | { readonly kind: "result_not_kept"; readonly node: string; readonly bytes: number }
  /** The whole journey has ended by an exit node, or a goal: `exitWhen/<n>`. */
  | { readonly kind: "exited"; readonly by: string; readonly outcome: string }
  /** What a reconciler is to bring about is another thing now. */
  | {
      readonly kind: "desired";
      readonly revision: number;
      readonly desired: JsonObject;
      readonly actor: Actor;
      readonly reason: string | null;
    }
  /** What it has observed is another thing now; `observed` null: too much for the journal. */
  | { readonly kind: "observed"; readonly revision: number; readonly observed: JsonObject | null }
  /** The rule that was taken, as a JSON pointer, what it does and why, and what it looked at, by path. */
  | {
      readonly kind: "decided";
      readonly rule: string;
      readonly does: "target" | "emit" | "signal" | "shutdown";
      readonly to: string;
      readonly reason: string;
      readonly values?: JsonObject;
    }
  /** The rules of its state cannot be looked at; nothing is done until something that they see has changed. */
  | { readonly kind: "tick_failed"; readonly message: string }
  /** Who observes has failed, or begun to fail otherwise; it is asked again, with growing gaps. */
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
