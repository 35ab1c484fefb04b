// Execution state: all that the kernel knows of one execution, as plain JSON in one row.
import type { SubjectRef } from "./about.ts";
import type { OwnTask } from "./own-task.ts";
import type { Ending, OwnChild, Parent } from "./child.ts";
import type { DefinitionRef } from "../definition/definition.ts";
import type { Placement } from "../definition/head.ts";
import type { Correlation } from "./correlation.ts";
import type { EventMessage } from "./event.ts";
import type { StartedBy } from "../inbound/started-by.ts";
import type { JsonObject, Json } from "../json.ts";
import type { OutboxMessage } from "./outbox.ts";
import type { ActionError } from "./outcome.ts";
import type { Reconciling } from "./reconciling.ts";
import type { RestartOf } from "../family/restart.ts";
import type { Run } from "./run.ts";
import type { RunReport } from "../reports/run-report.ts";
import type { StartPlace } from "../key-limits/start-place.ts";
import type { Standalone } from "../definition/standalone.ts";

export const executionStatuses = ["active", "waiting", "paused", "completed", "failed", "canceled"] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

export const STATE_VERSION = 1;

/** A machine's position: the value and history that XState defines, and the paths of the innermost active states. */
export type MachinePosition = {
  readonly kind: "machine";
  readonly value: Json;
  readonly history: { readonly [stateId: string]: readonly string[] };
  readonly states: readonly string[];
  readonly done: boolean;
};

/**
 * pending: more incoming edges must be taken before the node begins. waiting: the node has begun and has not ended. Its
 * runs show its progress.
 */
export const nodeStatuses = ["pending", "waiting", "done", "failed", "skipped"] as const;
export type NodeStatus = (typeof nodeStatuses)[number];

/** The progress of one journey node. A node that was never reached has no `NodeMark`. */
export type NodeMark = {
  readonly status: NodeStatus;
  /** Why the node was skipped or failed. */
  readonly reason?: string;
  /** How many incoming edges were taken. `dead`: how many can no longer be taken. */
  readonly taken?: number;
  readonly dead?: number;
  /** When the node was reached, in epoch ms. */
  readonly since?: number;
  /** When the node's end is planned, in epoch ms. The delays of its next nodes count from this time. */
  readonly planned?: number;
  /** True if a moved date has reactivated the node after its end. Its outgoing edges stay as they ended. */
  readonly isBack?: true;
  /** The way in which an operator has decided that the node ends when it is reached. */
  readonly decided?: string;
  /** True if every taken edge comes from a node that was skipped because its instant was past. */
  readonly isPast?: true;
  /** The edge that the journey took out of the node: `next`, `failed`, `timeout`, `for/0`, `cases/1`, `ways/b`. */
  readonly way?: string;
  /**
   * The position of the node in the order in which nodes ended. Absent until the node has ended and its outgoing edges
   * are decided.
   */
  readonly ended?: number;
  /** The progress of the repetitions. Only an `each` node has it. */
  readonly each?: Repeating;
  /** The id of a run whose action is done. The node waits for the event that this run causes. */
  readonly awaits?: string;
  /** The result of the node's action. It is stored only if the node can be compensated. */
  readonly result?: Json;
  /** True: an operator has requested that the node be skipped when it is reached. */
  readonly unwanted?: true;
};

/** The repetitions of an `each` node: how many have begun, and how they ended. */
export type Repeating = {
  readonly of: number;
  /** The items of the list when the node was reached. Absent if the node has a fixed number of repetitions. */
  readonly items?: readonly Json[];
  readonly begun: number;
  readonly done: number;
  readonly skipped: number;
  /** The indexes of the repetitions that failed permanently. */
  readonly failed: readonly number[];
};

/** The cause that ended the whole journey: the name of an exit node, or `exitWhen/<n>` for a goal. */
export type JourneyExit = {
  readonly by: string;
  readonly at: number;
  readonly outcome: "completed" | "failed" | "canceled";
  /** True: the completed nodes are compensated after the exit. */
  readonly compensates?: true;
  /**
   * The compensation in progress. `left`: the nodes that are still to be compensated, in order. `at`: the node that is
   * compensated now. Absent if no compensation is in progress.
   */
  readonly undoing?: { readonly left: readonly string[]; readonly at: string | null };
};

