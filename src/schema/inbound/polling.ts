// Polling: the state of a poller's object, and its calls to the Worker, which sends the requests. Plain JSON; changes
// are additive only.
import type { Json } from "../json.ts";
import type { Arrival, DeliveryFault } from "./delivery.ts";
import type { PollSettings } from "./poll.ts";
import type { TriggerKind } from "./started-by.ts";

export const POLL_VERSION = 1;

/** The position of a page: its address (`url`), or a cursor's value. */
export type PollCursor = { readonly by: "url" | "value"; readonly at: string };
export type PollValidators = { readonly etag: string | null; readonly lastModified: string | null };

/**
 * The poller's settings in the catalog. The object is notified of changes, and reads the settings again if a
 * notification was lost.
 */
export type PollTerms = {
  /** The version of the trigger. An answer to a request of an older version is discarded. */
  readonly generation: number;
  /** Counts the resets of the position. */
  readonly epoch: number;
  readonly isEnabled: boolean;
  readonly everyMs: number;
  /** A digest of the request and the reading of its answer. If it changes, the poll cycle restarts. */
  readonly reading: string;
} & Pick<PollSettings, "order" | "change" | "resume" | "from">;

/** One poll cycle: the list from its first page to its last. */
export type PollCycle = {
  readonly startedAt: number;
  /** The position of the next page; null: the first page. */
  readonly cursor: PollCursor | null;
  readonly pages: number;
  readonly items: number;
  /** The number of new items so far. */
  readonly found: number;
  /**
   * The rank of the cycle's first item. Ranks order items newest first; an interrupted pass has used the lower ranks.
   */
  readonly base: number;
  /** A cursor that was read before. If it occurs again, the paging is a loop. */
  readonly mark: PollCursor | null;
  readonly firstValidators: PollValidators | null;
};

export const pollOutcomes = ["baseline", "items", "unchanged", "failed", "off"] as const;
export type PollOutcome = (typeof pollOutcomes)[number];

export type PollState = {
  readonly v: typeof POLL_VERSION;
  readonly terms: PollTerms;
  /** Counts changes of the state. An answer to a request from before a change is discarded. */
  readonly seq: number;
  /** The number of completed cycles. It numbers the current or next cycle. */
  readonly rounds: number;
  /** The number of started cycles. */
  readonly starts: number;
  /** True: the items of the first poll are recorded as known. */
  readonly hasBaseline: boolean;
  readonly round: PollCycle | null;
  /** The position of the first page of the next cycle; null: the list's first page. */
  readonly cursor: PollCursor | null;
  readonly validators: PollValidators | null;
  /** When the next page is requested (epoch ms); null: the poller is disabled. */
  readonly nextAt: number | null;
  readonly failures: number;
  readonly trouble: DeliveryFault | null;
  /** Since when polls fail (epoch ms); absent or null if they do not. */
  readonly troubledAt?: number | null;
  readonly last: { readonly at: number; readonly outcome: PollOutcome; readonly found: number } | null;
  /** The counter that numbers undelivered and known items. */
  readonly counter: number;
};

/** The request that the Worker should send. */
export type PollRequest = {
  readonly seq: number;
  readonly generation: number;
  readonly cursor: PollCursor | null;
  readonly validators: PollValidators | null;
};

export type PollItem = {
  readonly id: string;
  readonly hash: string;
  readonly body: Json;
  readonly trouble?: DeliveryFault;
};
export type PollPage = {
  readonly items: readonly PollItem[];
  readonly next: PollCursor | null;
  readonly validators: PollValidators;
};
export type PollAnswer =
  | { readonly kind: "page"; readonly page: PollPage }
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "failed";
      readonly reason: DeliveryFault;
      readonly isFinal: boolean;
      readonly retryAfterMs: number | null;
    }
  /** No request was sent, because the poller must stop. `reason`: why. */
  | { readonly kind: "off"; readonly reason: DeliveryFault }
  | { readonly kind: "gone" };

/** A poll's answer, with the settings in the catalog; `terms` is null if the catalog does not answer. */
export type PollResult = { readonly terms: PollTerms | null; readonly answer: PollAnswer };

export type PollSeen = {
  readonly hash: string;
  readonly version: number;
  readonly round: number;
  readonly base: number;
  readonly n: number;
};

/** An item that was read and is not delivered yet. `rank`: its position in its cycle. */
export type UndeliveredItem = {
  readonly n: number;
  readonly round: number;
  readonly rank: number;
  readonly deliveryId: string;
  readonly body: Json;
  readonly foundAt: number;
  readonly trouble?: DeliveryFault;
};

export type PollerHealth = "healthy" | "failing" | "waiting" | "off";
export type PollerView = {
  readonly health: PollerHealth;
  readonly reason: DeliveryFault | null;
  /** The instruction for the operator; null if none is needed. */
  readonly nextStep: string | null;
  readonly lastPollAt: number | null;
  readonly outcome: PollOutcome | null;
  /** The number of items that the last poll found. */
  readonly found: number;
  readonly nextPollAt: number | null;
  readonly failures: number;
  /** Since when polls fail (epoch ms); absent in answers of older objects, null if they do not fail. */
  readonly troubleSince?: number | null;
  readonly hasBaseline: boolean;
  /** The beginning of the cursor. The rest is hidden, because a cursor may contain confidential data. */
  readonly cursor: string | null;
  readonly backlog: number;
  readonly seen: number;
};

/** The result of a poll that changes nothing. */
export type PollPreview = {
  readonly answer: "page" | "unchanged" | "failed" | "off";
  readonly reason: DeliveryFault | null;
  /** The number of items on the page; `fresh`: the number of new ones. */
  readonly items: number;
  readonly fresh: number;
  /** True: the poll would only record the items as known, because it is the first one. */
  readonly isBaseline: boolean;
  /** The deliveries to which the first new items would be mapped. */
  readonly arrivals: readonly Arrival[];
};

type Of = { readonly tenant: string; readonly trigger: string; readonly kind: TriggerKind };

/** The object's calls to the Worker. */
export type PollPort = {
  poll(of: Of, ask: PollRequest): Promise<PollResult>;
  /** Maps items to deliveries, in the same order; null if the catalog does not answer. */
  mapItems(of: Of, items: readonly UndeliveredItem[]): Promise<readonly Arrival[] | null>;
};
