// A program: a definition compiled for the kernel. For every kind, it turns a position and a trigger into a new
// position and commands. It does not use runs, retries, clocks or storage.
import type { Cap } from "#schema/definition/cap.ts";
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { Window } from "#schema/definition/window.ts";
import type { JournalBody } from "#schema/engine/journal.ts";
import type { JsonObject, Rule } from "#schema/json.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Refusal } from "#schema/refusal.ts";
import type { Place, RepeatReason } from "#schema/family/restart.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Position } from "#schema/engine/state.ts";
import type { Run } from "#schema/engine/run.ts";
import type { Delays } from "../language/timing.ts";
import type { Work } from "../computing/work.ts";

/** A program's commands to the kernel, in order. */
export type ProgramCommand =
  | { readonly kind: "enter"; readonly state: string }
  /** `keepsTasks`: tasks that its actions created stay open. */
  | { readonly kind: "leave"; readonly state: string; readonly keepsTasks?: true }
  | {
      readonly kind: "act";
      readonly action: string;
      /** The state whose exit cancels it before it has started; absent if none does. */
      readonly state?: string;
      readonly from?: From;
      /** Additional names in the scope of its rules and templates. */
      readonly given?: JsonObject;
    }
  | {
      readonly kind: "arm";
      readonly timer: string;
      readonly state: string;
      readonly expression: string;
      readonly from?: From;
      /** The event to send if its instant is past and it is not to run then; absent if none is sent. */
      readonly onSkip?: string;
    }
  | { readonly kind: "disarm"; readonly timer: string }
  /** Cancels everything in progress: runs, timers and tasks of all states. */
  | { readonly kind: "stop"; readonly reason: string }
  /** Adds a journal entry only. */
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

/** An action of a program; names in journey nodes (windows, caps) are resolved. */
export type ProgramAction = ActionDefinition & {
  readonly window?: Window;
  readonly cap?: Cap & { readonly name: string };
};

/** The instant that delays without an anchor count from: the planned instant of the previous node. Absent: now. */
type From = number;

/**
 * `now`: when the input arrived. `planned`: for a timer its instant, however late it fired; for a run its first due
 * instant, even if it was held; for an event from outside the same as `now`.
 */
export type Instants = { readonly now: number; readonly planned: number };

export type Move =
  | {
      readonly ok: true;
      readonly position: Position;
      readonly variables: JsonObject;
      readonly commands: readonly ProgramCommand[];
      /**
       * The targets of the transition that the trigger took, or its source if it has none; empty if only eventless
       * transitions were taken.
       */
      readonly took: readonly string[];
    }
  /** A fault of the definition: a rule that cannot be evaluated, an endless loop, or a step over its budget. */
  | { readonly ok: false; readonly code: "rule_fault" | "endless_loop" | "too_costly"; readonly message: string };

/** over: nothing is left. stuck: an undo has failed, and an operator decides. */
export type Unwinding =
  | { readonly kind: "over" | "stuck" }
  | { readonly kind: "next"; readonly position: Position; readonly commands: readonly ProgramCommand[] };

/** The scope of guards and assignments; the program keeps `execution.variables` current. */
export type Scope = JsonObject;

/** now: an active handler exists (its guard may refuse). later, late: only ahead, or only behind. unknown: nowhere. */
export type EventTiming = "now" | "later" | "late" | "unknown";

/** Something that a position reacts to, with the rule that allows it. */
export type Listener = {
  readonly on:
    | { readonly kind: "event"; readonly type: string }
    | { readonly kind: "timer"; readonly timer: string }
    /** Rechecked at every input. */
    | { readonly kind: "always" };
  readonly state: string;
  readonly guard: Rule | null;
  /** JSON pointer of the rule, or of the listener if it has no rule. */
  readonly at: string;
  readonly to: readonly string[];
  /** Only events about the listener's own question, not every event of the type. */
  readonly isOwn?: true;
};

/** A join that some edges have reached, but not enough of them. */
export type HalfJoin = {
  readonly node: string;
  readonly needs: number;
  readonly taken: number;
  readonly dead: number;
  /** The nodes whose edges to it are still open. */
  readonly from: readonly string[];
};

/** A node that has ended, and that depended on a delay. */
export type Over = {
  readonly node: string;
  /** The action that it ran; null if it only waited. */
  readonly action: string | null;
  readonly delay: Delay;
  readonly how: "done" | "failed" | "skipped";
  readonly reason: string | null;
};

/** An operator's request for one node. `told`: creates the message that ends a wait, from its type and run. */
export type NodeAsk = { readonly node: string } & (
  | { readonly kind: "skip"; readonly hasResult: boolean }
  | {
      readonly kind: "complete";
      /** The chosen way; null if there is only one. */
      readonly as: string | null;
      readonly told: (type: string, run: string | null) => EventMessage;
    }
);

