// Runs: a run is one execution of an action within an execution. Attempts count from 1; `maxAttempts` includes the
// first.
import type { JsonObject, Json } from "../json.ts";
import type { Actor } from "./input.ts";
import type { ActionError, Hold } from "./outcome.ts";
import type { Parent } from "./child.ts";
import type { TicketCap } from "../subject/cap.ts";

export const runStatuses = ["scheduled", "queued", "running", "retry", "ok", "failed", "canceled", "skipped"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** The record of one attempt. It is stored with the run, so that clients see every attempt. */
export type Attempt = {
  readonly attempt: number;
  readonly lane: "direct" | "queue";
  readonly startedAt: number;
  /** When the attempt was first claimed, in epoch ms; absent if the claim was never repeated. */
  readonly firstStartedAt?: number;
  readonly endedAt: number | null;
  readonly error: ActionError | null;
  readonly nextAttemptAt: number | null;
  /**
   * True: the attempt may have repeated an effect. An earlier attempt with the same key, or an earlier delivery of this
   * attempt, may have succeeded.
   */
  readonly possiblyRepeated: boolean;
  /** The attempt's cost; absent if no price is set. */
  readonly costEstimate?: number;
};

/** The claimant of an attempt from the queue: one delivery of a message to a consumer. */
export type Claimant = {
  readonly message: string;
  /**
   * The number of the message's delivery, from 1. A later delivery means that the consumer of the earlier delivery has
   * stopped.
   */
  readonly delivery: number;
  /** A random id of this delivery, because the queue may deliver a message twice even within a batch. */
  readonly arrival: string;
};

/** The last retry of a dead letter by an operator or by the engine. */
export type Redrive = {
  readonly at: number;
  /** How many times the dead letter was retried so far. */
  readonly times: number;
  /** The number of attempts before the retry. The retry policy counts the attempts after it from 1 again. */
  readonly attemptsBefore: number;
  /** The number of attempts before the last change of the config; absent if the config was never changed. */
  readonly attemptsBeforeEdit?: number;
  /** True: the operator's request allowed one attempt only, so the retry policy is ignored. */
  readonly once?: true;
  /** How many times the dead letter was retried automatically after a provider's recovery. Absent: 0. */
  readonly healed?: number;
};

/** The reaction of the definition, or of the parent, to a failure: the event, the resulting state, and the instant. */
export type FailureReaction = {
  readonly event: string;
  readonly state: string;
  readonly at: number;
  /** The states that the accepted event led to; absent if the parent (`by`) handled the failure. */
  readonly took?: readonly string[];
  /** The parent that handled its child's failure; absent if the execution's own definition did. */
  readonly by?: string;
};

/**
 * The hold of a run by an operator. `dueAt`: when the run would be due without this hold. While the run is held, its
 * own `dueAt` is null.
 */
export type OperatorHold = {
  readonly since: number;
  readonly dueAt: number | null;
  readonly actor: Actor;
  readonly reason: string | null;
};

export type Run = {
  /** The run's id `<seq>.<n>`. It contains no random part, so that a replay creates the same ids. */
  readonly id: string;
  readonly action: string;
  readonly type: string;
  readonly status: RunStatus;
  /**
   * The `seq` of the trigger in `ExecutionState.triggers`. The run's templates read this trigger's event and states.
   */
  readonly trigger: number;
  /**
   * The state that the execution must leave to cancel the run before its start; null if a transition or a run-now
   * command created the run.
   */
  readonly boundTo: string | null;
  readonly priority: number;
  readonly createdAt: number;
  /** When the run may start or be retried, in epoch ms; null while its delay depends on a variable without a value. */
  readonly dueAt: number | null;
  /** When the run was first due, in epoch ms. Its lateness is measured from this time. */
  readonly firstDueAt: number | null;
  /** The run's planned instant in epoch ms, if it differs from `firstDueAt`. */
  readonly planned?: number | null;
  /** The number of the current or last attempt; 0 before the first. */
  readonly attempt: number;
  readonly lane: "direct" | "queue" | null;
  readonly sentAt: number | null;
  /** How many times the message of this attempt was sent again because no consumer claimed it. */
  readonly resends: number;
  readonly claimedAt: number | null;
  readonly deadlineAt: number | null;
  /** The rendered config, stored at the first claim. Later attempts send the same bytes. */
  readonly config: JsonObject | null;
  readonly attempts: readonly Attempt[];
  readonly error: ActionError | null;
  readonly result: Json;
  /** Why the run was skipped or canceled, or failed before its last attempt, as a snake_case fact. */
  readonly reason: string | null;
  readonly deadLetter: boolean;
  /**
   * True: the execution has left the run's state while the run was in progress. The attempt may end, but it is not
   * retried.
   */
  readonly unwanted: boolean;
  readonly finishedAt: number | null;
  readonly costEstimate: number | null;
  /** The last hold by a connection or a window. It has an effect only while the run is `scheduled`. */
  readonly held?: Hold | null;
  /** The number of the attempt that is pending at the provider. The engine checks the attempt again later. */
  readonly underWay?: number;
  /** True: an operator sent the run at an hour when its window is closed. */
  readonly atAnyHour?: true;
  /**
   * True: the journal already says that the rule for the window's time zone returned an unknown zone, so the entry is
   * not repeated.
   */
  readonly zoneUnknown?: true;
  /**
   * The `seq` of the input that made the run fail permanently. The journal entries with this `seq` show the
   * definition's reaction.
   */
  readonly failedSeq?: number;
  /** The action's maximum of automatic retries; absent without a setting, or if the run never failed permanently. */
  readonly heals?: number;
  /** The definition's reaction to the failure; absent if the definition has not reacted. */
  readonly heard?: FailureReaction | null;
  /** When a dead letter of this run was handled, so that it needs no operator any more, in epoch ms. */
  readonly handledAt?: number | null;
  /** The last retry of the run as a dead letter; absent without one. */
  readonly redriven?: Redrive;
  /** True: an operator started the run early. A change of variables no longer changes its time. */
  readonly broughtForward?: boolean;
  /** True: an operator set the run's instant, so that a change of variables no longer moves it. */
  readonly rescheduled?: true;
  /** True: an operator skipped the run and gave its result, so the run counts as done. */
  readonly assumed?: true;
  /**
   * The operator's hold. It has an effect only while the run is `scheduled`; absent if an operator never held the run.
   */
  readonly heldByHand?: OperatorHold | null;
  /** Further values for the run's rules and templates: the item of a list, or the node that the run compensates. */
  readonly given?: JsonObject;
  /** An operator's merge patch of the action's config. It is applied before the config is rendered. */
  readonly edit?: JsonObject;
  /** The cap that counted the run at its last claim; absent if the action has no cap. */
  readonly cap?: TicketCap;
  /**
   * The claimant of a running run from the queue. `after`: the settlement whose answer contained this run, as
   * `<run>#<attempt>`.
   */
  readonly claimedBy?: Claimant & { readonly after?: string };
};

/** The answer to an accepted claim. It contains everything that a consumer needs to execute the run. */
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
   * The last hold of this run by a connection. The run has waited already, so it does not join the connection's queue
   * again.
   */
  readonly held?: Hold | null;
  /**
   * True: the attempt may repeat an effect. An earlier attempt with the same key, or an earlier delivery of this
   * attempt, may have succeeded.
   */
  readonly possiblyRepeated?: boolean;
  /** The cap of the run's subject. The consumer requests a slot of this cap before it executes the run. */
  readonly cap?: TicketCap;
  /**
   * Creation time of the execution. It distinguishes this execution from an earlier one with the same id. Absent in
   * tickets of older objects.
   */
  readonly incarnation: number;
  /** The trigger that started the execution; absent without one. */
  readonly trigger?: string;
  /** True: the run belongs to a reconciler, and the engine may abort the attempt. */
  readonly mayBeCalledOff?: true;
  /** How deep the execution is nested; absent if it is not nested, or in tickets of older objects. */
  readonly nesting?: Pick<Parent, "depth" | "relays">;
};

