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
  /** When the attempt was claimed first, in epoch ms; absent if it was claimed once. */
  readonly firstStartedAt?: number;
  readonly endedAt: number | null;
  readonly error: ActionError | null;
  readonly nextAttemptAt: number | null;
  /** True if an earlier attempt with the same key, or an earlier delivery of this attempt, may have taken effect. */
  readonly possiblyRepeated: boolean;
  /** The attempt's cost; absent if no price is set. */
  readonly costEstimate?: number;
};

/** The claimant of an attempt in the queue lane: one delivery of a message to a consumer. */
export type Claimant = {
  readonly message: string;
  /** The number of the delivery, from 1. A later delivery means that the earlier delivery is over. */
  readonly delivery: number;
  /** A random id, because the queue may duplicate a delivery even within a batch. */
  readonly arrival: string;
};

/** The last retry of a dead letter by an operator or by the engine. */
export type Redrive = {
  readonly at: number;
  /** The number of retries so far. */
  readonly times: number;
  /** The number of attempts before the retry. The retry policy starts again after them. */
  readonly attemptsBefore: number;
  /** The number of attempts before the last change of the config; absent if the config was never changed. */
  readonly attemptsBeforeEdit?: number;
  /** The request allowed one attempt only, whatever the retry policy allows. */
  readonly once?: true;
  /** The number of automatic retries after a provider's recovery. Absent: none. */
  readonly healed?: number;
};

/** The reaction of the definition, or of the parent, to a failure: the event, the resulting state, and the instant. */
export type FailureReaction = {
  readonly event: string;
  readonly state: string;
  readonly at: number;
  /** The states after the transitions that accepted the event; absent with `by`. */
  readonly took?: readonly string[];
  /** The parent that handled its child's failure; absent if the execution's own definition did. */
  readonly by?: string;
};

/**
 * The hold of a run by an operator. `dueAt`: when the run would be due without the hold; the run's own `dueAt` is null.
 */
export type OperatorHold = {
  readonly since: number;
  readonly dueAt: number | null;
  readonly actor: Actor;
  readonly reason: string | null;
};

export type Run = {
  /** The run's id `<seq>.<n>`. It is derived, so that a replay gives the same ids. */
  readonly id: string;
  readonly action: string;
  readonly type: string;
  readonly status: RunStatus;
  /** The `seq` of the trigger (see `ExecutionState.triggers`) whose message and states the run's templates see. */
  readonly trigger: number;
  /** The state whose exit cancels the unstarted run; null if a transition or a run-now command started it. */
  readonly boundTo: string | null;
  readonly priority: number;
  readonly createdAt: number;
  /** When the run may start or start again, in epoch ms; null while its delay depends on an unset variable. */
  readonly dueAt: number | null;
  /** The first due instant in epoch ms. Lateness counts from it. */
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
  /** The config, rendered at the first claim. Later attempts send the same bytes. */
  readonly config: JsonObject | null;
  readonly attempts: readonly Attempt[];
  readonly error: ActionError | null;
  readonly result: Json;
  /** Why the run was skipped or canceled, or failed before its last attempt, as a snake_case fact. */
  readonly reason: string | null;
  readonly deadLetter: boolean;
  /** True: the execution left the run's state while the run was in progress. The run finishes, and is not retried. */
  readonly unwanted: boolean;
  readonly finishedAt: number | null;
  readonly costEstimate: number | null;
  /** The last hold by a connection or a window. It is valid while the run is scheduled. */
  readonly held?: Hold | null;
  /** The number of the attempt that is pending at the provider and will be checked again. */
  readonly underWay?: number;
  /** True: an operator sent the run although its window is closed. */
  readonly atAnyHour?: true;
  /** True: the journal has recorded that the rule for the window's time zone returned an unknown zone. */
  readonly zoneUnknown?: true;
  /**
   * The `seq` of the input that made the run fail permanently. The journal has the definition's reaction at this `seq`.
   */
  readonly failedSeq?: number;
  /** The action's maximum of automatic retries; absent without a setting, or if the run never failed permanently. */
  readonly heals?: number;
  /** The definition's reaction to the failure; absent if it had none. */
  readonly heard?: FailureReaction | null;
  /** When the handled failure stopped to need an operator, in epoch ms. */
  readonly handledAt?: number | null;
  /** The last retry of the run as a dead letter; absent without one. */
  readonly redriven?: Redrive;
  /** True: an operator started the run early. A change of variables no longer changes its time. */
  readonly broughtForward?: boolean;
  /** True: an operator set the run's instant. A change of variables no longer changes it. */
  readonly rescheduled?: true;
  /** True: an operator skipped the run and gave its result, so the run counts as done. */
  readonly assumed?: true;
  /** The operator's hold. It is valid while the run is scheduled; absent if the run was never held. */
  readonly heldByHand?: OperatorHold | null;
  /** Further values for the run's rules and templates: a list's item, or the node that the run compensates. */
  readonly given?: JsonObject;
  /** An operator's merge patch of the action's config. It is rendered with the config. */
  readonly edit?: JsonObject;
  /** The cap under which the run was counted at its last claim; absent without a cap. */
  readonly cap?: TicketCap;
  /**
   * The claimant of a running run in the queue lane. `after`: the settlement that returned the run, `<run>#<attempt>`.
   */
  readonly claimedBy?: Claimant & { readonly after?: string };
};

/** The result of an accepted claim. A consumer needs nothing else to execute the run. */
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
  /** The connection that held this run, and until when. The run does not wait in the connection's queue again. */
  readonly held?: Hold | null;
  /** True: an earlier attempt with the same key, or an earlier delivery of this attempt, may have taken effect. */
  readonly possiblyRepeated?: boolean;
  /** The cap of the run's subject. The consumer takes a slot of the cap before it executes the run. */
  readonly cap?: TicketCap;
  /** Creation time of the execution, because ids are reused. Absent in tickets of older objects. */
  readonly incarnation: number;
  /** The trigger that started the execution; absent without one. */
  readonly trigger?: string;
  /** True: the run of a reconciler, whose attempt the engine may abort. */
  readonly mayBeCalledOff?: true;
  /** How deep the execution is nested; absent if it is not nested, or in tickets of older objects. */
  readonly nesting?: Pick<Parent, "depth" | "relays">;
};

/** Returns the number of the last attempt that was made, even if it was revoked afterwards. */
export function lastTry({ attempt, attempts }: Pick<Run, "attempt" | "attempts">): number {
  return Math.max(attempt, attempts.at(-1)?.attempt ?? 0);
}

/** Returns when the attempt was claimed first, however many times its claim was repeated. */
export function firstStartOf({ startedAt, firstStartedAt = startedAt }: Attempt): number {
  return firstStartedAt;
}

/** Returns the run's planned instant without any holds; null while it depends on an unset variable. */
export function plannedFor({ planned, firstDueAt }: Run): number | null {
  return planned ?? firstDueAt;
}

/** Returns the operator's hold; null if the run is not held. */
export function currentHold({ status, heldByHand = null }: Pick<Run, "status" | "heldByHand">): OperatorHold | null {
  return status === "scheduled" ? heldByHand : null;
}

/** Returns when the run is due, or would be due without the operator's hold; null while it is unknown. */
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
 * Returns true if the run uses a slot of its execution. A run in backoff keeps its slot, so that no other run overtakes
 * it.
 */
export function occupiesSlot({ status }: Pick<Run, "status">): boolean {
  return status === "queued" || status === "running" || status === "retry";
}

/** Returns the state or node of the run, or the action's id for a run without one. */
export function nodeOfRun({ boundTo, action }: Run): string {
  return boundTo ?? action;
}
