// Commands of a program to the kernel: what the kernel does after a move. The kernel carries them out in order.
import type { JournalBody } from "#schema/engine/journal.ts";
import type { JsonObject } from "#schema/json.ts";

/** A program's commands to the kernel, in order. */
export type ProgramCommand =
  | { readonly kind: "enter"; readonly state: string }
  /** `keepsTasks`: the tasks of the state's actions stay open; otherwise they are withdrawn. */
  | { readonly kind: "leave"; readonly state: string; readonly keepsTasks?: true }
  | {
      readonly kind: "act";
      readonly action: string;
      /** The state whose exit cancels the run before it has started; absent if no exit cancels the run. */
      readonly state?: string;
      readonly from?: DelayStart;
      readonly skipsPast?: SkipsPast;
      /** Additional names in the scope of the run's rules and templates. */
      readonly given?: JsonObject;
    }
  | {
      readonly kind: "arm";
      readonly timer: string;
      readonly state: string;
      readonly expression: string;
      readonly from?: DelayStart;
      readonly skipsPast?: SkipsPast;
      /** The event that is sent instead if the timer's instant is past; absent if none is sent. */
      readonly onSkip?: string;
    }
  | { readonly kind: "disarm"; readonly timer: string }
  /** A node has failed with this run, and no edge follows. Applies `onExhausted` of the run's action. Default: pause. */
  | { readonly kind: "exhausted"; readonly run: string }
  /** Cancels everything in progress: runs, timers and tasks of all states. */
  | { readonly kind: "stop"; readonly reason: string }
  /** Adds a journal entry, and changes nothing else. */
  | { readonly kind: "say"; readonly entry: ProgramEntry };

export type ProgramEntry = Extract<
  JournalBody,
  {
    readonly kind:
      | "nodes_skipped"
      | "edge_taken"
      | "token_absorbed"
      | "exited"
      | "compensating"
      | "result_not_kept"
      | "event_dropped"
      | "event_replayed"
      | "decided";
  }
>;

/**
 * The instant, in epoch ms, from which delays without an anchor count: the planned instant of the previous node. If
 * absent, these delays count from now.
 */
type DelayStart = number;

/** True if the work is skipped when its instant is past, unless its delay has an `ifPast` of its own. */
type SkipsPast = true;
