// What a trigger's object keeps of each delivery, and the calls it answers. Additive only: during a deploy both versions of
// Worker and object talk to each other.
import type { Json, JsonObject } from "../json.ts";
import type { Result } from "../refusal.ts";
import type { PollerView, PollPreview, PollTerms } from "./polling.ts";
import type { TriggerKind } from "./started-by.ts";

/**
 * pending: on its way to its execution. applied: it has arrived. ignored: `when` did not want it. outdated: a newer one was
 * taken before. unmappable: signed, and the mapping could make nothing of it. failed: its execution did not want it.
 */
export const deliveryStatuses = ["pending", "applied", "ignored", "outdated", "unmappable", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export type Trouble = { readonly code: string; readonly message: string };

/** What mappings see as `request`, and what is kept of one: so today's mapping can be asked again tomorrow. */
export type KeptRequest = {
  readonly method: string;
  readonly query: { readonly [name: string]: string | readonly string[] };
  /** Without what signs, and what lets in. */
  readonly headers: { readonly [name: string]: string };
  readonly body: Json;
  readonly deliveryId: string | null;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** The body could not be read, and stands here as text. */
  readonly unreadable?: Trouble;
  /** What of the body could only be kept changed, such as a number with too many digits. */
  readonly loss?: { readonly pointer: string; readonly code: string; readonly message: string };
};

/** What is to be done, and under which key: the same delivery never does it twice. */
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
  /** For all executions with a correlation key. */
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

/** Where a delivery stands among others of its kind. */
export type SequencePlace = { readonly by: string; readonly value: number | string };

export type Arrival = {
  /** What tells a repeat: the sender's id with a "=" before it, or a word of the engine's own with a "~". */
  readonly identity: string;
  readonly request: KeptRequest;
  readonly mapped: Mapped;
  readonly sequence: SequencePlace | null;
};

/** They travel with each call, so the object never has to be told of changes. */
export type TriggerTerms = {
  readonly tenant: string;
  readonly trigger: string;
  readonly kind: TriggerKind;
  readonly perMinute: number;
  readonly burst: number;
};

export type PollerTerms = Pick<TriggerTerms, "tenant" | "trigger" | "kind"> & { readonly poll: PollTerms };

export type Taken = {
  /** `trd_` and its number at this trigger. */
  readonly id: string;
  readonly deliveryId: string | null;
  readonly status: DeliveryStatus;
  readonly execution: string | null;
  readonly event: string | null;
  readonly reason: Trouble | null;
};
export type Answered = Taken & { readonly duplicate: boolean };

export type Delivery = Taken & {
  readonly receivedAt: number;
  readonly tries: number;
  readonly nextTryAt: number | null;
  /** Under which key its execution has it, where it came to something. */
  readonly key: string | null;
  /** Null where it has been let go of. */
  readonly request: KeptRequest | null;
};

export type DeliveryQuery = {
  readonly status: DeliveryStatus | null;
  readonly deliveryId: string | null;
  /** The id of the last one of the page before. */
  readonly before: string | null;
  readonly limit: number;
  /** Of those with a status: in the order in which they came, from the first one on. */
  readonly oldestFirst?: true;
};
export type ReplayItem = Pick<Arrival, "mapped" | "sequence"> & { readonly id: string };

export type TriggerView = {
  readonly pending: number;
  /** Unmappable and failed ones: they wait for a person. */
  readonly stuck: number;
  readonly lastAt: number | null;
  /** Of a poller; absent from objects that know of none. */
  readonly poller?: PollerView | null;
};

export type TriggerPort = {
  /** All in one commit. Refused: there were too many lately, or too many wait. */
  take(terms: TriggerTerms, arrivals: readonly Arrival[]): Promise<Result<readonly Answered[]>>;
  /** Newest first, unless asked otherwise. */
  list(query: DeliveryQuery): Promise<readonly Delivery[]>;
  read(id: string): Promise<Delivery | null>;
  replay(terms: TriggerTerms, items: readonly ReplayItem[]): Promise<readonly Result<Taken>[]>;
  /** A poller is told its terms each time somebody looks: should it not have heard of them, it begins. */
  view(terms?: PollerTerms): Promise<TriggerView>;
  tellPoll(terms: PollerTerms): Promise<PollerView>;
  pollNow(terms: PollerTerms): Promise<PollerView>;
  /** Asks for one page and changes nothing. */
  previewPoll(terms: PollerTerms): Promise<PollPreview>;
  /** All of it: its trigger is deleted. */
  forget(): Promise<void>;
};

/** What a hand-over came to. later: it may succeed. */
export type HandedOver =
  | { readonly kind: "applied" }
  | { readonly kind: "later"; readonly reason: Trouble }
  | { readonly kind: "failed"; readonly reason: Trouble };

/** The Worker's stateless entrypoint, as the object sees it. In the order given, and an answer for each. */
export type HandOverPort = {
  handOver(
    of: { readonly tenant: string; readonly trigger: string; readonly kind: TriggerKind },
    effects: readonly Effect[],
  ): Promise<readonly HandedOver[]>;
};
