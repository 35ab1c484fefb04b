// A program: a definition compiled for the kernel. Whatever its kind, it turns a position and a trigger into a new
// position and commands. It knows nothing of runs, retries, clocks or storage.
import type { Cap } from "#schema/definition/cap.ts";
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { Window } from "#schema/definition/window.ts";
import type { JournalBody } from "#schema/engine/journal.ts";
import type { JsonObject, Rule } from "#schema/json.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Refusal } from "#schema/refusal.ts";
import type { Place } from "#schema/family/restart.ts";
import type { Position } from "#schema/engine/state.ts";
import type { Run } from "#schema/engine/run.ts";
import type { Delays } from "../language/timing.ts";
import type { Work } from "../computing/work.ts";

/** What a program asks for on its way, in order. */
export type ProgramCommand =
  | { readonly kind: "enter"; readonly state: string }
  /** `keepsTasks`: what its actions asked people for is still to be done. */
  | { readonly kind: "leave"; readonly state: string; readonly keepsTasks?: true }
  | {
      readonly kind: "act";
      readonly action: string;
      /** Whose leaving takes it back before it has started; absent: nobody's. */
      readonly state?: string;
      readonly from?: From;
      /** Names that its rules and templates see besides. */
      readonly given?: JsonObject;
    }
  | {
      readonly kind: "arm";
      readonly timer: string;
      readonly state: string;
      readonly expression: string;
      readonly from?: From;
      /** The event to hear of where its instant is past, and not wanted then; absent: nothing is heard of it. */
      readonly onSkip?: string;
    }
  | { readonly kind: "disarm"; readonly timer: string }
  /** Whatever is under way: runs, timers and tasks of all states. */
  | { readonly kind: "stop"; readonly reason: string }
  /** For the journal alone. */
  | { readonly kind: "say"; readonly entry: SaidByProgram };

export type SaidByProgram = Extract<
  JournalBody,
  {
    readonly kind:
      | "nodes_skipped"
      | "way_taken"
      | "token_absorbed"
      | "exited"
      | "compensating"
      | "result_not_kept"
      | "event_dropped"
      | "event_replayed"
      | "decided";
  }
>;

/** An action as a program has it: what a node of a journey says besides comes written out, and never by name. */
export type ProgramAction = ActionDefinition & {
  readonly window?: Window;
  readonly cap?: Cap & { readonly name: string };
};

/** The instant that delays without an anchor count from: for when the thing before them was planned. Absent: now. */
type From = number;

/**
 * When what a program hears of happened, and for when it was planned: the instant of a timer, however late it fired, and of a
 * run the one it was due at first, whatever held it since. Of an event from outside it is the instant it came.
 */
export type Instants = { readonly now: number; readonly planned: number };

export type Move =
  | {
      readonly ok: true;
      readonly position: Position;
      readonly variables: JsonObject;
      readonly commands: readonly ProgramCommand[];
      /** Where what took the trigger itself led, or stood if it led nowhere; none where things only went on by themselves. */
      readonly took: readonly string[];
    }
  /** The definition's own fault: a rule that cannot be evaluated, a loop without end, or more work than a step may do. */
  | { readonly ok: false; readonly code: "rule_fault" | "endless_loop" | "too_costly"; readonly message: string };

/** over: nothing is left. stuck: what was to take something back has failed, and a person decides. */
export type Unwinding =
  | { readonly kind: "over" | "stuck" }
  | { readonly kind: "next"; readonly position: Position; readonly commands: readonly ProgramCommand[] };

/** What guards and assignments see; `execution.variables` is kept current by the program as it goes. */
export type Scope = JsonObject;

/** now: a handler stands here (its guard may say no). later, late: only ahead, or only behind. unknown: nowhere. */
export type Outlook = "now" | "later" | "late" | "unknown";

/** Something that a position would react to, and the rule that lets it. */
export type Listener = {
  readonly on:
    | { readonly kind: "event"; readonly type: string }
    | { readonly kind: "timer"; readonly timer: string }
    /** Looked at whenever anything happens. */
    | { readonly kind: "always" };
  readonly state: string;
  readonly guard: Rule | null;
  /** Where the rule, or without one the whole of it, stands in the definition, as a JSON pointer. */
  readonly at: string;
  readonly to: readonly string[];
  /** Not every event of the type is meant: only one about what it has asked for itself. */
  readonly isOwn?: true;
};

/** A node to which some of the ways that lead there have come, and not enough of them. */
export type HalfJoin = {
  readonly node: string;
  readonly needs: number;
  readonly taken: number;
  readonly dead: number;
  /** Whose ways to it are still open. */
  readonly from: readonly string[];
};

