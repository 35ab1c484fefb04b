// A program: a definition compiled for the kernel. Each kind of definition becomes a program. A program turns a
// position and a trigger into a new position and commands. It does not use runs, retries, clocks or storage.
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { JsonObject, Rule } from "#schema/json.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Refusal } from "#schema/refusal.ts";
import type { RestartPoint, RepeatReason } from "#schema/family/restart.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { NodeStatus, Position } from "#schema/engine/state.ts";
import type { Run } from "#schema/engine/run.ts";
import type { Delays } from "../language/timing.ts";
import type { Work } from "../computing/work.ts";
import type { ProgramCommand } from "./program-commands.ts";

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
       * The states that accepted the trigger: the targets of its transition, or the source of a transition without a
       * target. Empty if only eventless transitions were taken.
       */
      readonly took: readonly string[];
    }
  /** A fault of the definition: a rule that cannot be evaluated, an endless loop, or a step over its budget. */
  | { readonly ok: false; readonly code: "rule_fault" | "endless_loop" | "too_costly"; readonly message: string };

/**
 * The next step of a compensation. over: nothing is left to undo. stuck: an undo has failed, so the compensation waits
 * until an operator retries or archives it.
 */
export type CompensationMove =
  | { readonly kind: "over" | "stuck" }
  | { readonly kind: "next"; readonly position: Position; readonly commands: readonly ProgramCommand[] };

/** The scope that guards and assignments read. During a move the program updates `execution.variables` in it. */
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
    /** A listener on an eventless transition, which is checked again at every input. */
    | { readonly kind: "always" };
  readonly state: string;
  readonly guard: Rule | null;
  /** JSON pointer of the guard, or of the listener itself if it has no guard. */
  readonly at: string;
  readonly to: readonly string[];
  /** True if only answers to the listener's own task, callback or child are accepted. */
  readonly isOwn?: true;
};

