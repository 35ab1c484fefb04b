// Runs: a run is what an execution does to carry out one action, in one or more attempts. Attempts count from 1;
// `maxAttempts` includes the first.
import type { JsonObject, Json } from "../json.ts";
import type { Actor } from "./input.ts";
import type { ActionError, Hold } from "./outcome.ts";
import type { Parent } from "./child.ts";
import type { RunReport } from "../reports/run-report.ts";
import type { TicketLimit } from "../key-limits/calls.ts";
import type { QuietHoursPass } from "../policies/policy.ts";
import type { TicketCap } from "../subject/cap.ts";

export const runStatuses = ["scheduled", "queued", "running", "retry", "ok", "failed", "canceled", "skipped"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** The record of one attempt. Each is stored with its run, so that clients see every attempt. */
export type Attempt = {
  readonly attempt: number;
  readonly lane: "direct" | "queue";
  readonly startedAt: number;
  /** When the attempt was first claimed, in epoch ms. Absent if it was claimed only once. */
  readonly firstStartedAt?: number;
  readonly endedAt: number | null;
  readonly error: ActionError | null;
  readonly nextAttemptAt: number | null;
  /**
   * True: the attempt may have repeated an effect, because an earlier attempt with the same key may have succeeded. The
   * same holds for an earlier delivery of this attempt.
   */
  readonly possiblyRepeated: boolean;
  /** The attempt's cost. Absent if the tenant has no price for it. */
  readonly costEstimate?: number;
};

/** The claimant of an attempt from the queue: one delivery of a queue message to a consumer. */
export type Claimant = {
  readonly message: string;
  /** The number of the message's delivery, from 1. If a later delivery exists, the consumer of this one has stopped. */
  readonly delivery: number;
  /** A random id of this delivery. It is needed because the queue may deliver a message twice, even within a batch. */
  readonly arrival: string;
};

/** The last retry of a dead letter, which an operator or the engine requested. */
export type Redrive = {
  readonly at: number;
  /** How many times the dead letter was retried so far. */
  readonly times: number;
  /** The number of attempts before the retry. The retry policy counts later attempts from 1 again. */
  readonly attemptsBefore: number;
  /** The number of attempts before the config was last changed. Absent if it was never changed. */
  readonly attemptsBeforeEdit?: number;
  /** True: the operator's request allowed one attempt only. The retry policy then does not apply. */
  readonly once?: true;
  /** How many of the retries were automatic, after a provider's recovery. Absent: 0. */
  readonly healed?: number;
};

/** How the definition or the parent has handled a failure: the event, the resulting state, and the instant. */
export type FailureReaction = {
  readonly event: string;
  readonly state: string;
  readonly at: number;
  /** The states to which the event led. Absent if the parent (`by`) handled the failure. */
  readonly took?: readonly string[];
  /** The parent that handled the failure of its child. Absent if the execution's own definition did. */
  readonly by?: string;
};

/**
 * An operator's hold of a run. `dueAt`: when the run would be due if it were not held. The run's own `dueAt` is null
 * during the hold.
 */
export type OperatorHold = {
  readonly since: number;
  readonly dueAt: number | null;
  readonly actor: Actor;
  readonly reason: string | null;
};

export type Run = {
  /** The run's id `<seq>.<n>`. No part of it is random, so a replay creates the same ids. */
  readonly id: string;
  readonly action: string;
  readonly type: string;
  readonly status: RunStatus;
  /**
   * The `seq` of one of the triggers in `ExecutionState.triggers`. The run's templates read the event and states of
   * this trigger.
   */
  readonly trigger: number;
  /**
   * The run is canceled if the execution leaves this state before the run starts. Null if a transition or a run-now
   * command created the run.
   */
  readonly boundTo: string | null;
  readonly priority: number;
  readonly createdAt: number;
  /** When the run may start or be retried, in epoch ms. Null while its delay depends on a variable without a value. */
  readonly dueAt: number | null;
  /** When the run was first due, in epoch ms. */
  readonly firstDueAt: number | null;
  /** The planned instant of the run in epoch ms. Absent or null if it is `firstDueAt`. */
  readonly planned?: number | null;
  /** The number of the current or last attempt. 0 before the first attempt. */
  readonly attempt: number;
  readonly lane: "direct" | "queue" | null;
  readonly sentAt: number | null;
  /** How many times the message of this attempt was sent again because no consumer claimed it. */
  readonly resends: number;
  readonly claimedAt: number | null;
  readonly deadlineAt: number | null;
  /**
   * The rendered config, which is stored at the first claim. Later attempts send the same bytes. Null before the first
   * claim.
   */
  readonly config: JsonObject | null;
  readonly attempts: readonly Attempt[];
  readonly error: ActionError | null;
  readonly result: Json;
  /** Why the run was skipped, was canceled, or failed before its last attempt, as a snake_case fact. */
  readonly reason: string | null;
  readonly deadLetter: boolean;
  /**
   * True: the execution left the run's state while the run was in progress. The attempt may end, but no retry follows.
   */
  readonly unwanted: boolean;
  readonly finishedAt: number | null;
  readonly costEstimate: number | null;
  /** The last hold by a connection, a window or a similar limit. It has an effect only while the run is `scheduled`. */
  readonly held?: Hold | null;
  /** The number of the attempt whose result is pending at the provider. The engine checks it again later. */
  readonly underWay?: number;
  /** True: an operator sent the run although its window is closed. */
  readonly atAnyHour?: true;
  /** True: the journal already has the entry about an unknown time zone of the run, which is not repeated. */
  readonly zoneUnknown?: true;
  readonly report?: RunReport; // for reconcilers: the latest report about the message that the run has sent
  /**
   * The instant from which the run's delay counts, in epoch ms. It is set if a rule decides on the delay's time zone, so
   * that a change of the zone can move the run. Absent: `createdAt`.
   */
  readonly countsFrom?: number;
  /**
   * The `seq` of the input with which the run failed permanently. The journal entries with this `seq` show how the
   * definition reacted.
   */
  readonly failedSeq?: number;
  /**
   * The action's maximum number of automatic retries. Absent if the action sets none, or if the run never failed
   * permanently.
   */
  readonly heals?: number;
  /** How the definition has reacted to the failure. Absent if it has not reacted. */
  readonly heard?: FailureReaction | null;
  /** When a dead letter of this run was handled, in epoch ms. From then on it needs no operator. */
  readonly handledAt?: number | null;
  /** The last retry of the run as a dead letter. Absent if it was never retried. */
  readonly redriven?: Redrive;
  /** True: an operator started the run early. A change of variables then no longer changes its time. */
  readonly broughtForward?: boolean;
  /** True: an operator set the run's instant. A change of variables then no longer changes it. */
  readonly rescheduled?: true;
  /** True: an operator skipped the run and provided its result. The run then counts as done. */
  readonly assumed?: true;
  /**
   * The operator's hold. It has an effect only while the run is `scheduled`. Absent if no operator has held the run.
   */
  readonly heldByHand?: OperatorHold | null;
  /** Additional values for the run's rules and templates: the item of a list, or the node that the run compensates. */
  readonly given?: JsonObject;
  /** A JSON merge patch by an operator. It is applied to the action's config before the config is rendered. */
  readonly edit?: JsonObject;
  /** The cap that counted the run at its last claim. Absent if the action has no cap. */
  readonly cap?: TicketCap;
  /** The limits by key of the run, with the keys of its last claim. Absent if the action has none. */
  readonly limits?: readonly TicketLimit[];
  /**
   * "ignore": the tenant's quiet hours do not apply to the run. Otherwise the opening in which the run may start. Absent
   * if the run was never held by quiet hours.
   */
  readonly quietHours?: "ignore" | QuietHoursPass;
  /**
   * The consumer that claimed a running run from the queue. `after`: the settlement whose answer contained this run's
   * ticket, as `<run>#<attempt>`.
   */
  readonly claimedBy?: Claimant & { readonly after?: string };
};

/** The answer to an accepted claim. It contains all that a consumer needs to execute the run. */
export type Ticket = {
  readonly tenant: string;
  readonly execution: string;
  readonly run: string;
  readonly attempt: number;
  readonly action: string;
  readonly type: string;
  readonly config: JsonObject;
  /** The idempotency key of the run: the same for every attempt and every retry. */
  readonly idempotencyKey: string;
  readonly timeoutMs: number;
  readonly deadlineAt: number;
  /**
   * The last hold of this run by a connection. If it is set, the run has already waited and does not wait behind other
   * runs again.
   */
  readonly held?: Hold | null;
  /**
   * True: the attempt may repeat an effect, because an earlier attempt with the same key may have succeeded. The same
   * holds for an earlier delivery of this attempt.
   */
  readonly possiblyRepeated?: boolean;
  /**
   * The cap that counts this run. Before the consumer executes the run, it requests a slot of the cap from the
   * subject's object.
   */
  readonly cap?: TicketCap;
  /** The limits by key of this run. The consumer asks each of them before it executes the run. */
  readonly limits?: readonly TicketLimit[];
  /** As in the run. */
  readonly quietHours?: "ignore" | QuietHoursPass;
  /**
   * The execution's creation time. An earlier execution with the same id has another one. Absent in tickets of older
   * objects.
   */
  readonly incarnation: number;
  /** The id of the trigger that started the execution. Absent if no trigger did. */
  readonly trigger?: string;
  /** True: the run belongs to a reconciler. The engine may abort its attempt. */
  readonly mayBeCalledOff?: true;
  /** How deep the execution is nested. Absent if no execution started it, or in tickets of older objects. */
  readonly nesting?: Pick<Parent, "depth" | "relays">;
};

/** Returns the number of the last attempt that was made, even if it was revoked afterwards. */
export function lastTry({ attempt, attempts }: Pick<Run, "attempt" | "attempts">): number {
  return Math.max(attempt, attempts.at(-1)?.attempt ?? 0);
}

/** Returns when the attempt was first claimed, even if its claim was repeated later. */
export function firstStartOf({ startedAt, firstStartedAt = startedAt }: Attempt): number {
  return firstStartedAt;
}

/**
 * Returns the instant for which the run was planned. Holds do not change it. Returns null while it depends on a
 * variable without a value.
 */
export function plannedFor({ planned, firstDueAt }: Run): number | null {
  return planned ?? firstDueAt;
}

/**
 * Returns the instant from which the run's lateness counts: the planned instant, if it is earlier than the first due
 * instant. Returns null while this instant is unknown.
 */
export function latenessStart({ planned = null, firstDueAt, broughtForward }: Run): number | null {
  // For a run that an operator started early, `planned` is the instant of the start, and the run is not late.
  if (planned === null || firstDueAt === null || broughtForward === true) return firstDueAt;
  return Math.min(planned, firstDueAt);
}

/** Returns the operator's hold. Returns null if no operator holds the run. */
export function currentHold({ status, heldByHand = null }: Pick<Run, "status" | "heldByHand">): OperatorHold | null {
  return status === "scheduled" ? heldByHand : null;
}

/**
 * Returns when the run is due. If an operator holds it, returns when it would be due otherwise. Returns null while this
 * instant is unknown.
 */
export function dueOf(run: Run): number | null {
  return currentHold(run)?.dueAt ?? run.dueAt;
}

/** Returns true for a dead letter that the definition or the parent has handled. */
export function isHandled({ deadLetter, handledAt, heard }: Run): boolean {
  return deadLetter && handledAt != null && heard != null;
}

/** Returns true for a dead letter that an operator must decide about. */
export function waitsForPerson(run: Run): boolean {
  return run.deadLetter && !isHandled(run);
}

export function isFinalRun(status: RunStatus): boolean {
  return status === "ok" || status === "failed" || status === "canceled" || status === "skipped";
}

/**
 * Returns true if the run occupies a concurrency slot of its execution. A run that waits for a retry keeps its slot, so
 * that no later run overtakes it.
 */
export function occupiesSlot({ status }: Pick<Run, "status">): boolean {
  return status === "queued" || status === "running" || status === "retry";
}

/** Returns the state or node that the run belongs to. If it belongs to none, returns the action's id. */
export function nodeOfRun({ boundTo, action }: Run): string {
  return boundTo ?? action;
}