/** A node that is over, and hung on a delay. */
export type Over = {
  readonly node: string;
  /** What it did; null: nothing but wait. */
  readonly action: string | null;
  readonly delay: Delay;
  readonly how: "done" | "failed" | "skipped";
  readonly reason: string | null;
};

/** What a person wants of one node. `told`: the message that ends a wait, once it is known of which type it is, and of which run. */
export type NodeAsk = { readonly node: string } & (
  | { readonly kind: "skip"; readonly hasResult: boolean }
  | {
      readonly kind: "complete";
      /** Which of several ways; null where there is but one. */
      readonly as: string | null;
      readonly told: (type: string, run: string | null) => EventMessage;
    }
);

export type Steered =
  /** `as`: which way was meant. */
  | { readonly kind: "moved"; readonly move: Move; readonly message: EventMessage | null; readonly as: string }
  /** It stands and falls with its run. */
  | { readonly kind: "run" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export type Program<Defined extends Definition = Definition> = {
  readonly definition: Defined;
  readonly actions: ReadonlyMap<string, ProgramAction>;
  /** By their names, where they are not just those of the definition. */
  readonly delays?: Delays;
  /** `work`: what this step may still cost. */
  readonly begin: (variables: JsonObject, scope: Scope, work: Work, at: Instants) => Move;
  /** As it begins at a place of its own, after another that stood at `before`. */
  readonly beginAt: (
    from: Place,
    before: Position,
    variables: JsonObject,
    scope: Scope,
    work: Work,
    at: Instants,
  ) => Move;
  /** Whose actions begin again then; absent: which do is a matter of time. */
  readonly again?: (before: Position, from: Place) => ReadonlySet<string>;
  /** null: nothing in the current position takes this trigger, and no eventless transition has become possible. */
  readonly react: (
    position: Position,
    variables: JsonObject,
    type: string,
    scope: Scope,
    work: Work,
    at: Instants,
  ) => Move | null;
  /** Absent where a kind has no nodes. */
  readonly steer?: (
    position: Position,
    variables: JsonObject,
    ask: NodeAsk,
    scope: Scope,
    work: Work,
    at: Instants,
  ) => Steered;
  readonly outlook: (position: Position, type: string) => Outlook;
  /** Whether it stands where this very type is listened for; not beside the states that are meant, but where they are. */
  readonly awaits: (position: Position, type: string, near: readonly string[] | null) => boolean;
  /** What is over, in case its run is not kept any more; absent: runs tell all there is to tell. */
  readonly over?: (position: Position) => readonly Over[];
  /** Whether what was skipped or is done may have another run when its date is moved; absent: where its state is active. */
  readonly mayComeBack?: (position: Position) => boolean;
  /** Event types from outside that could still move it from here. */
  readonly waitsFor: (position: Position) => readonly string[];
  /** With what it listens where it stands: asked of whoever wants to know why nothing moves. */
  readonly listeners: (position: Position) => readonly Listener[];
  /** Absent where there are no joins. */
  readonly joins?: (position: Position) => readonly HalfJoin[];
  /** How it ended, once the position is done. */
  readonly ending: (position: Position) => "completed" | "failed" | "canceled";
  /** What is to be taken back once all that was under way has ended; absent where a kind takes nothing back. */
  readonly unwind?: (position: Position, runs: readonly Run[]) => Unwinding;
  /** What it listens for somewhere and what may come from outside. */
  readonly eventTypes: readonly string[];
  /** What moves by its ticks; absent for all other kinds. */
  readonly reconciler?: Reconciler;
};

type Looked = (position: Position, ...seen: Parameters<Program["begin"]>) => Move | null;

/** How a reconciler looks, and when. */
export type Reconciler = {
  readonly desired: JsonObject;
  readonly tickMs: number;
  /** Older than this an observation is not gone by; null: it never is too old. */
  readonly staleAfterMs: number | null;
  /** After an action, rules wait for an observation that was begun after it. */
  readonly observesAfter: boolean;
  readonly collector: Collector | null;
  /** An action under way does not keep it from shutting down. */
  readonly cancelsAction: boolean;
  /** Where it goes when it is to shut down; null: nowhere, or it is there. */
  readonly shutdown: Looked;
  /** null: nothing changes. */
  readonly tick: Looked;
  /** Whether rules there read the time. */
  readonly watches: (position: Position) => boolean;
};

/** Which action observes, and how often. */
export type Collector = {
  readonly action: string;
  readonly everyMs: number;
  readonly backoff: { readonly baseMs: number; readonly multiplier: number; readonly maxMs: number };
  /** What of its result is the observation; null: all of it. */
  readonly takes: Rule | null;
};

/** Raised by the engine after a patch; a state may listen for it, and `always` is looked at again. */
export const PATCHED = "execution.patched";
