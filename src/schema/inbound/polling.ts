// Polling: the state of a poller's object, and its calls to the Worker, which sends the requests. All types are plain
// JSON; changes are additive only.
import type { Json } from "../json.ts";
import type { Arrival, DeliveryFault } from "./delivery.ts";
import type { PollSettings } from "./poll.ts";
import type { TriggerKind } from "./started-by.ts";

export const POLL_VERSION = 1;

/** The position of a page in a list: the URL of the page (`url`), or the value of a cursor (`value`). */
export type PollCursor = { readonly by: "url" | "value"; readonly at: string };
export type PollValidators = { readonly etag: string | null; readonly lastModified: string | null };

/**
 * The poller's settings in the catalog. The object is notified of each change. If a notification is lost, the object
 * reads the settings at its next poll.
 */
export type PollTerms = {
  /** The version of the trigger. If a request was sent under an older version, the object discards its answer. */
  readonly generation: number;
  /** How many times the poller's position was reset. */
  readonly epoch: number;
  readonly isEnabled: boolean;
  readonly everyMs: number;
  /** A digest of the poller's request and of how its answer is read. If it changes, the poll cycle starts again. */
  readonly reading: string;
} & Pick<PollSettings, "order" | "change" | "resume" | "from">;

/** One poll cycle: the list from its first page to its last. */
export type PollCycle = {
  readonly startedAt: number;
  /** The position of the next page. Null: the first page. */
  readonly cursor: PollCursor | null;
  readonly pages: number;
  readonly items: number;
  /** The number of new items so far. */
  readonly found: number;
  /**
   * The rank of the cycle's first item. Ranks order items, the newest first. If an earlier pass of the list was
   * interrupted, its items have the ranks below this one.
   */
  readonly base: number;
  /**
   * The cursor of an earlier page of this cycle. If the list returns it again, its pages form a loop, and the cycle
   * fails.
   */
  readonly mark: PollCursor | null;
  readonly firstValidators: PollValidators | null;
};

export const pollOutcomes = ["baseline", "items", "unchanged", "failed", "off"] as const;
export type PollOutcome = (typeof pollOutcomes)[number];

export type PollState = {
  readonly v: typeof POLL_VERSION;
  readonly terms: PollTerms;
  /** Counts changes of the state. If the state has changed since a request was sent, the object discards the answer. */
  readonly seq: number;
  /** The number of completed cycles. It is also the number of the current or next cycle. */
  readonly cyclesCompleted: number;
  /** The number of started cycles. */
  readonly cyclesStarted: number;
  /** True: the first poll is complete. It recorded its items as known and delivered none of them. */
  readonly hasBaseline: boolean;
  /** The cycle in progress. Null: between two cycles. */
  readonly cycle: PollCycle | null;
  /** The position at which the next cycle begins. Null: at the list's first page. */
  readonly cursor: PollCursor | null;
  readonly validators: PollValidators | null;
  /** When the next page is requested (epoch ms). Null: the poller is disabled. */
  readonly nextAt: number | null;
  readonly failures: number;
  readonly trouble: DeliveryFault | null;
  /** Since when polls have been failing (epoch ms). Absent or null if the last poll succeeded. */
  readonly troubledAt?: number | null;
  readonly last: { readonly at: number; readonly outcome: PollOutcome; readonly found: number } | null;
  /** The last number that was given to an item. Both undelivered and known items get numbers. */
  readonly counter: number;
};

/** The object's request to the Worker for one page. */
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
  /** The Worker requested no page, because the poller must stop. `reason`: why. */
  | { readonly kind: "off"; readonly reason: DeliveryFault }
  | { readonly kind: "gone" };

/**
 * The answer to a poll, with the poller's current settings from the catalog. `terms` is null if the catalog does not
 * answer.
 */
export type PollResult = { readonly terms: PollTerms | null; readonly answer: PollAnswer };

export type PollSeen = {
  readonly hash: string;
  readonly version: number;
  readonly cycle: number;
  readonly base: number;
  readonly n: number;
};

/** An item that was read and is not delivered yet. `rank`: its position in the cycle that read it. */
export type UndeliveredItem = {
  readonly n: number;
  readonly cycle: number;
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
  /** What the operator should do. Null if nothing needs to be done. */
  readonly nextStep: string | null;
  readonly lastPollAt: number | null;
  readonly outcome: PollOutcome | null;
  /** The number of items that the last poll found. */
  readonly found: number;
  readonly nextPollAt: number | null;
  readonly failures: number;
  /**
   * Since when polls have been failing (epoch ms). Null if they are not failing. Absent in answers of older objects.
   */
  readonly troubleSince?: number | null;
  readonly hasBaseline: boolean;
  /** The beginning of the cursor. The rest may be confidential, so it is hidden. */
  readonly cursor: string | null;
  readonly backlog: number;
  readonly seen: number;
};

/** The result of a poll that stores nothing. */
export type PollPreview = {
  readonly answer: "page" | "unchanged" | "failed" | "off";
  readonly reason: DeliveryFault | null;
  /** The number of items on the page. `fresh`: how many of them are new. */
  readonly items: number;
  readonly fresh: number;
  /** True: this would be the first poll, which only records items as known and delivers none. */
  readonly isBaseline: boolean;
  /** The deliveries to which the first of the new items would be mapped. */
  readonly arrivals: readonly Arrival[];
};

type Of = { readonly tenant: string; readonly trigger: string; readonly kind: TriggerKind };

/** The object's calls to the Worker. */
export type PollPort = {
  poll(of: Of, ask: PollRequest): Promise<PollResult>;
  /** Maps items to deliveries. Returns them in the same order. Returns null if the catalog does not answer. */
  mapItems(of: Of, items: readonly UndeliveredItem[]): Promise<readonly Arrival[] | null>;
};
