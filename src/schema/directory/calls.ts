// Tenant directory: which executions are registered under which correlation key, and the published events. The calls
// between its objects and the Worker are additive only, as for all objects.
import type { Actor } from "../engine/input.ts";
import type { Json } from "../json.ts";
import type { Result } from "../refusal.ts";

/** A registration of an execution from a step on; key null: removed. */
export type KeyRegistration = {
  readonly execution: string;
  /** When it was created: a reused id is another incarnation. */
  readonly incarnation: number;
  readonly key: string | null;
  /** The step that set it: a late message of an earlier step has no effect. */
  readonly since: number;
};

/** A published event. */
export type PublishedEvent = {
  readonly id: string;
  readonly type: string;
  readonly key: string;
  readonly payload: Json;
  readonly source: string;
  readonly correlationId: string | null;
  readonly actor: Actor;
  /** Triggers that listen to it, by id. Absent if there are none. */
  readonly triggers?: readonly string[];
  /** How long it waits for an execution to register, if none has; 0: not at all. */
  readonly keepMs: number;
  /** A digest of the request: the same id with another body is refused. */
  readonly fingerprint: string;
};

export const publishedEventStatuses = ["kept", "going", "delivered", "undeliverable"] as const;
/** kept: no execution has registered yet. undeliverable: no execution accepted it, and none will. */
export type PublishedEventStatus = (typeof publishedEventStatuses)[number];

export type Recipient = {
  /** An execution, or a trigger. */
  readonly execution: string;
  /** 0 for a trigger: its id is used once. */
  readonly incarnation: number;
  readonly isTrigger?: true;
  /** null: not delivered yet. A refusal's code: it was not accepted. */
  readonly outcome: "taken" | { readonly code: string; readonly message: string } | null;
};

/** The directory's record of a published event. */
export type PublishedEventRow = {
  readonly event: PublishedEvent;
  readonly at: number;
  readonly status: PublishedEventStatus;
  readonly recipients: readonly Recipient[];
  /** Why it is undeliverable, as a snake_case fact. */
  readonly reason: string | null;
  /** How many consecutive deliveries failed because a recipient could not be reached. */
  readonly tries: number;
  /** Set after an answer was lost: a recipient that has ended since may have accepted it. */
  readonly inDoubt?: true;
  /** When the next step is due: deliver it, give it up, or delete it. */
  readonly dueAt: number;
};

export type PublishedEventAnswer = { readonly row: PublishedEventRow; readonly repeated: boolean };
export type PublishedEventQuery = {
  readonly key: string | null;
  readonly status: PublishedEventStatus | null;
  /** The last one of the page before. */
  readonly before: { readonly at: number; readonly id: string } | null;
  readonly limit: number;
};

export type Directory = {
  registerKeys(members: readonly KeyRegistration[]): Promise<void>;
  /** Answers in the same order. */
  post(events: readonly PublishedEvent[], dryRun: boolean): Promise<readonly Result<PublishedEventAnswer>[]>;
  /** Newest first. */
  list(query: PublishedEventQuery): Promise<readonly PublishedEventRow[]>;
};

/** again: the recipient did not answer. */
export type RecipientOutcome = Recipient["outcome"] | "again";

/** The directory's calls to the Worker, which calls the cells. */
export type DirectoryWorkPort = {
  deliver(
    tenant: string,
    event: PublishedEvent,
    recipients: readonly Recipient[],
  ): Promise<readonly RecipientOutcome[]>;
};
