// A tenant's directory: which executions are to be found under which correlation key, and the events that were posted for
// them. What its objects and the Worker say to each other is additive only, as with all calls of objects.
import type { Actor } from "../engine/input.ts";
import type { Json } from "../json.ts";
import type { Result } from "../refusal.ts";

/** An execution as it is to be found from a step on; key null: not any more. */
export type Member = {
  readonly execution: string;
  /** When it was created: an id is used again by another life. */
  readonly incarnation: number;
  readonly key: string | null;
  /** The step that made it so: what comes late of an earlier one counts for nothing. */
  readonly since: number;
};

/** What was posted, for whoever is meant. */
export type Posted = {
  readonly id: string;
  readonly type: string;
  readonly key: string;
  readonly payload: Json;
  readonly source: string;
  readonly correlationId: string | null;
  readonly actor: Actor;
  /** Triggers that hear it, by id. Absent where there are none. */
  readonly triggers?: readonly string[];
  /** How long it waits for somebody to come, where nobody is there yet; 0: not at all. */
  readonly keepMs: number;
  /** A digest of the request: the same id with another body is refused. */
  readonly fingerprint: string;
};

export const postedStatuses = ["kept", "going", "delivered", "undeliverable"] as const;
/** kept: nobody is there yet. undeliverable: nobody took it, and nobody will. */
export type PostedStatus = (typeof postedStatuses)[number];

export type Recipient = {
  /** An execution, or a trigger. */
  readonly execution: string;
  /** 0 for a trigger: its id is used once. */
  readonly incarnation: number;
  readonly isTrigger?: true;
  /** null: it has still to be handed over. A refusal's code: it did not want it. */
  readonly outcome: "taken" | { readonly code: string; readonly message: string } | null;
};

/** What the directory knows of an event that was posted. */
export type PostedRow = {
  readonly event: Posted;
  readonly at: number;
  readonly status: PostedStatus;
  readonly recipients: readonly Recipient[];
  /** Why it is undeliverable, as a snake_case fact. */
  readonly reason: string | null;
  /** How often some could not be reached, one after the other. */
  readonly tries: number;
  /** Set once an answer was lost: whoever has ended since may have taken it all the same. */
  readonly inDoubt?: true;
  /** When something has to be done about it: hand it over, give it up, or let go of it. */
  readonly dueAt: number;
};

export type PostedAnswer = { readonly row: PostedRow; readonly repeated: boolean };
export type PostedQuery = {
  readonly key: string | null;
  readonly status: PostedStatus | null;
  /** The last one of the page before. */
  readonly before: { readonly at: number; readonly id: string } | null;
  readonly limit: number;
};

export type Directory = {
  enlist(members: readonly Member[]): Promise<void>;
  /** Each in its place. */
  post(events: readonly Posted[], dryRun: boolean): Promise<readonly Result<PostedAnswer>[]>;
  /** Newest first. */
  list(query: PostedQuery): Promise<readonly PostedRow[]>;
};

/** again: it could not be asked. */
export type HandedOver = Recipient["outcome"] | "again";

/** What a directory asks of the Worker, which knows the way to the cells. */
export type DirectoryWorkPort = {
  handOver(tenant: string, event: Posted, recipients: readonly Recipient[]): Promise<readonly HandedOver[]>;
};