/** A journey's position: one mark per node. */
export type JourneyPosition = {
  readonly kind: "journey";
  readonly nodes: { readonly [name: string]: NodeMark };
  /** The nodes that were reached and have not ended, in the order in which they were reached. */
  readonly states: readonly string[];
  readonly done: boolean;
  /** The number of nodes that have ended. The next node that ends stores this number as `NodeMark.ended`. */
  readonly endings: number;
  /** How many nodes are done, skipped and failed, and how many nodes the journey has. Exit nodes are not counted. */
  readonly counts: { readonly done: number; readonly skipped: number; readonly failed: number; readonly of: number };
  /** Events that no node has accepted yet, but that a later node of the journey may accept. */
  readonly kept: readonly EventMessage[];
  readonly exit?: JourneyExit;
};

/** A reconciler's position: its state, since when it is in the state, and why. */
export type ReconcilerPosition = {
  readonly kind: "reconciler";
  readonly state: string;
  /** A list with one element: the path of the state. */
  readonly states: readonly string[];
  readonly since: number;
  readonly reason: string;
  readonly done: boolean;
  /** True: a rule has reported that the reconciled thing is removed. The execution has therefore ended. */
  readonly removed?: true;
  /** How many times the reconciler was restarted. Absent: 0. */
  readonly restarts?: number;
};
export type Position = MachinePosition | JourneyPosition | ReconcilerPosition;

/** Returns the exit that ended the journey. Returns undefined if no exit did, or if the execution is not a journey. */
export function exitOf(position: Position): JourneyExit | undefined {
  return "exit" in position ? position.exit : undefined;
}

/**
 * The cause of runs: an event, with the states before and after it. It is stored so that later guards and templates of
 * these runs read the same values.
 */
export type Trigger = {
  readonly seq: number;
  readonly message: EventMessage | null;
  readonly previousState: string | null;
  readonly currentState: string;
};

export type Timer = {
  readonly id: string;
  /**
   * after: the timer causes a transition out of its state. cron: the timer starts a run of `action` at each occurrence
   * while the state is active.
   */
  readonly kind: "after" | "cron";
  readonly state: string;
  /** The delay or schedule as the definition has it: milliseconds, a duration, a delay's name, or a cron expression. */
  readonly expression: string;
  readonly action: string | null;
  readonly armedAt: number;
  /** When the timer fires, in epoch ms. Null while this instant depends on a variable without a value. */
  readonly at: number | null;
  /**
   * The planned instant of the timer in epoch ms. It is set if the delay counts from an earlier planned instant and had
   * already ended when the timer was armed.
   */
  readonly planned?: number;
  /** The instant from which the delay counts, in epoch ms. Set only if its zone is a rule. Absent: `armedAt`. */
  readonly countsFrom?: number;
  /** The event that is sent instead if a moved date makes the timer's instant past. Absent: none is sent. */
  readonly onSkip?: string;
  readonly trigger: number;
  /** True: an operator set the timer's instant. A change of variables then no longer changes it. */
  readonly rescheduled?: true;
};

/** A timer that was not armed, because its instant had already passed when its state was entered. */
export type PassedTimer = Pick<Timer, "id" | "state" | "expression">;

/** The kind of request that used a key or an id. Requests of different kinds may use the same key. */
export type ReceiptKind = "start" | "event" | "verb";

export type Receipt = {
  readonly inputId: string;
  readonly fingerprint: string;
  readonly seq: number;
  /** The kind of request that used the key. Absent if the engine generated the id. */
  readonly kind?: ReceiptKind;
  /** True: the engine generated the id, so no client can repeat the request. */
  readonly unkeyed?: true;
};

/**
 * Older receipts. Each is shortened to a digest, and all digests of a group are one text. After `until` (epoch ms) the
 * whole group is deleted.
 */
export type OlderReceipts = { readonly until: number; readonly digests: string };

