// The whole of one execution, as plain JSON: one row in its object, the kernel's only memory.
import type { About } from "./about.ts";
import type { AskedTask } from "./asked-task.ts";
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

/** Where a machine stands: XState's value and history, and the paths of the innermost active states. */
export type MachinePosition = {
  readonly kind: "machine";
  readonly value: Json;
  readonly history: { readonly [stateId: string]: readonly string[] };
  readonly states: readonly string[];
  readonly done: boolean;
};

/** pending: no token has come, or not enough of them. waiting: reached and not ended; whether it acts its runs tell. */
export type NodeStatus = "pending" | "waiting" | "done" | "failed" | "skipped";

/** How far one node of a journey has come. What nobody has reached yet has no mark. */
export type NodeMark = {
  readonly status: NodeStatus;
  /** Why it was skipped, or what became of its failure. */
  readonly reason?: string;
  /** Of the ways that lead to it: how many ended taken, how many dead. */
  readonly taken?: number;
  readonly dead?: number;
  /** When it was reached. */
  readonly since?: number;
  /** The instant it was planned for: delays after it count from there. */
  readonly planned?: number;
  /** The way that was taken out of it, once it has ended: `next`, `failed`, `timeout`, `for/0`, `cases/1`, `ways/b`. */
  readonly way?: string;
  /** Which of all nodes that ended it was; absent while what comes after it is open. */
  readonly ended?: number;
  /** How far it is with what it repeats. */
  readonly each?: Repeating;
  /** Its action is done, and what it waits for now is said of this run. */
  readonly awaits?: string;
  /** What its action came to, where the node can be taken back. */
  readonly result?: Json;
  /** A person wants it passed over once it is reached. */
  readonly unwanted?: true;
};

/** A node that is done several times. Of so many times, how many have begun and how they ended. */
export type Repeating = {
  readonly of: number;
  /** What it is done for, as it was when the node was reached; absent where it is done so many times. */
  readonly items?: readonly Json[];
  readonly begun: number;
  readonly done: number;
  readonly skipped: number;
  /** Which have failed for good. */
  readonly failed: readonly number[];
};

/** Who ended the whole journey: an exit node, or `exitWhen/<n>`. */
export type JourneyExit = {
  readonly by: string;
  readonly at: number;
  readonly outcome: "completed" | "failed" | "canceled";
  /** What was done is to be taken back. */
  readonly compensates?: true;
  /** Since all that was under way has ended: which nodes are still to be taken back, the next one first, and which is now. */
  readonly undoing?: { readonly left: readonly string[]; readonly at: string | null };
};

/** Where a journey stands: a mark a node. */
export type JourneyPosition = {
  readonly kind: "journey";
  readonly nodes: { readonly [name: string]: NodeMark };
  /** Nodes that were reached and have not ended, in the order in which they were reached. */
  readonly states: readonly string[];
  readonly done: boolean;
  /** How many nodes have ended so far; `done` ones are numbered by it. */
  readonly endings: number;
  /** Of all nodes but exits: how many have ended how, and how many there are. */
  readonly counts: { readonly done: number; readonly skipped: number; readonly failed: number; readonly of: number };
  /** Events that came before a wait was reached that may still want them. */
  readonly kept: readonly EventMessage[];
  readonly exit?: JourneyExit;
};

/** Where a reconciler stands: one state, since when, and why. */
export type ReconcilerPosition = {
  readonly kind: "reconciler";
  readonly state: string;
  /** That one state. */
  readonly states: readonly string[];
  readonly since: number;
  readonly reason: string;
  readonly done: boolean;
  /** A rule has said that it is done with. */
  readonly removed?: true;
  /** How often it has begun anew; absent: never. */
  readonly restarts?: number;
};
export type Position = MachinePosition | JourneyPosition | ReconcilerPosition;

/** What set something off: frozen, so that guards and templates of a later moment see what was true then. */
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
  /** As written: milliseconds, a duration, a delay's name, or a cron expression. */
  readonly expression: string;
  readonly action: string | null;
  readonly armedAt: number;
  /** null: hangs on a variable that is not there yet; whatever brings the variable resolves it. */
  readonly at: number | null;
  /** Where it counts from what was planned earlier, and that is past: when it should have been. */
  readonly planned?: number;
  readonly trigger: number;
  /** A person gave it its instant: no change of variables moves it. */
  readonly rescheduled?: true;
};

/** Of a state that is active: one that would have been armed. */
export type PassedTimer = Pick<Timer, "id" | "state" | "expression">;

/** What a key or an id was used for: the same one means something else for each of them. */
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

/** Receipts no longer kept whole, as digests one after another, and when they may go together. */
export type OlderReceipts = { readonly until: number; readonly digests: string };

/** Waits while paused, or because it came early. A run's own result events wait here too while paused. */
export type BufferedEvent = {
  readonly message: EventMessage;
  readonly origin: "outside" | "run";
  /** When an outside event was buffered: a pause is replayed in the order of time. Absent: before all others. */
  readonly at?: number;
  /** For when what it tells of was planned; absent: it came when it came. */
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
  /** In the order in which they go; absent where all were kept whole. */
  readonly olderReceipts?: readonly OlderReceipts[];
  /** Since when lists have not heard of a change; null when they know everything. */
  readonly unprojectedSince: number | null;
  /** When the full history may go; null while the execution lives. */
  readonly retainUntil: number | null;
  /** Which execution started it; absent where none did. */
  readonly parent?: Parent;
  /** The earlier execution that it goes on from; absent where there is none. */
  readonly restartOf?: RestartOf;
  /** Those it has started itself that have not ended; absent if there never were any. */
  readonly children?: readonly OwnChild[];
  /** Set while it is over but for children that it waits for. */
  readonly ending?: Ending;
  /** Whom it is about; absent where nobody is. */
  readonly subject?: About;
  /** The trigger that brought it about; absent where none did. */
  readonly startedBy?: StartedBy;
  /** Timers that were past, and are not wanted then: armed after all when their date is moved ahead. Absent: none are. */
  readonly passed?: readonly PassedTimer[];
  /** When timers whose delay counts from their first arming were first armed; absent where there are none. */
  readonly firsts?: { readonly [timer: string]: number };
  /** Messages that are sent until their recipients confirm them; absent if there never were any. */
  readonly outbox?: readonly OutboxMessage[];
  /** Tasks that it has created; absent if there never were any. */
  readonly tasks?: readonly AskedTask[];
  /** Its correlation key; absent if the definition declares none. */
  readonly correlation?: Correlation;
  /** What a reconciler keeps; absent where it is none. */
  readonly reconciling?: Reconciling;
  /** The action of an execution that has no definition of its tenant's; absent where it has one. */
  readonly standalone?: Standalone;
  /** Set where this stands in for a state that could not be gone on with, so that it could be canceled. */
  readonly standsIn?: { readonly reason: string; readonly since: number };
};

export function isFinalStatus(status: ExecutionStatus): boolean {
  return status === "completed" || status === "failed" || status === "canceled";
}