export type NodeControl =
  /** `as`: the way taken. */
  | { readonly kind: "moved"; readonly move: Move; readonly message: EventMessage | null; readonly as: string }
  /** The node is controlled through its run. */
  | { readonly kind: "run" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** How an execution ends. */
export type ProgramEnding =
  | { readonly status: "completed" }
  | { readonly status: "failed"; readonly error: ActionError }
  | { readonly status: "canceled"; readonly reason: string };

/** The core that all kinds have, and the capabilities that only some have: absent where a kind lacks one. */
export type Program<Defined extends Definition = Definition> = {
  readonly definition: Defined;
  readonly actions: ReadonlyMap<string, ProgramAction>;
  /** By name; differs from the definition's delays if nodes contain some. */
  readonly delays?: Delays;
  /** `work`: the budget of this step. */
  readonly begin: (variables: JsonObject, scope: Scope, work: Work, at: Instants) => Move;
  /** The start at a given place, for a restart of an execution whose position was `before`. */
  readonly beginAt: (
    from: Place,
    before: Position,
    variables: JsonObject,
    scope: Scope,
    work: Work,
    at: Instants,
  ) => Move;
  readonly places: Places;
  /** null if the position has no transition for the trigger, and no eventless transition became possible. */
  readonly react: (
    position: Position,
    variables: JsonObject,
    type: string,
    scope: Scope,
    work: Work,
    at: Instants,
  ) => Move | null;
  readonly eventTiming: (position: Position, type: string) => EventTiming;
  /** Whether an event that only a later state listens for is refused instead of kept. */
  readonly refusesEarly: boolean;
  /** Whether the position listens for exactly this type, in the given states or around them. */
  readonly awaits: (position: Position, type: string, near: readonly string[] | null) => boolean;
  /** Event types from outside that can still move the position. */
  readonly waitsFor: (position: Position) => readonly string[];
  /** Everything that the position listens for, for explanations. */
  readonly listeners: (position: Position) => readonly Listener[];
  /** How the execution ends, once the position is done. `where`: the names of its states. */
  readonly ending: (position: Position, where: string) => ProgramEnding;
  /** Types from outside that any of its states or nodes listens for. */
  readonly eventTypes: readonly string[];
  readonly nodes?: Nodes;
  readonly undo?: Undo;
  readonly ticks?: Ticks;
};

/** Where an execution can begin. */
export type Places = {
  readonly field: "state" | "node";
  readonly names: () => readonly string[];
  /** The type of a place that cannot be a start; null for all others. */
  readonly excludes: (name: string) => string | null;
  /** Whether a position is one of this program's kind. */
  readonly areOf: (position: Position) => boolean;
};

/** The capability of programs that are graphs of nodes, each of which begins and ends on its own. */
export type Nodes = {
  readonly controlNode: (
    position: Position,
    variables: JsonObject,
    ask: NodeAsk,
    scope: Scope,
    work: Work,
    at: Instants,
  ) => NodeControl;
  /** Nodes that have ended, for runs that are no longer stored. */
  readonly over: (position: Position) => readonly Over[];
  /** Whether a skipped or completed node can run again when its date is moved. */
  readonly mayComeBack: (position: Position) => boolean;
  readonly joins: (position: Position) => readonly HalfJoin[];
  /** Actions that start again at a restart. */
  readonly again: (before: Position, from: Place) => ReadonlySet<string>;
  /** Whether the node of that name runs its action once for each item of a list. */
  readonly isRepeated: (node: string) => boolean;
};

/** The capability of programs that undo what they have done: the next undo, once everything in progress has ended. */
export type Undo = (position: Position, runs: readonly Run[]) => Unwinding;

type Looked = (position: Position, ...seen: Parameters<Program["begin"]>) => Move | null;

/** The capability of programs that check their rules at intervals and move by these ticks alone. */
export type Ticks = {
  readonly desired: JsonObject;
  readonly tickMs: number;
  /** An observation older than this is not used; null if it never expires. */
  readonly staleAfterMs: number | null;
  /** After an action, rules wait for an observation that started later. */
  readonly observesAfter: boolean;
  readonly collector: Collector | null;
  /** Whether shutdown proceeds although an action is in progress. */
  readonly cancelsAction: boolean;
  /** The target of the shutdown; null if there is none, or if it is reached. */
  readonly shutdown: Looked;
  /** null if nothing changes. */
  readonly tick: Looked;
  /** Whether rules of that state read the time. */
  readonly watches: (position: Position) => boolean;
  /** Why a restart repeats all its actions. */
  readonly repeats: RepeatReason;
};

/** The action that observes, and its interval. */
export type Collector = {
  readonly action: string;
  readonly everyMs: number;
  readonly backoff: { readonly baseMs: number; readonly multiplier: number; readonly maxMs: number };
  /** The part of its result that is the observation; null for all of it. */
  readonly takes: Rule | null;
};

/** The engine raises it after a patch; a state may listen for it, and `always` is rechecked. */
export const PATCHED = "execution.patched";