/** A join that needs more taken edges than it has so far. */
export type HalfJoin = {
  readonly node: string;
  readonly needs: number;
  readonly taken: number;
  readonly dead: number;
  /** The nodes whose edges to the join are still open. */
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

/**
 * An operator's request to skip or complete one node. `eventFor`: builds the event that ends the node's wait, from an
 * event type and a run.
 */
export type NodeRequest = { readonly node: string } & (
  | { readonly kind: "skip"; readonly hasResult: boolean }
  | {
      readonly kind: "complete";
      /** The outcome that the operator chose; null is allowed only if the node has a single outcome. */
      readonly as: string | null;
      readonly eventFor: (type: string, run: string | null) => EventMessage;
    }
);

export type NodeControl =
  /** The verb was applied to the node. `as`: the outcome of the node. */
  | { readonly kind: "moved"; readonly move: Move; readonly message: EventMessage | null; readonly as: string }
  /** The caller must skip or complete the node's run instead. */
  | { readonly kind: "run" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** How an execution ends. */
export type ProgramEnding =
  | { readonly status: "completed" }
  | { readonly status: "failed"; readonly error: ActionError }
  | { readonly status: "canceled"; readonly reason: string };

/** A compiled definition. Every kind has the core fields; a capability is absent if the kind does not have it. */
export type Program<Defined extends Definition = Definition> = {
  readonly definition: Defined;
  readonly actions: ReadonlyMap<string, ProgramAction>;
  /** All delays by name, also those inside nodes. If absent, the definition's own delays apply. */
  readonly delays?: Delays;
  /** The first move. `work`: the budget of the step. */
  readonly begin: (variables: JsonObject, scope: Scope, work: Work, at: Instants) => Move;
  /** The first move of a restart, at the given state or node. `before`: the last position of the earlier execution. */
  readonly beginAt: (
    from: RestartPoint,
    before: Position,
    variables: JsonObject,
    scope: Scope,
    work: Work,
    at: Instants,
  ) => Move;
  readonly places: Places;
  /** The move that a trigger causes. null if no transition is taken, not even an eventless one. */
  readonly react: (
    position: Position,
    variables: JsonObject,
    type: string,
    scope: Scope,
    work: Work,
    at: Instants,
  ) => Move | null;
  readonly eventTiming: (position: Position, type: string) => EventTiming;
  /** If only a later state listens for an event: true refuses the event, false keeps it. */
  readonly refusesEarly: boolean;
  /** Whether this exact type is listened for in or around the states `near`; null: anywhere. */
  readonly awaits: (position: Position, type: string, near: readonly string[] | null) => boolean;
  /** Types of events from outside that can still move the position. */
  readonly waitsFor: (position: Position) => readonly string[];
  /** Everything that the position listens for. Explanations show the list. */
  readonly listeners: (position: Position) => readonly Listener[];
  /** How the execution ends when its position is done. `where`: the active states, for the error. */
  readonly ending: (position: Position, where: string) => ProgramEnding;
  /** Types of events from outside for which any state or node listens. */
  readonly eventTypes: readonly string[];
  readonly nodes?: Nodes;
  readonly undo?: Undo;
  readonly ticks?: Ticks;
  /** Only before the first move: the program that makes this move. */
  readonly whole?: Program;
};

/** The states or nodes at which an execution can begin. */
export type Places = {
  readonly field: "state" | "node";
  readonly names: () => readonly string[];
  /** The type of a state or node at which an execution cannot begin; null if it can begin there. */
  readonly excludes: (name: string) => string | null;
  /** Whether a stored position has the shape of this program's kind of definition. */
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
  /**
   * The position of an execution that has failed or was canceled. Nodes in progress are skipped with this reason. Nodes that have failed
   * stay where they are.
   */
  readonly close: (position: Position, reason: string) => Position;
  /**
   * The position after a run of an ended execution has sent the event `type`. A success turns its node into a done one.
   * null if the position does not change.
   */
  readonly recordLateResult: (position: Position, type: string) => Position | null;
  /** Nodes that have ended and had a delay, which a moved date may change. Their runs may no longer be stored. */
  readonly endedNodes: (position: Position) => readonly EndedNode[];
  /** Whether a skipped or completed node may run again after its date was moved. */
  readonly mayReactivate: (position: Position) => boolean;
  /** The position after a moved date has started the action of an ended node again. The node is in progress again. */
  readonly reactivate: (position: Position, node: string) => Position;
  readonly joins: (position: Position) => readonly HalfJoin[];
  /** The actions that a restart at `from` starts again. `before`: the earlier execution's position. */
  readonly restartedActions: (before: Position, from: RestartPoint) => ReadonlySet<string>;
  /** The status of a node. null if there is no node of that name. */
  readonly statusOf: (position: Position, node: string) => NodeStatus | null;
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
  /** The rules that derive fields of the desired state from the variables. Empty if no field is derived. */
  readonly deriveDesired: { readonly [field: string]: Rule };
  readonly tickMs: number;
  /** The age in ms from which rules ignore an observation; null if there is no such age. */
  readonly staleAfterMs: number | null;
  /** Whether rules, after an action has ended, wait for an observation that was started later. */
  readonly observesAfter: boolean;
  /** Whether rules or templates read the status of the action as `observed.actionStatus`. */
  readonly aliasesAction: boolean;
  readonly collector: Collector | null;
  /** Whether a shutdown cancels an action in progress; if not, the shutdown waits for the action's end. */
  readonly cancelsAction: boolean;
  /** The first move of the shutdown; null if there is no shutdown, or if it has already started. */
  readonly shutdown: TickFunction;
  /** The move of a tick; null if nothing changes. */
  readonly tick: TickFunction;
  /** Whether rules of the current state may cancel an action in progress. */
  readonly interrupts: (position: Position) => boolean;
  /** The move that replaces an action in progress; null if the action continues. */
  readonly interrupt: TickFunction;
  /** Whether rules of the current state read the time, so that a tick may act without new input. */
  readonly watches: (position: Position) => boolean;
  /** The reason that a restart reports for every action that it repeats. */
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
 * The event that the engine sends to the program after a patch of the variables. States may listen for this event. It
 * also makes the program check its eventless transitions again.
 */
export const PATCHED = "execution.patched";
