// Tenant directory: the RPC interface of a tenant's directory, which stores correlation keys of executions and
// published events. Changes are additive only, because Worker and object versions differ during a deploy.
import type { Actor } from "../engine/input.ts";
import type { Json } from "../json.ts";
import type { Result } from "../refusal.ts";

/** The registration of an execution under a key. `key` null: the registration is removed. */
export type KeyRegistration = {
  readonly execution: string;
  /** Creation time of the execution. It distinguishes executions that reuse an id. */
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
  /** The ids of event triggers that receive the event. Absent if there are none. */
  readonly triggers?: readonly string[];
  /** How long the event waits for an execution with the key, in ms; 0: it does not wait. */
  readonly keepMs: number;
  /** A digest of the request. The same id with another body is refused. */
  readonly fingerprint: string;
};

export const publishedEventStatuses = ["kept", "going", "delivered", "undeliverable"] as const;
/**
 * kept: the event waits for an execution with the key. undeliverable: no execution accepted the event, and none will.
 */
export type PublishedEventStatus = (typeof publishedEventStatuses)[number];

export type Recipient = {
  /** The id of an execution or a trigger. */
  readonly execution: string;
  /** Creation time of the execution; 0 for a trigger, whose id is used once. */
  readonly incarnation: number;
  readonly isTrigger?: true;
  /** null: not delivered yet. An object: the refusal with which the recipient did not accept the event. */
  readonly outcome: "taken" | { readonly code: string; readonly message: string } | null;
};

/** The directory's record of a published event. */
export type PublishedEventRow = {
  readonly event: PublishedEvent;
  readonly at: number;
  readonly status: PublishedEventStatus;
  readonly recipients: readonly Recipient[];
  /** Why the event is undeliverable, as a snake_case fact; null if it is not. */
  readonly reason: string | null;
  /** The number of consecutive deliveries that failed because a recipient could not be reached. */
  readonly tries: number;
  /** Set after an answer was lost. A recipient that has ended since may have accepted the event. */
  readonly inDoubt?: true;
  /** When the directory delivers, gives up or deletes the event, in epoch ms. */
  readonly dueAt: number;
};

export type PublishedEventAnswer = { readonly row: PublishedEventRow; readonly repeated: boolean };
export type PublishedEventQuery = {
  readonly key: string | null;
  readonly status: PublishedEventStatus | null;
  /** The last event of the previous page; null for the first page. */
  readonly before: { readonly at: number; readonly id: string } | null;
  readonly limit: number;
};

export type Directory = {
  registerKeys(members: readonly KeyRegistration[]): Promise<void>;
  /** Publishes events. The answers are in the order of the events. */
  post(events: readonly PublishedEvent[], dryRun: boolean): Promise<readonly Result<PublishedEventAnswer>[]>;
  /** Lists published events, newest first. */
  list(query: PublishedEventQuery): Promise<readonly PublishedEventRow[]>;
};

/** The result of one delivery. again: the recipient did not answer, so the delivery is repeated. */
export type RecipientOutcome = Recipient["outcome"] | "again";

/** The directory's calls to the Worker, which calls the cells. */
export type DirectoryWorkPort = {
  deliver(
    tenant: string,
    event: PublishedEvent,
    recipients: readonly Recipient[],
  ): Promise<readonly RecipientOutcome[]>;
};
