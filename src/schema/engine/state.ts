// Execution state: everything that the kernel knows of one execution, as plain JSON in one row.
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
import type { Standalone } from "../definition/standalone.ts";

export const executionStatuses = ["active", "waiting", "paused", "completed", "failed", "canceled"] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

export const STATE_VERSION = 1;

/** A machine's position: XState's value and history, and the paths of the innermost active states. */
export type MachinePosition = {
  readonly kind: "machine";
  readonly value: Json;
  readonly history: { readonly [stateId: string]: readonly string[] };
  readonly states: readonly string[];
  readonly done: boolean;
};

/**
 * pending: further incoming edges must be taken before the node begins. waiting: the node has begun and has not ended;
 * its runs show its progress.
 */
export type NodeStatus = "pending" | "waiting" | "done" | "failed" | "skipped";

/** The progress of one journey node. A node that was never reached has no mark. */
export type NodeMark = {
  readonly status: NodeStatus;
  /** Why the node was skipped or failed. */
  readonly reason?: string;
  /** The number of incoming edges that were taken. `dead`: the number of incoming edges that can no longer be taken. */
  readonly taken?: number;
  readonly dead?: number;
  /** When the node was reached, in epoch ms. */
  readonly since?: number;
  /** The planned end of the node, in epoch ms. The delays of its next nodes count from this time. */
  readonly planned?: number;
  /** The edge that was taken out of the node: `next`, `failed`, `timeout`, `for/0`, `cases/1`, `ways/b`. */
  readonly way?: string;
  /** The position of the node among the ended nodes; absent until its outgoing edges are decided. */
  readonly ended?: number;
  /** The progress of an `each` node's repetitions. */
  readonly each?: Repeating;
  /** The id of the run whose event the node waits for. The run's action is already done. */
  readonly awaits?: string;
  /** The result of the node's action; set only if the node can be compensated. */
  readonly result?: Json;
  /** True: an operator has requested to skip the node when it is reached. */
  readonly unwanted?: true;
};

/** The repetitions of an `each` node: how many have begun, and how they ended. */
export type Repeating = {
  readonly of: number;
  /** The items of the list when the node was reached; absent for a fixed number of repetitions. */
  readonly items?: readonly Json[];
  readonly begun: number;
  readonly done: number;
  readonly skipped: number;
  /** The indexes of the repetitions that failed permanently. */
  readonly failed: readonly number[];
};

/** The cause that ended the whole journey: the name of an exit node, or `exitWhen/<n>`. */
export type JourneyExit = {
  readonly by: string;
  readonly at: number;
  readonly outcome: "completed" | "failed" | "canceled";
  /** True: the completed nodes are compensated. */
  readonly compensates?: true;
  /**
   * The compensation in progress: the nodes that are still to be compensated, in order, and the current node (`at`).
   * Absent if no node is compensated.
   */
  readonly undoing?: { readonly left: readonly string[]; readonly at: string | null };
};

/** A journey's position: one mark per node. */
export type JourneyPosition = {
  readonly kind: "journey";
  readonly nodes: { readonly [name: string]: NodeMark };
  /** The nodes that were reached and have not ended, in the order of reaching. */
  readonly states: readonly string[];
  readonly done: boolean;
  /** The number of nodes that have ended. The next node that ends gets this number as `NodeMark.ended`. */
  readonly endings: number;
  /** How many nodes are done, skipped and failed, and how many the journey has. Exit nodes are not counted. */
  readonly counts: { readonly done: number; readonly skipped: number; readonly failed: number; readonly of: number };
  /** Events that no node has accepted yet, but that a later node may accept. */
  readonly kept: readonly EventMessage[];
  readonly exit?: JourneyExit;
};

/** A reconciler's position: its state, since when, and why. */
export type ReconcilerPosition = {
  readonly kind: "reconciler";
  readonly state: string;
  /** The path of the state, as a list with one element. */
  readonly states: readonly string[];
  readonly since: number;
  readonly reason: string;
  readonly done: boolean;
  /** True: a rule has reported the reconciled thing as removed, so the execution has ended. */
  readonly removed?: true;
  /** How many times the reconciler was restarted. Absent: 0. */
  readonly restarts?: number;
};
export type Position = MachinePosition | JourneyPosition | ReconcilerPosition;

/** Returns the exit that ended the journey. Returns undefined if no exit did, or if the execution is no journey. */
export function exitOf(position: Position): JourneyExit | undefined {
  return "exit" in position ? position.exit : undefined;
}

/**
 * The cause of runs: an event and the states before and after it. It is stored, so that later guards and templates read
 * the same values.
 */
export type Trigger = {
  readonly seq: number;
  readonly message: EventMessage | null;
  readonly previousState: string | null;
  readonly currentState: string;
};

