// A program: a definition compiled for the kernel. Every kind of definition becomes a program, which turns a position
// and a trigger into a new position and commands. A program does not use runs, retries, clocks or storage.
import type { Cap } from "#schema/definition/cap.ts";
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { Window } from "#schema/definition/window.ts";
import type { JournalBody } from "#schema/engine/journal.ts";
import type { JsonObject, Rule } from "#schema/json.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Refusal } from "#schema/refusal.ts";
import type { RestartPoint, RepeatReason } from "#schema/family/restart.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Position } from "#schema/engine/state.ts";
import type { Run } from "#schema/engine/run.ts";
import type { Delays } from "../language/timing.ts";
import type { Work } from "../computing/work.ts";

/** A program's commands to the kernel, in order. */
export type ProgramCommand =
  | { readonly kind: "enter"; readonly state: string }
  /** `keepsTasks`: tasks that the actions of the state have created stay open. */
  | { readonly kind: "leave"; readonly state: string; readonly keepsTasks?: true }
  | {
      readonly kind: "act";
      readonly action: string;
      /** The state whose exit cancels the run before it has started; absent if no exit cancels the run. */
      readonly state?: string;
      readonly from?: DelayStart;
      /** Additional names in the scope of the run's rules and templates. */
      readonly given?: JsonObject;
    }
  | {
      readonly kind: "arm";
      readonly timer: string;
      readonly state: string;
      readonly expression: string;
      readonly from?: DelayStart;
      /** The event to send if the timer is skipped because its instant is past; absent if none is sent. */
      readonly onSkip?: string;
    }
  | { readonly kind: "disarm"; readonly timer: string }
  /** Cancels everything in progress: runs, timers and tasks of all states. */
  | { readonly kind: "stop"; readonly reason: string }
  /** Adds a journal entry; the command has no other effect. */
  | { readonly kind: "say"; readonly entry: ProgramEntry };

export type ProgramEntry = Extract<
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

/** An action of a program. The names of its window and cap are replaced by the window and cap themselves. */
export type ProgramAction = ActionDefinition & {
  readonly window?: Window;
  readonly cap?: Cap & { readonly name: string };
};

/**
 * The instant, in epoch ms, from which delays without an anchor count: the planned instant of the previous node. If it
 * is absent, delays count from now.
 */
type DelayStart = number;

/**
 * The two instants of an input, in epoch ms. `now`: when the input arrived. `planned`: for a timer its instant, however
 * late the timer fired. For a run, `planned` is its first due instant, even if the run was held. For an event from
 * outside, it is the same as `now`.
 */
export type Instants = { readonly now: number; readonly planned: number };

export type Move =
  | {
      readonly ok: true;
      readonly position: Position;
      readonly variables: JsonObject;
      readonly commands: readonly ProgramCommand[];
      /**
       * The states that accepted the trigger: the targets of its transition, or the transition's source if it has no
       * target. Empty if only eventless transitions were taken.
       */
      readonly took: readonly string[];
    }
  /** A fault of the definition: a rule that cannot be evaluated, an endless loop, or a step over its budget. */
  | { readonly ok: false; readonly code: "rule_fault" | "endless_loop" | "too_costly"; readonly message: string };

/**
 * The next step of a compensation. over: nothing is left to undo. stuck: an undo has failed, and an operator must retry
 * or archive it.
 */
export type CompensationMove =
  | { readonly kind: "over" | "stuck" }
  | { readonly kind: "next"; readonly position: Position; readonly commands: readonly ProgramCommand[] };

/** The scope that guards and assignments read. The program keeps `execution.variables` in it current. */
export type Scope = JsonObject;

/**
 * When a position accepts an event type. now: an active state listens, although its guard may refuse. later: only
 * states ahead listen. late: only states behind listen. unknown: no state listens.
 */
export type EventTiming = "now" | "later" | "late" | "unknown";

/** An event or timer to which a position reacts, with the guard that must be true. */
export type Listener = {
  readonly on:
    | { readonly kind: "event"; readonly type: string }
    | { readonly kind: "timer"; readonly timer: string }
    /** An eventless transition, rechecked at every input. */
    | { readonly kind: "always" };
  readonly state: string;
  readonly guard: Rule | null;
  /** JSON pointer of the guard, or of the listener itself if it has no guard. */
  readonly at: string;
  readonly to: readonly string[];
  /** Accepts only answers to the listener's own task, callback or child, not every event of the type. */
  readonly isOwn?: true;
};

/** A join that is partly reached: too few of its edges are taken so far. */
export type HalfJoin = {
  readonly node: string;
  readonly needs: number;
  readonly taken: number;
  readonly dead: number;
  /** The nodes whose edges to the join have not ended. */
  readonly from: readonly string[];
};

/** A node that has ended and that depended on a delay. */
export type EndedNode = {
  readonly node: string;
  /** The action that the node ran; null if it only waited. */
  readonly action: string | null;
  readonly delay: Delay;
  readonly how: "done" | "failed" | "skipped";
  readonly reason: string | null;
};

/** An operator's request for one node. `eventFor`: creates the event that ends a wait, from its type and run. */
export type NodeRequest = { readonly node: string } & (
  | { readonly kind: "skip"; readonly hasResult: boolean }
  | {
      readonly kind: "complete";
      /** The outcome that the operator chose; null if the node has only one outcome. */
      readonly as: string | null;
      readonly eventFor: (type: string, run: string | null) => EventMessage;
    }
);

