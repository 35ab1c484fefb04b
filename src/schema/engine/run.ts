// A run: one action's life inside one execution. Attempts count from 1; maxAttempts counts all of them.
import type { JsonObject, Json } from "../json.ts";
import type { Actor } from "./input.ts";
import type { ActionError, Hold } from "./outcome.ts";
import type { Parent } from "./child.ts";
import type { TicketCap } from "../subject/cap.ts";

export const runStatuses = ["scheduled", "queued", "running", "retry", "ok", "failed", "canceled", "skipped"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** What happened to one try; kept with the run so that a person sees every one of them. */
export type Attempt = {
  readonly attempt: number;
  readonly lane: "direct" | "queue";
  readonly startedAt: number;
  /** Where it was claimed more than once: the first time. */
  readonly firstStartedAt?: number;
  readonly endedAt: number | null;
  readonly error: ActionError | null;
  readonly nextAttemptAt: number | null;
  /** True when what went out before it under the same key may have taken effect: an earlier attempt, or an earlier delivery of this. */
  readonly possiblyRepeated: boolean;
  /** What this try cost, where anybody has named a price. */
  readonly costEstimate?: number;
};

/** Who takes attempts in hand in the queue lane: a message, as it has arrived at a consumer. */
export type Claimant = {
  readonly message: string;
  /** Deliveries of a message count from 1. A later one means that the earlier is over, however it ended. */
  readonly delivery: number;
  /** By chance: the queue may double a delivery, even within a batch. */
  readonly arrival: string;
};

/** A dead letter that was sent again. */
export type Redrive = {
  readonly at: number;
  /** How often by now. */
  readonly times: number;
  /** Tries made before: the retry policy counts anew from here. */
  readonly attemptsBefore: number;
  /** Tries made before it was last changed: what they did is not what is to be sent now. Absent where it never was. */
  readonly attemptsBeforeEdit?: number;
  /** One try was asked for, whatever the policy says. */
  readonly once?: true;
  /** How often by itself, its provider being back. Absent: never. */
  readonly healed?: number;
};

/** What its machine did about a failure: the event it took, where it then stood, and when. */
export type Heard = {
  readonly event: string;
  readonly state: string;
  readonly at: number;
  /** The states that the accepting transitions led to, or stayed in; absent with `by`. */
  readonly took?: readonly string[];
  /** The parent that took its child's failure; absent where its own machine took it. */
  readonly by?: string;
};

/** A person keeps it from going. `dueAt`: when it would be due; it has none of its own meanwhile. */
export type HeldByHand = {
  readonly since: number;
  readonly dueAt: number | null;
  readonly actor: Actor;
  readonly reason: string | null;
};

export type Run = {
  /** `<seq>.<n>`: derived, so a replay makes the same ids. */
  readonly id: string;
  readonly action: string;
  readonly type: string;
  readonly status: RunStatus;
  /** Which trigger (see state.triggers) gave this run its message and states. */
  readonly trigger: number;
  /** The state whose exit takes an unstarted run with it; null when a transition or run-now started it. */
  readonly boundTo: string | null;
  readonly priority: number;
  readonly createdAt: number;
  /** When it may start, or start again; null when its delay hangs on a variable that is not there yet. */
  readonly dueAt: number | null;
  /** The first due instant: what lateness is counted from. */
  readonly firstDueAt: number | null;
  /** For when it was planned, where that is another instant: it counts from what was planned, or somebody sent it. */
  readonly planned?: number | null;
  readonly attempt: number;
  readonly lane: "direct" | "queue" | null;
  readonly sentAt: number | null;
  readonly resends: number;
  readonly claimedAt: number | null;
  readonly deadlineAt: number | null;
  /** Rendered when first claimed, then frozen: every attempt sends the same bytes. */
  readonly config: JsonObject | null;
  readonly attempts: readonly Attempt[];
  readonly error: ActionError | null;
  readonly result: Json;
  /** Why it was skipped or canceled, or failed with tries left, as a snake_case fact. */
  readonly reason: string | null;
  readonly deadLetter: boolean;
  /** Its state was left while it was in flight: it finishes, and is not tried again. */
  readonly unwanted: boolean;
  readonly finishedAt: number | null;
  readonly costEstimate: number | null;
  /** The last time a connection, or its window, let it wait; what counts while it is scheduled. */
  readonly held?: Hold | null;
  /** The attempt that has set something going, and comes back to see what became of it. */
  readonly underWay?: number;
  /** A person had it go although its window is closed. */
  readonly atAnyHour?: true;
  /** It has been noted that the rule for its window's zone gave none. */
  readonly zoneUnknown?: true;
  /** The seq of the input that failed it for good, the last time: what the machine did about it stands there in the journal. */
  readonly failedSeq?: number;
  /** How often its action lets it go out again by itself; absent where that does not say, or it has never failed for good. */
  readonly heals?: number;
  /** The definition took the failure; absent if it did not. */
  readonly heard?: Heard | null;
  /** Since when the failure that was heard waits for nobody. */
  readonly handledAt?: number | null;
  /** The last time a person sent it again; absent where nobody ever did. */
  readonly redriven?: Redrive;
  /** A person had it start before its time: a change of variables no longer moves it. */
  readonly broughtForward?: boolean;
  /** A person gave it its instant: no change of variables moves it. */
  readonly rescheduled?: true;
  /** It was skipped, and counts as done: a person has said with what result. */
  readonly assumed?: true;
  /** Counts while it is scheduled. Absent where nobody ever held it. */
  readonly heldByHand?: HeldByHand | null;
  /** Names that its rules and templates see besides: which item it is for, or what it takes back. Absent where there are none. */
  readonly given?: JsonObject;
  /** What a person changed in its action's config: a merge patch, rendered with it. */
  readonly edit?: JsonObject;
  /** The cap it came under when it was last claimed; absent where it comes under none. */
  readonly cap?: TicketCap;
  /** Who has it in hand, while it is running in the queue lane; `after`: the settlement that brought it, `<run>#<attempt>`. */
  readonly claimedBy?: Claimant & { readonly after?: string };
};

/** What a consumer gets when its claim is accepted: all it needs, and nothing it must keep. */
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
  /** The connection that held this run, and when it was told to come back: it has been in line already. */
  readonly held?: Hold | null;
  /** What went out before under the same key (an earlier attempt, or an earlier delivery of this one) may have taken effect. */
  readonly possiblyRepeated?: boolean;
  /** The cap of its subject's that it comes under: a slot is taken before it is carried out. */
  readonly cap?: TicketCap;
  /** When its execution was created: ids are used again. Absent from objects that do not say it yet. */
  readonly incarnation: number;
  /** What has brought its execution about, where that was one. */
  readonly trigger?: string;
  /** It may be called off while it is carried out. */
  readonly mayBeCalledOff?: true;
  /** How far below others its execution stands; absent where it is below none, or its object does not say it yet. */
  readonly nesting?: Pick<Parent, "depth" | "relays">;
};

