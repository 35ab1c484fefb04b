// Polling: the state of a poller's object, and its calls to the Worker, which sends the requests. Plain JSON; changes
// are additive only.
import type { Json } from "../json.ts";
import type { Arrival, DeliveryFault } from "./delivery.ts";
import type { PollSettings } from "./poll.ts";
import type { TriggerKind } from "./started-by.ts";

export const POLL_VERSION = 1;

/** The position of a page: the page's URL (`url`), or the value of a cursor (`value`). */
export type PollCursor = { readonly by: "url" | "value"; readonly at: string };
export type PollValidators = { readonly etag: string | null; readonly lastModified: string | null };

/**
 * The poller's settings in the catalog. The object gets a notification of each change. If a notification was lost, the
 * object reads the settings at the next poll.
 */
export type PollTerms = {
  /** The version of the trigger. The object discards the answer to a request that an older version sent. */
  readonly generation: number;
  /** How many times the poller's position was reset. */
  readonly epoch: number;
  readonly isEnabled: boolean;
  readonly everyMs: number;
  /**
   * A digest of the poller's request and of how its answer is read. If the digest changes, the poll cycle starts again.
   */
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
   * The rank of the cycle's first item. Ranks order the items newest first. An interrupted pass of the list has used
   * the ranks below this one.
   */
  readonly base: number;
  /**
   * A cursor of an earlier page of this cycle. If the same cursor occurs again, the list's paging is a loop, and the
   * cycle fails.
   */
  readonly mark: PollCursor | null;
  readonly firstValidators: PollValidators | null;
};

export const pollOutcomes = ["baseline", "items", "unchanged", "failed", "off"] as const;
export type PollOutcome = (typeof pollOutcomes)[number];

export type PollState = {
  readonly v: typeof POLL_VERSION;
  readonly terms: PollTerms;
  /** Counts changes of the state. The object discards the answer to a request that was sent before a change. */
  readonly seq: number;
  /** The number of completed cycles. The current or next cycle has this number. */
  readonly rounds: number;
  /** The number of started cycles. */
  readonly starts: number;
  /** True: the first poll is complete, and its items were recorded as known without being delivered. */
  readonly hasBaseline: boolean;
  readonly round: PollCycle | null;
  /** The position of the first page of the next cycle; null: the list's first page. */
  readonly cursor: PollCursor | null;
  readonly validators: PollValidators | null;
  /** When the next page is requested (epoch ms); null: the poller is disabled. */
  readonly nextAt: number | null;
  readonly failures: number;
  readonly trouble: DeliveryFault | null;
  /** Since when polls fail (epoch ms); absent or null if the last poll succeeded. */
  readonly troubledAt?: number | null;
  readonly last: { readonly at: number; readonly outcome: PollOutcome; readonly found: number } | null;
  /** The last number that was given to an undelivered or known item. */
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
  /** The Worker sent no request, because the poller must stop. `reason`: why it stops. */
  | { readonly kind: "off"; readonly reason: DeliveryFault }
  | { readonly kind: "gone" };

/** The answer to a poll, and the poller's settings in the catalog. `terms` is null if the catalog does not answer. */
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
  /** Since when polls fail (epoch ms); null if they do not fail. Absent in answers of older objects. */
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
  /** True: this is the first poll, so it would only record the items as known and deliver none. */
  readonly isBaseline: boolean;
  /** The deliveries to which the first new items would be mapped. */
  readonly arrivals: readonly Arrival[];
};

type Of = { readonly tenant: string; readonly trigger: string; readonly kind: TriggerKind };

/** The object's calls to the Worker. */
export type PollPort = {
  poll(of: Of, ask: PollRequest): Promise<PollResult>;
  /** Maps items to deliveries, in the same order. Returns null if the catalog does not answer. */
  mapItems(of: Of, items: readonly UndeliveredItem[]): Promise<readonly Arrival[] | null>;
};