export type Timer = {
  readonly id: string;
  /** after: leaves a state. cron: starts a run of `action` at each occurrence while the state is active. */
  readonly kind: "after" | "cron";
  readonly state: string;
  /** The expression in the definition: milliseconds, a duration, a delay's name, or a cron expression. */
  readonly expression: string;
  readonly action: string | null;
  readonly armedAt: number;
  /** When the timer fires, in epoch ms; null while this instant depends on a variable without a value. */
  readonly at: number | null;
  /**
   * The planned instant of the timer in epoch ms. It is set if the delay counts from an earlier planned instant, and so
   * was already over.
   */
  readonly planned?: number;
  readonly trigger: number;
  /** True: an operator set the timer's instant. A change of variables no longer changes it. */
  readonly rescheduled?: true;
};

/** A timer that was not armed, because its instant had passed when its state was entered. */
export type PassedTimer = Pick<Timer, "id" | "state" | "expression">;

/** The kind of request for which a key or an id was used. The same key may be used once for each kind. */
export type ReceiptKind = "start" | "event" | "verb";

export type Receipt = {
  readonly inputId: string;
  readonly fingerprint: string;
  readonly seq: number;
  /** The kind of request for which the key was used; absent if the engine generated the id. */
  readonly kind?: ReceiptKind;
  /** True: the engine generated the id, so no client repeats it. */
  readonly unkeyed?: true;
};

/** Older receipts, each shortened to a digest in one list. After `until` (epoch ms) the whole list is deleted. */
export type OlderReceipts = { readonly until: number; readonly digests: string };

/** An event that the execution has stored for later, because it is paused or no state accepts the event yet. */
export type BufferedEvent = {
  readonly message: EventMessage;
  readonly origin: "outside" | "run";
  /**
   * When an event from outside was buffered, in epoch ms. After a pause, events are replayed in this order. Events
   * without this time are replayed first.
   */
  readonly at?: number;
  /** The planned instant of the event in epoch ms; absent: the event's arrival. */
  readonly planned?: number;
};

/** The status of the last run in the terms of the action executor pattern. Guards see it as `action`. */
export type ActionStatus = {
  readonly inProgress: boolean;
  readonly actionName: string;
  readonly startedAt: number | null;
  readonly succeeded: boolean;
  readonly failed: boolean;
  readonly errorMessage: string | null;
  readonly retries: number;
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
  /** The number of accepted inputs that changed the execution. It orders journal entries and projections. */
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
  readonly receipts: readonly Receipt[];
  /** Older receipts, those that are deleted first at the front. Absent if all receipts are stored in full. */
  readonly olderReceipts?: readonly OlderReceipts[];
  /** The time of the oldest change that is not projected (epoch ms); null if all changes are projected. */
  readonly unprojectedSince: number | null;
  /** When the full history may be deleted (epoch ms); null while the execution has not ended. */
  readonly retainUntil: number | null;
  /** The execution that started this execution; absent without one. */
  readonly parent?: Parent;
  /** The earlier execution that this execution continues; absent without one. */
  readonly restartOf?: RestartOf;
  /** The children that have not ended; absent if the execution has never started a child. */
  readonly children?: readonly OwnChild[];
  /** Set while the execution has ended but waits for children. */
  readonly ending?: Ending;
  /** The execution's subject; absent without one. */
  readonly subject?: SubjectRef;
  /** The trigger that started the execution; absent without one. */
  readonly startedBy?: StartedBy;
  /** Timers that were not armed because their instant had passed. A later date arms them. Absent: none. */
  readonly passed?: readonly PassedTimer[];
  /**
   * By timer: when the timer was first armed (epoch ms). Some delays count from this instant. Absent: no timer has such
   * a delay.
   */
  readonly firsts?: { readonly [timer: string]: number };
  /** The messages that are sent until their recipients confirm them; absent if there never was one. */
  readonly outbox?: readonly OutboxMessage[];
  /** The open tasks that the execution has created; absent if it has never created a task. */
  readonly tasks?: readonly OwnTask[];
  /** The execution's correlation key; absent if the definition has no `correlation`. */
  readonly correlation?: Correlation;
  /** A reconciler's own state; absent for other kinds. */
  readonly reconciling?: Reconciling;
  /** The standalone action; absent if a tenant's definition is used. */
  readonly standalone?: Standalone;
  /**
   * Set if this state is a placeholder of an execution that the engine could not step. Only a cancellation needs the
   * placeholder.
   */
  readonly standsIn?: { readonly reason: string; readonly since: number };
};

export function isFinalStatus(status: ExecutionStatus): boolean {
  return status === "completed" || status === "failed" || status === "canceled";
}