/** Taken back before it went out once more under its number, it has been out under it all the same. */
export function lastTry({ attempt, attempts }: Pick<Run, "attempt" | "attempts">): number {
  return Math.max(attempt, attempts.at(-1)?.attempt ?? 0);
}

/** When it first went out, however often it was sent again. */
export function firstStartOf({ startedAt, firstStartedAt = startedAt }: Attempt): number {
  return firstStartedAt;
}

/** For when it was planned, whatever held it since; null while that hangs on a variable. */
export function plannedFor({ planned, firstDueAt }: Run): number | null {
  return planned ?? firstDueAt;
}

/** Who holds it, and since when; null where nobody does. */
export function handOn({ status, heldByHand = null }: Pick<Run, "status" | "heldByHand">): HeldByHand | null {
  return status === "scheduled" ? heldByHand : null;
}

/** When it is due, or would be if nobody held it. */
export function dueOf(run: Run): number | null {
  return handOn(run)?.dueAt ?? run.dueAt;
}

/** A dead letter that its machine has taken care of. */
export function isHandled({ deadLetter, handledAt, heard }: Run): boolean {
  return deadLetter && handledAt != null && heard != null;
}

/** A dead letter that somebody has to decide about. */
export function waitsForPerson(run: Run): boolean {
  return run.deadLetter && !isHandled(run);
}

export function isFinalRun(status: RunStatus): boolean {
  return status === "ok" || status === "failed" || status === "canceled" || status === "skipped";
}
