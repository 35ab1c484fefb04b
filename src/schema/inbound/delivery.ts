// Deliveries: what a trigger's object stores of each, and the calls it answers. Additive only: during a deploy both
// versions of Worker and object call each other.
import type { Json, JsonObject } from "../json.ts";
import type { Result } from "../refusal.ts";
import type { PollerView, PollPreview, PollTerms } from "./polling.ts";
import type { TriggerKind } from "./started-by.ts";

/**
 * pending: being sent to its execution. applied: accepted. ignored: `when` was false. outdated: a newer one was
 * accepted before. unmappable: verified, but the mapping failed. failed: its execution refused it.
 */
export const deliveryStatuses = ["pending", "applied", "ignored", "outdated", "unmappable", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export type Trouble = { readonly code: string; readonly message: string };

/** What mappings see as `request`, and what is stored of it, so that a later mapping can be applied to it. */
export type StoredRequest = {
  readonly method: string;
  readonly query: { readonly [name: string]: string | readonly string[] };
  /** Without signatures and credentials. */
  readonly headers: { readonly [name: string]: string };
  readonly body: Json;
  readonly deliveryId: string | null;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** The body could not be parsed, and is stored as text. */
  readonly unreadable?: Trouble;
  /** A part of the body that could not be stored exactly, such as a number with too many digits. */
  readonly loss?: { readonly pointer: string; readonly code: string; readonly message: string };
};

/** What to do, and under which key: the same delivery never does it twice. */
export type Effect =
  | {
      readonly kind: "start";
      readonly key: string;
      readonly execution: string;
      readonly definition: string;
      readonly variables: JsonObject;
      readonly namespace: string;
      readonly correlationId: string | null;
    }
  | {
      readonly kind: "event";
      /** The event's id. */
      readonly key: string;
      readonly execution: string;
      readonly type: string;
      readonly payload: Json;
      readonly correlationId: string | null;
    }
  /** An event for all executions with a correlation key. */
  | {
      readonly kind: "post";
      /** The event's id. */
      readonly key: string;
      readonly correlationKey: string;
      readonly type: string;
      readonly payload: Json;
      readonly correlationId: string | null;
      readonly keepMs: number;
    };

export type Mapped =
  | { readonly kind: "effect"; readonly effect: Effect }
  | { readonly kind: "ignored" }
  | { readonly kind: "unmappable"; readonly reason: Trouble };

/** A delivery's position among others of its kind. */
export type SequencePlace = { readonly by: string; readonly value: number | string };

export type Arrival = {
  /** Identifies repeats: the sender's id after "=", or the engine's own value after "~". */
  readonly identity: string;
  readonly request: StoredRequest;
  readonly mapped: Mapped;
  readonly sequence: SequencePlace | null;
};

/** The caller sends the terms with each call, so the object is never notified of changes. */
export type TriggerTerms = {
  readonly tenant: string;
  readonly trigger: string;
  readonly kind: TriggerKind;
  readonly perMinute: number;
  readonly burst: number;
};

export type PollerTerms = Pick<TriggerTerms, "tenant" | "trigger" | "kind"> & { readonly poll: PollTerms };

export type AcceptedDelivery = {
  /** `trd_` and its number at this trigger. */
  readonly id: string;
  readonly deliveryId: string | null;
  readonly status: DeliveryStatus;
  readonly execution: string | null;
  readonly event: string | null;
  readonly reason: Trouble | null;
};
export type DeliveryAnswer = AcceptedDelivery & { readonly duplicate: boolean };

export type Delivery = AcceptedDelivery & {
  readonly receivedAt: number;
  readonly tries: number;
  readonly nextTryAt: number | null;
  /** The key under which its execution stores it, if it had an effect. */
  readonly key: string | null;
  /** Null after its deletion. */
  readonly request: StoredRequest | null;
};

export type DeliveryQuery = {
  readonly status: DeliveryStatus | null;
  readonly deliveryId: string | null;
  /** The id of the last one of the page before. */
  readonly before: string | null;
  readonly limit: number;
  /** For those with a status: in order of arrival, from the first one on. */
  readonly oldestFirst?: true;
};
export type ReplayItem = Pick<Arrival, "mapped" | "sequence"> & { readonly id: string };

export type TriggerView = {
  readonly pending: number;
  /** Unmappable and failed ones: they wait for an operator. */
  readonly stuck: number;
  readonly lastAt: number | null;
  /** For a poller; absent from objects that do not support pollers. */
  readonly poller?: PollerView | null;
};

export type TriggerPort = {
  /** All in one commit. Refused if there were too many recently, or too many are waiting. */
  receiveDeliveries(terms: TriggerTerms, arrivals: readonly Arrival[]): Promise<Result<readonly DeliveryAnswer[]>>;
  /** Newest first by default. */
  list(query: DeliveryQuery): Promise<readonly Delivery[]>;
  read(id: string): Promise<Delivery | null>;
  replay(terms: TriggerTerms, items: readonly ReplayItem[]): Promise<readonly Result<AcceptedDelivery>[]>;
  /** A poller's settings are sent with each read: if its object has missed them, it starts polling. */
  view(terms?: PollerTerms): Promise<TriggerView>;
  updatePoller(terms: PollerTerms): Promise<PollerView>;
  pollNow(terms: PollerTerms): Promise<PollerView>;
  /** Requests one page and changes nothing. */
  previewPoll(terms: PollerTerms): Promise<PollPreview>;
  /** Deletes everything: its trigger was deleted. */
  forget(): Promise<void>;
};

/** The result of a delivery to an execution. later: it may succeed. */
export type DeliveryOutcome =
  | { readonly kind: "applied" }
  | { readonly kind: "later"; readonly reason: Trouble }
  | { readonly kind: "failed"; readonly reason: Trouble };

/** The Worker's stateless entrypoint, as the object sees it. Answers in the same order. */
export type DeliveryPort = {
  deliver(
    of: { readonly tenant: string; readonly trigger: string; readonly kind: TriggerKind },
    effects: readonly Effect[],
  ): Promise<readonly DeliveryOutcome[]>;
};