/** An event that the execution stores for later. It is paused, or no state accepts the event yet. */
export type BufferedEvent = {
  readonly message: EventMessage;
  readonly origin: "outside" | "run";
  /**
   * When an event from outside was buffered, in epoch ms. After a pause, events are replayed in the order of this time.
   * Events without it are replayed first.
   */
  readonly at?: number;
  /** The planned instant of the event in epoch ms. Absent: the time of its arrival. */
  readonly planned?: number;
};

/** The status of the last run, as the action executor pattern defines it. Guards read it as `action`. */
export type ActionStatus = {
  readonly inProgress: boolean;
  readonly actionName: string;
  readonly startedAt: number | null;
  readonly succeeded: boolean;
  readonly failed: boolean;
  readonly errorMessage: string | null;
  readonly retries: number;
  readonly delivery?: RunReport; // the latest report about the action's message
};

export type ExecutionState = {
  readonly v: typeof STATE_VERSION;
  readonly id: string;
  readonly tenant: string;
  readonly namespace: string;
  readonly definition: DefinitionRef;
  readonly placement: Placement;
  readonly correlationId: string | null;
  readonly status: ExecutionStatus;
  readonly position: Position;
  readonly variables: JsonObject;
  /** The number of inputs that have changed the execution. It orders journal entries and projections. */
  readonly seq: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly finishedAt: number | null;
  readonly pausedAt: number | null;
  readonly reason: string | null;
  readonly error: ActionError | null;
  readonly runs: readonly Run[];
  readonly triggers: readonly Trigger[];
  readonly timers: readonly Timer[];
  readonly buffer: readonly BufferedEvent[];
  readonly lastAction: ActionStatus | null;
  /**
   * How many runs have failed permanently so far, and the message of the last such failure. Retries and archiving do not
   * change it. Absent if none has failed.
   */
  readonly errors?: { readonly count: number; readonly last: string };
  readonly receipts: readonly Receipt[];
  /** Older receipts. The groups that are deleted first are at the front. Absent if all receipts are stored in full. */
  readonly olderReceipts?: readonly OlderReceipts[];
  /** When the oldest change was made that is not projected yet, in epoch ms. Null if all changes are projected. */
  readonly unprojectedSince: number | null;
  /** When the full history may be deleted, in epoch ms. Null while the execution has not ended. */
  readonly retainUntil: number | null;
  /** The execution that started this one. Absent if no execution did. */
  readonly parent?: Parent;
  /** The earlier execution that this one continues. Absent if this execution is no restart. */
  readonly restartOf?: RestartOf;
  /** The children that have not ended. Absent if the execution has never started a child. */
  readonly children?: readonly OwnChild[];
  /** Set while the execution has ended except for its children. */
  readonly ending?: Ending;
  /** The execution's subject. Absent if its definition declares none. */
  readonly subject?: SubjectRef;
  /** The trigger that started the execution. Absent if no trigger did. */
  readonly startedBy?: StartedBy;
  /** The progress at the limits on starts. Absent if the definition has none. */
  readonly startPlace?: StartPlace;
  /**
   * Timers that were not armed because their instant had passed. If a variable changes to a later date, they are armed.
   * Absent if there are none.
   */
  readonly passed?: readonly PassedTimer[];
  /** When each timer was first armed (epoch ms), by timer, for delays that count from this instant. Absent if none do. */
  readonly firsts?: { readonly [timer: string]: number };
  /** The messages that are sent again until their recipients confirm them. Absent if there was never a message. */
  readonly outbox?: readonly OutboxMessage[];
  /** The open tasks that the execution has created. Absent if it has never created a task. */
  readonly tasks?: readonly OwnTask[];
  /** The execution's correlation key. Absent if the definition has no `correlation`. */
  readonly correlation?: Correlation;
  /** The data that only a reconciler has. Absent for other kinds of executions. */
  readonly reconciling?: Reconciling;
  /** The standalone action. Absent if the execution uses a tenant's definition. */
  readonly standalone?: Standalone;
  /** Set in the placeholder of an execution that the engine cannot step. Only a cancellation uses it. */
  readonly standsIn?: { readonly reason: string; readonly since: number };
};

export function isFinalStatus(status: ExecutionStatus): boolean {
  return status === "completed" || status === "failed" || status === "canceled";
}
