// Runs: one execution of an action inside one execution. Attempts count from 1; maxAttempts counts all of them.
import type { JsonObject, Json } from "../json.ts";
import type { Actor } from "./input.ts";
import type { ActionError, Hold } from "./outcome.ts";
import type { Parent } from "./child.ts";
import type { TicketCap } from "../subject/cap.ts";

export const runStatuses = ["scheduled", "queued", "running", "retry", "ok", "failed", "canceled", "skipped"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** The record of one attempt; stored with the run, so that clients see every attempt. */
export type Attempt = {
  readonly attempt: number;
  readonly lane: "direct" | "queue";
  readonly startedAt: number;
  /** If it was claimed more than once: the first time. */
  readonly firstStartedAt?: number;
  readonly endedAt: number | null;
  readonly error: ActionError | null;
  readonly nextAttemptAt: number | null;
  /**
   * True if something sent before it under the same key may have taken effect: an earlier attempt, or an earlier
   * delivery of this one.
   */
  readonly possiblyRepeated: boolean;
  /** The attempt's cost, if a price is set. */
  readonly costEstimate?: number;
};

/** The claimant of attempts in the queue lane: a message as a consumer received it. */
export type Claimant = {
  readonly message: string;
  /** Deliveries of a message count from 1. A later one means that the earlier is over, however it ended. */
  readonly delivery: number;
  /** Random, because the queue may duplicate a delivery, even within a batch. */
  readonly arrival: string;
};

/** A retried dead letter. */
export type Redrive = {
  readonly at: number;
  /** How often so far. */
  readonly times: number;
  /** Attempts before it: the retry policy restarts here. */
  readonly attemptsBefore: number;
  /** Attempts before the last edit: they did not send the current config. Absent without an edit. */
  readonly attemptsBeforeEdit?: number;
  /** The request allowed only one attempt, whatever the retry policy is. */
  readonly once?: true;
  /** How many automatic retries after a recovery. Absent: none. */
  readonly healed?: number;
};

/** How its machine or journey handled a failure: the event, the resulting states, and when. */
export type FailureReaction = {
  readonly event: string;
  readonly state: string;
  readonly at: number;
  /** The states that the accepting transitions led to, or stayed in; absent with `by`. */
  readonly took?: readonly string[];
  /** The parent that handled its child's failure; absent if its own definition did. */
  readonly by?: string;
};

/** An operator holds it. `dueAt`: its due time without the hold; the run itself has none meanwhile. */
export type OperatorHold = {
  readonly since: number;
  readonly dueAt: number | null;
  readonly actor: Actor;
  readonly reason: string | null;
};

export type Run = {
  /** `<seq>.<n>`: derived, so a replay gives the same ids. */
  readonly id: string;
  readonly action: string;
  readonly type: string;
  readonly status: RunStatus;
  /** Which trigger (see state.triggers) gave this run its message and states. */
  readonly trigger: number;
  /** The state whose exit cancels an unstarted run; null if a transition or run-now started it. */
  readonly boundTo: string | null;
  readonly priority: number;
  readonly createdAt: number;
  /** When it may start, or start again; null if its delay depends on a variable that is not set yet. */
  readonly dueAt: number | null;
  /** The first due instant, from which lateness is counted. */
  readonly firstDueAt: number | null;
  /** The run's planned instant, if different: it counts from an earlier plan, or an operator sent the run. */
  readonly planned?: number | null;
  /** The number of the current or last attempt; 0 before the first. */
  readonly attempt: number;
  readonly lane: "direct" | "queue" | null;
  readonly sentAt: number | null;
  /** How often this attempt's message was sent again because it was not claimed. */
  readonly resends: number;
  readonly claimedAt: number | null;
  readonly deadlineAt: number | null;
  /** Rendered at the first claim, then frozen: every attempt sends the same bytes. */
  readonly config: JsonObject | null;
  readonly attempts: readonly Attempt[];
  readonly error: ActionError | null;
  readonly result: Json;
  /** Why it was skipped or canceled, or failed with attempts left, as a snake_case fact. */
  readonly reason: string | null;
  readonly deadLetter: boolean;
  /** The execution left the run's state while the run was in progress: the run finishes, and is not retried. */
  readonly unwanted: boolean;
  readonly finishedAt: number | null;
  readonly costEstimate: number | null;
  /** The last hold by a connection or its window; valid while it is scheduled. */
  readonly held?: Hold | null;
  /** The attempt that is pending and will be checked again. */
  readonly underWay?: number;
  /** An operator sent it although its window is closed. */
  readonly atAnyHour?: true;
  /** The journal has recorded that the rule for its window's zone returned none. */
  readonly zoneUnknown?: true;
  /** The seq of the input that made it fail permanently, last time: the journal has the definition's reaction there. */
  readonly failedSeq?: number;
  /** The action's maximum of automatic retries; absent without a setting, or if the run never failed permanently. */
  readonly heals?: number;
  /** The definition handled the failure; absent if it did not. */
  readonly heard?: FailureReaction | null;
  /** Since when the handled failure needs no operator. */
  readonly handledAt?: number | null;
  /** The last retry by an operator; absent if there was none. */
  readonly redriven?: Redrive;
  /** An operator started it early: a change of variables no longer moves it. */
  readonly broughtForward?: boolean;
  /** An operator set its instant: no change of variables moves it. */
  readonly rescheduled?: true;
  /** An operator skipped the run and gave its result: the run counts as done. */
  readonly assumed?: true;
  /** Valid while it is scheduled. Absent if it was never held. */
  readonly heldByHand?: OperatorHold | null;
  /** Further values for the run's rules and templates: a list's item, or the node that the run compensates. */
  readonly given?: JsonObject;
  /** An operator's merge patch of its action's config, rendered with it. */
  readonly edit?: JsonObject;
  /** The cap it was counted under when it was last claimed; absent without a cap. */
  readonly cap?: TicketCap;
  /**
   * The claimant, while it is running in the queue lane; `after`: the settlement that returned it, `<run>#<attempt>`.
   */
  readonly claimedBy?: Claimant & { readonly after?: string };
};

/** The result of an accepted claim: all that a consumer needs to execute the run. */
export type Ticket = {
  readonly tenant: string;
  readonly execution: string;
  readonly run: string;
  readonly attempt: number;
  readonly action: string;
  readonly type: string;
  readonly config: JsonObject;
  /** The same for every attempt and redrive of this run. */
  readonly idempotencyKey: string;
  readonly timeoutMs: number;
  readonly deadlineAt: number;
  /** The connection that held this run, and when it was to return: it has waited in the queue already. */
  readonly held?: Hold | null;
  /** An earlier attempt under the same key, or an earlier delivery of this one, may have taken effect. */
  readonly possiblyRepeated?: boolean;
  /** The cap of the run's subject: the run takes a slot before it is executed. */
  readonly cap?: TicketCap;
  /** When its execution was created: ids are reused. Absent from older objects. */
  readonly incarnation: number;
  /** The trigger that started its execution, if any. */
  readonly trigger?: string;
  /** The run of a reconciler: the engine may abort the attempt in progress. */
  readonly mayBeCalledOff?: true;
  /** How deep its execution is nested; absent if it is not, or its object is older. */
  readonly nesting?: Pick<Parent, "depth" | "relays">;
};

/** The last attempt that was made, even if it was then revoked and its number not made again. */
export function lastTry({ attempt, attempts }: Pick<Run, "attempt" | "attempts">): number {
  return Math.max(attempt, attempts.at(-1)?.attempt ?? 0);
}

/** When it was first sent, however often it was repeated. */
export function firstStartOf({ startedAt, firstStartedAt = startedAt }: Attempt): number {
  return firstStartedAt;
}

/** The run's planned instant, whatever held the run since; null while the instant depends on a variable. */
export function plannedFor({ planned, firstDueAt }: Run): number | null {
  return planned ?? firstDueAt;
}

/** The operator's hold, and since when; null if not held. */
export function currentHold({ status, heldByHand = null }: Pick<Run, "status" | "heldByHand">): OperatorHold | null {
  return status === "scheduled" ? heldByHand : null;
}

/** When it is due, or would be without a hold. */
export function dueOf(run: Run): number | null {
  return currentHold(run)?.dueAt ?? run.dueAt;
}

/** A dead letter that its machine or journey has handled. */
export function isHandled({ deadLetter, handledAt, heard }: Run): boolean {
  return deadLetter && handledAt != null && heard != null;
}

/** A dead letter that an operator must decide about. */
export function waitsForPerson(run: Run): boolean {
  return run.deadLetter && !isHandled(run);
}

export function isFinalRun(status: RunStatus): boolean {
  return status === "ok" || status === "failed" || status === "canceled" || status === "skipped";
}

/** A run in backoff keeps its slot: others do not overtake it. */
export function occupiesSlot({ status }: Pick<Run, "status">): boolean {
  return status === "queued" || status === "running" || status === "retry";
}

/** The state or node that it belongs to; its action's id where it belongs to neither. */
export function nodeOfRun({ boundTo, action }: Run): string {
  return boundTo ?? action;
}
