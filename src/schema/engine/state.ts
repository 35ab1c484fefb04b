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
 * pending: further incoming edges must be taken. waiting: the node was reached and has not ended; its runs show its
 * progress.
 */
export type NodeStatus = "pending" | "waiting" | "done" | "failed" | "skipped";

/** The progress of one journey node. A node that was never reached has no mark. */
export type NodeMark = {
  readonly status: NodeStatus;
  /** Why the node was skipped or failed. */
  readonly reason?: string;
  /** The number of incoming edges that ended taken; `dead`: the number that ended dead. */
  readonly taken?: number;
  readonly dead?: number;
  /** When the node was reached, in epoch ms. */
  readonly since?: number;
  /** The node's planned end in epoch ms. Delays of the next nodes count from it. */
  readonly planned?: number;
  /** The edge that was taken out of the node: `next`, `failed`, `timeout`, `for/0`, `cases/1`, `ways/b`. */
  readonly way?: string;
  /** The node's position in the order of ended nodes; absent until its outgoing edges are decided. */
  readonly ended?: number;
  /** The progress of an `each` node's repetitions. */
  readonly each?: Repeating;
  /** The id of the run whose event the node waits for, after its action is done. */
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

/** The cause that ended the whole journey: an exit node, or `exitWhen/<n>`. */
export type JourneyExit = {
  readonly by: string;
  readonly at: number;
  readonly outcome: "completed" | "failed" | "canceled";
  /** True: the completed nodes are compensated. */
  readonly compensates?: true;
  /** Set while nodes are compensated: the nodes that are left in their order, and the current one (`at`). */
  readonly undoing?: { readonly left: readonly string[]; readonly at: string | null };
};

/** A journey's position: one mark per node. */
export type JourneyPosition = {
  readonly kind: "journey";
  readonly nodes: { readonly [name: string]: NodeMark };
  /** The nodes that were reached and have not ended, in the order of reaching. */
  readonly states: readonly string[];
  readonly done: boolean;
  /** The number of nodes that have ended. It numbers them (`NodeMark.ended`). */
  readonly endings: number;
  /** The numbers of ended nodes by result, and of all nodes. Exit nodes are not counted. */
  readonly counts: { readonly done: number; readonly skipped: number; readonly failed: number; readonly of: number };
  /** Early events that a later wait may still accept. */
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
  /** True: a rule has removed the reconciled thing, and the execution has ended. */
  readonly removed?: true;
  /** The number of restarts. Absent: none. */
  readonly restarts?: number;
};
export type Position = MachinePosition | JourneyPosition | ReconcilerPosition;

/** Returns the exit that ended the journey; undefined for other kinds and for a journey without one. */
export function exitOf(position: Position): JourneyExit | undefined {
  return "exit" in position ? position.exit : undefined;
}

/** The cause of runs: the event and the states, stored so that later guards and templates see them unchanged. */
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
  /** When the timer fires, in epoch ms; null while it depends on an unset variable. */
  readonly at: number | null;
  /** The planned instant in epoch ms, if the delay counts from an earlier plan that has already passed. */
  readonly planned?: number;
  readonly trigger: number;
  /** True: an operator set the timer's instant. A change of variables no longer changes it. */
  readonly rescheduled?: true;
};

/** A timer that was not armed, because its instant had passed when its state was entered. */
export type PassedTimer = Pick<Timer, "id" | "state" | "expression">;

/** The use of a key or an id. The same key may be used once for each kind. */
export type ReceiptKind = "start" | "event" | "verb";

export type Receipt = {
  readonly inputId: string;
  readonly fingerprint: string;
  readonly seq: number;
  /** The use of the key; absent if the engine generated the id. */
  readonly kind?: ReceiptKind;
  /** True: the engine generated the id, so no client repeats it. */
  readonly unkeyed?: true;
};

/** Older receipts as a list of digests. All of them are deleted after `until` (epoch ms). */
export type OlderReceipts = { readonly until: number; readonly digests: string };

/** An event that waits while the execution is paused, or because no state accepts it yet. */
export type BufferedEvent = {
  readonly message: EventMessage;
  readonly origin: "outside" | "run";
  /**
   * When an outside event was buffered, in epoch ms. After a pause events are replayed in this order; absent: first.
   */
  readonly at?: number;
  /** The event's planned instant in epoch ms; absent: its arrival. */
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
  /** Older receipts in the order of their deletion; absent if all receipts are stored in full. */
  readonly olderReceipts?: readonly OlderReceipts[];
  /** Since when a change is not projected (epoch ms); null if all changes are. */
  readonly unprojectedSince: number | null;
  /** When the full history may be deleted (epoch ms); null while the execution is live. */
  readonly retainUntil: number | null;
  /** The execution that started this execution; absent without one. */
  readonly parent?: Parent;
  /** The earlier execution that this execution continues; absent without one. */
  readonly restartOf?: RestartOf;
  /** The children that have not ended; absent if the execution never started one. */
  readonly children?: readonly OwnChild[];
  /** Set while the execution has ended but waits for children. */
  readonly ending?: Ending;
  /** The execution's subject; absent without one. */
  readonly subject?: SubjectRef;
  /** The trigger that started the execution; absent without one. */
  readonly startedBy?: StartedBy;
  /** Timers that were not armed because their instant had passed. A later date arms them. Absent: none. */
  readonly passed?: readonly PassedTimer[];
  /** By timer: when it was first armed (epoch ms), for delays that count from then. Absent: none. */
  readonly firsts?: { readonly [timer: string]: number };
  /** The messages that are sent until their recipients confirm them; absent if there never was one. */
  readonly outbox?: readonly OutboxMessage[];
  /** The open tasks that the execution has created; absent if there never was one. */
  readonly tasks?: readonly OwnTask[];
  /** The execution's correlation key; absent if the definition has no `correlation`. */
  readonly correlation?: Correlation;
  /** A reconciler's own state; absent for other kinds. */
  readonly reconciling?: Reconciling;
  /** The standalone action; absent if a tenant's definition is used. */
  readonly standalone?: Standalone;
  /** Set for a placeholder of an execution that could not be stepped. The placeholder makes a cancellation possible. */
  readonly standsIn?: { readonly reason: string; readonly since: number };
};

export function isFinalStatus(status: ExecutionStatus): boolean {
  return status === "completed" || status === "failed" || status === "canceled";
}
