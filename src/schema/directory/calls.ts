// Tenant directory: the RPC interface of a tenant's directory, which stores correlation keys of executions and
// published events. Changes are additive only, because Worker and object versions differ during a deploy.
import type { Actor } from "../engine/input.ts";
import type { DeliveryFault } from "../inbound/delivery.ts";
import type { Json } from "../json.ts";
import type { Result } from "../refusal.ts";

/**
 * The registration of an execution under a correlation key. If `key` is null, the execution's registration is removed.
 */
export type KeyRegistration = {
  readonly execution: string;
  /** The execution's creation time. A later execution that reuses the id has another one. */
  readonly incarnation: number;
  readonly key: string | null;
  /** The `seq` of the step that set the key. A late message of an earlier step has no effect. */
  readonly since: number;
};

/** An event that a client publishes for all executions with a correlation key. */
export type PublishedEvent = {
  readonly id: string;
  readonly type: string;
  readonly key: string;
  readonly payload: Json;
  readonly source: string;
  readonly correlationId: string | null;
  readonly actor: Actor;
  /** The ids of the event triggers that get the event. Absent if it matches none. */
  readonly triggers?: readonly string[];
  /** The delivery that published the event. Its trigger receives the result. Absent if a client published the event. */
  readonly publisher?: EventPublisher;
  /** When an operator last replayed the delivery that published the event, in epoch ms. Absent before the first replay. */
  readonly replayedAt?: number;
  /**
   * How long the event waits for an execution with its key, in ms. 0: the event is delivered only to executions that
   * already exist.
   */
  readonly keepMs: number;
  /** A digest of the request. A later request with the same event id but another digest is refused. */
  readonly fingerprint: string;
};

/** `delivery`: the delivery's id at the trigger. */
export type EventPublisher = { readonly trigger: string; readonly delivery: string };

/**
 * kept: the event waits for an execution with its key. undeliverable: no execution has accepted the event, and it is
 * not delivered any more.
 */
export type PublishedEventStatus = "kept" | "going" | "delivered" | "undeliverable";

export type Recipient = {
  /** The id of an execution or a trigger. */
  readonly execution: string;
  /** The execution's creation time. A trigger has 0, because a trigger's id is never reused. */
  readonly incarnation: number;
  readonly isTrigger?: true;
  /**
   * The recipient's answer: `taken`, or the refusal with which it did not accept the event. Null: the event was not
   * delivered yet.
   */
  readonly outcome: "taken" | { readonly code: string; readonly message: string } | null;
};

/** The directory's record of a published event. */
export type PublishedEventRow = {
  readonly event: PublishedEvent;
  readonly at: number;
  readonly status: PublishedEventStatus;
  readonly recipients: readonly Recipient[];
  /** Why the event is undeliverable, as a snake_case fact. Null if it is not. */
  readonly reason: string | null;
  /** How many deliveries in a row have failed because a recipient could not be reached. */
  readonly tries: number;
  /**
   * True: the answer of a recipient was lost. If that recipient has ended since, it is unknown whether it had accepted
   * the event.
   */
  readonly inDoubt?: true;
  /** True: the event has ended, and the trigger that published it has not received the result yet. */
  readonly isReportDue?: true;
  /**
   * When the directory acts on the event next, in epoch ms. It then delivers the event, reports its result, gives it up,
   * or deletes the row.
   */
  readonly dueAt: number;
};

export type PublishedEventAnswer = { readonly row: PublishedEventRow; readonly repeated: boolean };
export type PublishedEventQuery = {
  readonly key: string | null;
  readonly status: PublishedEventStatus | null;
  /** The last event of the previous page. Null requests the first page. */
  readonly before: { readonly at: number; readonly id: string } | null;
  readonly limit: number;
};

export type Directory = {
  registerKeys(members: readonly KeyRegistration[]): Promise<void>;
  /** Publishes events. Returns one answer for each, in the order of the events. */
  post(events: readonly PublishedEvent[], dryRun: boolean): Promise<readonly Result<PublishedEventAnswer>[]>;
  /** Lists published events, newest first. */
  list(query: PublishedEventQuery): Promise<readonly PublishedEventRow[]>;
};

/** The result of one delivery. again: the recipient did not answer, so the directory repeats the delivery later. */
export type RecipientOutcome = Recipient["outcome"] | "again";

/** The result of an event, for the delivery that published it. */
export type EventReport = EventPublisher & {
  /** The event's id. */
  readonly event: string;
  /** Identifies the publication: null is the first one, otherwise the replay's instant. */
  readonly replayedAt: number | null;
  /** `taken`, or why no execution accepted the event. */
  readonly result: "taken" | DeliveryFault;
};

/** The directory's calls to the Worker, which in turn calls the cells and the triggers. */
export type DirectoryWorkPort = {
  deliver(
    tenant: string,
    event: PublishedEvent,
    recipients: readonly Recipient[],
  ): Promise<readonly RecipientOutcome[]>;
  /** Reports the result of an event to the trigger that published it. Throws if the trigger cannot be reached. */
  report(tenant: string, report: EventReport): Promise<void>;
};
