// Deliveries: the rows of a trigger's object, and its RPC interface. Changes are additive only, because Worker and
// object versions differ during a deploy.
import type { EventReport } from "../directory/calls.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Result } from "../refusal.ts";
import type { PollerView, PollPreview, PollTerms } from "./polling.ts";
import type { TriggerKind } from "./started-by.ts";

/**
 * pending: it is being sent to the execution. published: its event is published, and no execution has accepted the event yet.
 * applied: the execution accepted it. ignored: the rule `when` was false. outdated: a newer delivery was accepted before.
 * unmappable: the mapping failed. failed: no execution accepted it.
 */
export const deliveryStatuses = [
  "pending",
  "published",
  "applied",
  "ignored",
  "outdated",
  "unmappable",
  "failed",
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export type DeliveryFault = { readonly code: string; readonly message: string };

/**
 * A request as the trigger stores it. Mappings read it as `request`. It is stored so that a corrected mapping can read
 * it later.
 */
export type StoredRequest = {
  readonly method: string;
  readonly query: { readonly [name: string]: string | readonly string[] };
  /** The headers. Signatures and credentials are left out. */
  readonly headers: { readonly [name: string]: string };
  readonly body: Json;
  readonly deliveryId: string | null;
  /** When the request arrived, in ISO 8601. */
  readonly receivedAt: string;
  /** Set if the body could not be parsed. It is then stored as text. */
  readonly unreadable?: DeliveryFault;
  /**
   * The part of the body that cannot be stored exactly, such as a number with too many digits. Absent if there is none.
   */
  readonly loss?: { readonly pointer: string; readonly code: string; readonly message: string };
};

/** What a delivery causes. `key` identifies the effect, so that a repeated delivery has no second effect. */
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
  /** The effect publishes an event to all executions with a correlation key. */
  | {
      readonly kind: "post";
      /** The event's id. */
      readonly key: string;
      readonly correlationKey: string;
      readonly type: string;
      readonly payload: Json;
      readonly correlationId: string | null;
      readonly keepMs: number;
      /** The delivery's id, which the trigger's object adds when it publishes the event. */
      readonly delivery?: string;
      /** When an operator last replayed the delivery, in epoch ms. Absent before the first replay. */
      readonly replayedAt?: number;
    };

export type MappingResult =
  | { readonly kind: "effect"; readonly effect: Effect }
  | { readonly kind: "ignored" }
  | { readonly kind: "unmappable"; readonly reason: DeliveryFault };

/** Where a delivery belongs in a sequence. A delivery that arrives later but has a smaller value is outdated. */
export type SequencePlace = { readonly by: string; readonly value: number | string };

export type Arrival = {
  /** The id by which repeated deliveries are detected: "=" and the id of the sender, or "~" and an id of the engine. */
  readonly identity: string;
  readonly request: StoredRequest;
  readonly mapped: MappingResult;
  readonly sequence: SequencePlace | null;
};

/** The trigger's identity and rate. Each call contains them, so that the object always has the current ones. */
export type TriggerTerms = {
  readonly tenant: string;
  readonly trigger: string;
  readonly kind: TriggerKind;
  readonly perMinute: number;
  readonly burst: number;
};

export type PollerTerms = Pick<TriggerTerms, "tenant" | "trigger" | "kind"> & { readonly poll: PollTerms };

export type AcceptedDelivery = {
  /** The delivery's id: `trd_` and its number at this trigger. */
  readonly id: string;
  readonly deliveryId: string | null;
  readonly status: DeliveryStatus;
  readonly execution: string | null;
  readonly event: string | null;
  readonly reason: DeliveryFault | null;
};
export type DeliveryAnswer = AcceptedDelivery & { readonly duplicate: boolean };

export type Delivery = AcceptedDelivery & {
  readonly receivedAt: number;
  readonly tries: number;
  readonly nextTryAt: number | null;
  /** The key by which the execution detects a repeat of the delivery. Null if the delivery has no effect. */
  readonly key: string | null;
  /** The stored request. Null after it was deleted. */
  readonly request: StoredRequest | null;
};

export type DeliveryQuery = {
  readonly status: DeliveryStatus | null;
  readonly deliveryId: string | null;
  /** The id of the last delivery on the previous page. Null for the first page. */
  readonly before: string | null;
  readonly limit: number;
  /**
   * True: list deliveries in the order of arrival, the oldest first. It needs a status filter. Default: the newest
   * first.
   */
  readonly oldestFirst?: true;
};
export type ReplayItem = Pick<Arrival, "mapped" | "sequence"> & { readonly id: string };

/** Why a trigger refused a sender. Senders do not learn the reason. */
export const senderFaults = ["secret_missing", "signature_missing", "signature_invalid", "signature_expired"] as const;
export type SenderFault = (typeof senderFaults)[number];
export type RefusedSender = { readonly at: number; readonly reason: SenderFault };

export type TriggerView = {
  /** The latest refused sender, with a delay of up to a minute; null if none was refused. */
  readonly refused?: RefusedSender | null;
  readonly pending: number;
  /** The number of published deliveries, whose events wait for an execution. Absent in answers of older objects. */
  readonly published?: number;
  /** The number of unmappable and failed deliveries, which wait for an operator. */
  readonly stuck: number;
  readonly lastAt: number | null;
  /** The state of the poller, if the trigger is one. Absent in answers of objects that do not support pollers. */
  readonly poller?: PollerView | null;
};

export type TriggerPort = {
  /**
   * Stores deliveries in one commit. If the rate is exceeded, or if too many deliveries wait, all of them are refused.
   */
  receiveDeliveries(terms: TriggerTerms, arrivals: readonly Arrival[]): Promise<Result<readonly DeliveryAnswer[]>>;
  /** Lists deliveries, newest first by default. */
  list(query: DeliveryQuery): Promise<readonly Delivery[]>;
  read(id: string): Promise<Delivery | null>;
  replay(terms: TriggerTerms, items: readonly ReplayItem[]): Promise<readonly Result<AcceptedDelivery>[]>;
  /** Records the result of an event that a delivery has published. A repeated report changes nothing. */
  recordReport(report: EventReport): Promise<void>;
  /** Stores why a sender was refused, for the trigger's state. */
  recordRefusal(refused: RefusedSender): Promise<void>;
  /** Returns the trigger's state. If a poller's object has lost its settings, it starts to poll again with `terms`. */
  view(terms?: PollerTerms): Promise<TriggerView>;
  updatePoller(terms: PollerTerms): Promise<PollerView>;
  pollNow(terms: PollerTerms): Promise<PollerView>;
  /** Requests one page without storing anything. */
  previewPoll(terms: PollerTerms): Promise<PollPreview>;
  /** Deletes all data of the object, because its trigger was deleted. */
  forget(): Promise<void>;
};

/**
 * The result of a delivery that was sent to an execution. published: the directory has the event, and reports its result. later: the
 * delivery failed and is sent again.
 */
export type DeliveryOutcome =
  | { readonly kind: "applied" }
  | { readonly kind: "published" }
  | { readonly kind: "later"; readonly reason: DeliveryFault }
  | { readonly kind: "failed"; readonly reason: DeliveryFault };

/** The object's calls to the Worker. The answers are in the order of the effects. */
export type DeliveryPort = {
  deliver(
    of: { readonly tenant: string; readonly trigger: string; readonly kind: TriggerKind },
    effects: readonly Effect[],
  ): Promise<readonly DeliveryOutcome[]>;
};