/** Returns the number of the last attempt that was made, including an attempt that was revoked afterwards. */
export function lastTry({ attempt, attempts }: Pick<Run, "attempt" | "attempts">): number {
  return Math.max(attempt, attempts.at(-1)?.attempt ?? 0);
}

/** Returns when the attempt was claimed first, however many times its claim was repeated. */
export function firstStartOf({ startedAt, firstStartedAt = startedAt }: Attempt): number {
  return firstStartedAt;
}

/**
 * Returns when the run was planned, whatever holds delayed it. Returns null while this instant depends on a variable
 * without a value.
 */
export function plannedFor({ planned, firstDueAt }: Run): number | null {
  return planned ?? firstDueAt;
}

/** Returns the operator's hold; null if the run is not held. */
export function currentHold({ status, heldByHand = null }: Pick<Run, "status" | "heldByHand">): OperatorHold | null {
  return status === "scheduled" ? heldByHand : null;
}

/**
 * Returns when the run is due, or would be due without the operator's hold. Returns null while this instant is unknown.
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
 * Returns true if the run occupies a concurrency slot of its execution. A run in backoff keeps its slot, so that no
 * later run overtakes it.
 */
export function occupiesSlot({ status }: Pick<Run, "status">): boolean {
  return status === "queued" || status === "running" || status === "retry";
}

/** Returns the state or node of the run, or the action's id for a run without one. */
export function nodeOfRun({ boundTo, action }: Run): string {
  return boundTo ?? action;
}
