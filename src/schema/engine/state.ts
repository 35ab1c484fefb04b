// Execution state: the whole of one execution, as plain JSON: one row in its object, the kernel's only memory.
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

/** pending: no or too few tokens have arrived. waiting: reached and not ended; its runs show whether it acts. */
export type NodeStatus = "pending" | "waiting" | "done" | "failed" | "skipped";

/** The progress of one node of a journey. A node that was never reached has no mark. */
export type NodeMark = {
  readonly status: NodeStatus;
  /** Why it was skipped, or the result of its failure. */
  readonly reason?: string;
  /** How many of its incoming edges ended taken, and how many dead. */
  readonly taken?: number;
  readonly dead?: number;
  /** When it was reached. */
  readonly since?: number;
  /** The node's planned end: delays after the node count from there. */
  readonly planned?: number;
  /** The edge taken out of it after its end: `next`, `failed`, `timeout`, `for/0`, `cases/1`, `ways/b`. */
  readonly way?: string;
  /** The node's position in the order of ended nodes; absent while its next edges are open. */
  readonly ended?: number;
  /** The progress of its repetition. */
  readonly each?: Repeating;
  /** The node's action is done, and the node waits for an event about this run. */
  readonly awaits?: string;
  /** The result of the node's action, if the node can be compensated. */
  readonly result?: Json;
  /** An operator wants it skipped when it is reached. */
  readonly unwanted?: true;
};

/** A repeated node: how many repetitions have begun, and how they ended. */
export type Repeating = {
  readonly of: number;
  /** The node's items at its start; absent if it has a fixed count. */
  readonly items?: readonly Json[];
  readonly begun: number;
  readonly done: number;
  readonly skipped: number;
  /** The items that failed permanently. */
  readonly failed: readonly number[];
};

/** What ended the whole journey: an exit node, or `exitWhen/<n>`. */
export type JourneyExit = {
  readonly by: string;
  readonly at: number;
  readonly outcome: "completed" | "failed" | "canceled";
  /** Completed nodes are to be compensated. */
  readonly compensates?: true;
  /**
   * After all work in progress has ended: the nodes still to be compensated, the next one first, and the current one.
   */
  readonly undoing?: { readonly left: readonly string[]; readonly at: string | null };
};

/** A journey's position: one mark per node. */
export type JourneyPosition = {
  readonly kind: "journey";
  readonly nodes: { readonly [name: string]: NodeMark };
  /** Nodes that were reached and have not ended, in the order in which they were reached. */
  readonly states: readonly string[];
  readonly done: boolean;
  /** How many nodes have ended so far; `done` ones are numbered by it. */
  readonly endings: number;
  /** Of all nodes but exits: how many ended in each way, and the total. */
  readonly counts: { readonly done: number; readonly skipped: number; readonly failed: number; readonly of: number };
  /** Early events that a wait may still accept. */
  readonly kept: readonly EventMessage[];
  readonly exit?: JourneyExit;
};

/** A reconciler's position: one state, since when, and why. */
export type ReconcilerPosition = {
  readonly kind: "reconciler";
  readonly state: string;
  /** That one state. */
  readonly states: readonly string[];
  readonly since: number;
  readonly reason: string;
  readonly done: boolean;
  /** A rule has removed it. */
  readonly removed?: true;
  /** How many restarts; absent: none. */
  readonly restarts?: number;
};
export type Position = MachinePosition | JourneyPosition | ReconcilerPosition;

/** The exit through which the position was left, if it was left by one. */
export function exitOf(position: Position): JourneyExit | undefined {
  return "exit" in position ? position.exit : undefined;
}

/** The cause of runs, frozen, so that later guards and templates see its values. */
export type Trigger = {
  readonly seq: number;
  readonly message: EventMessage | null;
  readonly previousState: string | null;
  readonly currentState: string;
};

export type Timer = {
  readonly id: string;
  /** after: leaves a state. cron: starts a run of `action` at each occurrence while in a state. */
  readonly kind: "after" | "cron";
  readonly state: string;
  /** The expression in the definition: milliseconds, a duration, a delay's name, or a cron expression. */
  readonly expression: string;
  readonly action: string | null;
  readonly armedAt: number;
  /** null: depends on a variable that is not set yet; setting the variable resolves it. */
  readonly at: number | null;
  /** If it counts from an earlier plan, and that is past: its planned instant. */
  readonly planned?: number;
  readonly trigger: number;
  /** An operator set its instant: no change of variables moves it. */
  readonly rescheduled?: true;
};

/** A timer that an active state would have armed. */
export type PassedTimer = Pick<Timer, "id" | "state" | "expression">;

/** What a key or an id was used for: it has a separate meaning for each. */
export type ReceiptKind = "start" | "event" | "verb";

export type Receipt = {
  readonly inputId: string;
  readonly fingerprint: string;
  readonly seq: number;
  /** Absent if the engine generated the id. */
  readonly kind?: ReceiptKind;
  /** The engine generated the id, so that no client repeats it. */
  readonly unkeyed?: true;
};

/** Older receipts as a list of digests, and when they may be deleted together. */
export type OlderReceipts = { readonly until: number; readonly digests: string };

/** Waits while paused, or because it arrived early. A run's own result events wait here too while paused. */
export type BufferedEvent = {
  readonly message: EventMessage;
  readonly origin: "outside" | "run";
  /**
   * When an outside event was buffered: after a pause they are replayed in the order of time. Absent: before all
   * others.
   */
  readonly at?: number;
  /** Its planned instant; absent: its arrival counts. */
  readonly planned?: number;
};

/** The last run's status in the words of the action executor pattern; guards see it as `action`. */
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
  /** Counts accepted inputs that changed something; orders journal entries and projections. */
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
  /** Since when a change is not projected; null if everything is. */
  readonly unprojectedSince: number | null;
  /** When the full history may be deleted; null while the execution is live. */
  readonly retainUntil: number | null;
  /** The execution that started it; absent if none did. */
  readonly parent?: Parent;
  /** The earlier execution that it continues; absent if there is none. */
  readonly restartOf?: RestartOf;
  /** The execution's own children that have not ended; absent if there never were any. */
  readonly children?: readonly OwnChild[];
  /** Set while it has ended except for children that it waits for. */
  readonly ending?: Ending;
  /** The execution's subject; absent if it has none. */
  readonly subject?: SubjectRef;
  /** The trigger that started it; absent if none did. */
  readonly startedBy?: StartedBy;
  /** Timers that were past and not armed: armed if their date is moved to the future. Absent: none. */
  readonly passed?: readonly PassedTimer[];
  /** When timers whose delay counts from their first arming were first armed; absent if there are none. */
  readonly firsts?: { readonly [timer: string]: number };
  /** Messages that are sent until their recipients confirm them; absent if there never were any. */
  readonly outbox?: readonly OutboxMessage[];
  /** Tasks that it has created; absent if there never were any. */
  readonly tasks?: readonly OwnTask[];
  /** The execution's correlation key; absent if the definition declares none. */
  readonly correlation?: Correlation;
  /** A reconciler's own state; absent for other kinds. */
  readonly reconciling?: Reconciling;
  /** A standalone action; absent if a tenant's definition is used. */
  readonly standalone?: Standalone;
  /** Set if this is a placeholder for a state that could not be stepped, so that it could be canceled. */
  readonly standsIn?: { readonly reason: string; readonly since: number };
};

export function isFinalStatus(status: ExecutionStatus): boolean {
  return status === "completed" || status === "failed" || status === "canceled";
}