export type NodeControl =
  /** `as`: the outcome of the node. */
  | { readonly kind: "moved"; readonly move: Move; readonly message: EventMessage | null; readonly as: string }
  /** The node is controlled through its run. */
  | { readonly kind: "run" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** How an execution ends. */
export type ProgramEnding =
  | { readonly status: "completed" }
  | { readonly status: "failed"; readonly error: ActionError }
  | { readonly status: "canceled"; readonly reason: string };

/** A compiled definition: the core of all kinds, and capabilities that are absent if a kind lacks them. */
export type Program<Defined extends Definition = Definition> = {
  readonly definition: Defined;
  readonly actions: ReadonlyMap<string, ProgramAction>;
  /** Delays by name. They include the delay objects that nodes contain. If absent, the definition's delays apply. */
  readonly delays?: Delays;
  /** The first move. `work`: the budget of the step. */
  readonly begin: (variables: JsonObject, scope: Scope, work: Work, at: Instants) => Move;
  /** The first move at a given place, for a restart of an execution whose position was `before`. */
  readonly beginAt: (
    from: RestartPoint,
    before: Position,
    variables: JsonObject,
    scope: Scope,
    work: Work,
    at: Instants,
  ) => Move;
  readonly places: Places;
  /** The move that a trigger causes. null if no transition was taken, neither for the trigger nor eventless. */
  readonly react: (
    position: Position,
    variables: JsonObject,
    type: string,
    scope: Scope,
    work: Work,
    at: Instants,
  ) => Move | null;
  readonly eventTiming: (position: Position, type: string) => EventTiming;
  /** Whether an event is refused instead of kept if only a later state listens for it. */
  readonly refusesEarly: boolean;
  /** Whether the position listens for exactly this type, in or around the states `near`; null: in any state. */
  readonly awaits: (position: Position, type: string, near: readonly string[] | null) => boolean;
  /** Types of events from outside that can still move the position. */
  readonly waitsFor: (position: Position) => readonly string[];
  /** Everything that the position listens for. Explanations show the list. */
  readonly listeners: (position: Position) => readonly Listener[];
  /** How the execution ends when its position is done. `where`: the names of its states, for the error. */
  readonly ending: (position: Position, where: string) => ProgramEnding;
  /** Types of events from outside for which any state or node listens. */
  readonly eventTypes: readonly string[];
  readonly nodes?: Nodes;
  readonly undo?: Undo;
  readonly ticks?: Ticks;
};

/** The states or nodes at which an execution can begin. */
export type Places = {
  readonly field: "state" | "node";
  readonly names: () => readonly string[];
  /** The type of a state or node at which an execution cannot begin; null if it can begin there. */
  readonly excludes: (name: string) => string | null;
  /** Whether the position belongs to this program's kind of definition. */
  readonly hasPosition: (position: Position) => boolean;
};

/** The capability of programs that are graphs of nodes, each of which begins and ends independently. */
export type Nodes = {
  readonly controlNode: (
    position: Position,
    variables: JsonObject,
    ask: NodeRequest,
    scope: Scope,
    work: Work,
    at: Instants,
  ) => NodeControl;
  /** Nodes that have ended and had a delay. They replace runs that the execution no longer stores. */
  readonly endedNodes: (position: Position) => readonly EndedNode[];
  /** Whether a skipped or completed node can run again when its date is moved. */
  readonly mayReactivate: (position: Position) => boolean;
  readonly joins: (position: Position) => readonly HalfJoin[];
  /** Actions that start again at a restart. */
  readonly restartedActions: (before: Position, from: RestartPoint) => ReadonlySet<string>;
  /** Whether the node of that name runs its action once for each item of a list. */
  readonly isRepeated: (node: string) => boolean;
};

/**
 * The capability of programs that undo their effects. Called when everything in progress has ended; returns the next
 * undo.
 */
export type Undo = (position: Position, runs: readonly Run[]) => CompensationMove;

type TickFunction = (position: Position, ...seen: Parameters<Program["begin"]>) => Move | null;

/** The capability of programs that check their rules at intervals, and move only at these ticks. */
export type Ticks = {
  readonly desired: JsonObject;
  readonly tickMs: number;
  /** The age in ms from which an observation is ignored; null if an observation never expires. */
  readonly staleAfterMs: number | null;
  /** Whether the rules wait, after an action has ended, for an observation that started after that end. */
  readonly observesAfter: boolean;
  readonly collector: Collector | null;
  /** Whether a shutdown cancels an action in progress; if not, the shutdown waits for the action's end. */
  readonly cancelsAction: boolean;
  /** The move of the shutdown; null if the definition has no shutdown, or if the shutdown is complete. */
  readonly shutdown: TickFunction;
  /** The move of a tick; null if nothing changes. */
  readonly tick: TickFunction;
  /** Whether rules of the position's state read the time; a tick may then act without a changed input. */
  readonly watches: (position: Position) => boolean;
  /** The reason that is reported for each action that a restart repeats. */
  readonly repeats: RepeatReason;
};

/** The action that makes observations, and the interval of its runs. */
export type Collector = {
  readonly action: string;
  readonly everyMs: number;
  readonly backoff: { readonly baseMs: number; readonly multiplier: number; readonly maxMs: number };
  /** The rule that selects the observation from the action's result; null if the whole result is the observation. */
  readonly observationRule: Rule | null;
};

/**
 * The event that the engine raises after a patch of variables. States may listen for it, and it rechecks eventless
 * transitions.
 */
export const PATCHED = "execution.patched";
