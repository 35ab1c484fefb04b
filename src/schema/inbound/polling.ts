// Polling: what a poller's object stores of its list, and the calls between it and the Worker's entrypoint, which sends
// the requests. Plain JSON; additive only: during a deploy both versions call each other.
import type { Json } from "../json.ts";
import type { Arrival, Trouble } from "./delivery.ts";
import type { PollSettings } from "./poll.ts";
import type { TriggerKind } from "./started-by.ts";

export const POLL_VERSION = 1;

/** The position of a page. */
export type PollCursor = { readonly by: "url" | "value"; readonly at: string };
export type PollValidators = { readonly etag: string | null; readonly lastModified: string | null };

/** The terms in the catalog. The object is notified of changes, and reads the terms itself if a notification was lost. */
export type PollTerms = {
  /** Grows with each change of the trigger: an answer to an older request is discarded. */
  readonly generation: number;
  /** Grows when the position is to be reset. */
  readonly epoch: number;
  readonly isEnabled: boolean;
  readonly everyMs: number;
  /** What is requested and how it is read: if it changes, the poll cycle restarts. */
  readonly reading: string;
} & Pick<PollSettings, "order" | "change" | "resume" | "from">;

/** One reading of the list, from its first page to its last. */
export type PollRound = {
  readonly startedAt: number;
  /** The page to be read next; null: the first. */
  readonly cursor: PollCursor | null;
  readonly pages: number;
  readonly items: number;
  /** Items that are new. */
  readonly found: number;
  /**
   * Its rank among the items of this cycle, newest first: offset by the items that this pass has found, or by those of
   * an interrupted earlier pass.
   */
  readonly base: number;
  /** A cursor from before: if it occurs again, the paging is a loop. */
  readonly mark: PollCursor | null;
  readonly firstValidators: PollValidators | null;
};

export const pollOutcomes = ["baseline", "items", "unchanged", "failed", "off"] as const;
export type PollOutcome = (typeof pollOutcomes)[number];

export type PollState = {
  readonly v: typeof POLL_VERSION;
  readonly terms: PollTerms;
  /** Counts changes: an answer to a request from before one of them is discarded. */
  readonly seq: number;
  /** Counts completed cycles, and numbers the next or current one. */
  readonly rounds: number;
  /** Counts started cycles. */
  readonly starts: number;
  /** The items of the first poll are recorded. */
  readonly hasBaseline: boolean;
  readonly round: PollRound | null;
  /** The first page of the next cycle; null: the list's first. */
  readonly cursor: PollCursor | null;
  readonly validators: PollValidators | null;
  /** null: it is disabled. */
  readonly nextAt: number | null;
  readonly failures: number;
  readonly trouble: Trouble | null;
  /** Since when polls fail; absent or null if they do not. */
  readonly troubledAt?: number | null;
  readonly last: { readonly at: number; readonly outcome: PollOutcome; readonly found: number } | null;
  /** Numbers held and known items. */
  readonly counter: number;
};

/** The next request. */
export type PollAsk = {
  readonly seq: number;
  readonly generation: number;
  readonly cursor: PollCursor | null;
  readonly validators: PollValidators | null;
};

export type PollItem = { readonly id: string; readonly hash: string; readonly body: Json; readonly trouble?: Trouble };
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
      readonly reason: Trouble;
      readonly isFinal: boolean;
      readonly retryAfterMs: number | null;
    }
  /** No request was sent: the poller must stop, and why. */
  | { readonly kind: "off"; readonly reason: Trouble }
  | { readonly kind: "gone" };

/** A poll's answer with the terms in the catalog; null if the catalog does not answer. */
export type Polled = { readonly terms: PollTerms | null; readonly answer: PollAnswer };

export type PollSeen = {
  readonly hash: string;
  readonly version: number;
  readonly round: number;
  readonly base: number;
  readonly n: number;
};

/** Read, and not delivered yet. `rank`: its position in its cycle. */
export type PollHeld = {
  readonly n: number;
  readonly round: number;
  readonly rank: number;
  readonly deliveryId: string;
  readonly body: Json;
  readonly foundAt: number;
  readonly trouble?: Trouble;
};

export type PollerHealth = "healthy" | "failing" | "waiting" | "off";
export type PollerView = {
  readonly health: PollerHealth;
  readonly reason: Trouble | null;
  /** What an operator can do about it. */
  readonly nextStep: string | null;
  readonly lastPollAt: number | null;
  readonly outcome: PollOutcome | null;
  /** Items that the last poll found. */
  readonly found: number;
  readonly nextPollAt: number | null;
  readonly failures: number;
  /** Since when it has not been read to its end; absent from older objects. */
  readonly troubleSince?: number | null;
  readonly hasBaseline: boolean;
  /** Shortened, because a cursor may contain confidential data. */
  readonly cursor: string | null;
  readonly backlog: number;
  readonly seen: number;
};

/** What a poll would find now. */
export type PollPreview = {
  readonly answer: "page" | "unchanged" | "failed" | "off";
  readonly reason: Trouble | null;
  /** Items of the page, and how many of them are new. */
  readonly items: number;
  readonly fresh: number;
  /** Whether the poll would only record the items, as a baseline. */
  readonly isBaseline: boolean;
  /** What the first new ones would map to. */
  readonly arrivals: readonly Arrival[];
};

type Of = { readonly tenant: string; readonly trigger: string; readonly kind: TriggerKind };

/** The Worker's stateless entrypoint, as the object sees it. */
export type PollPort = {
  poll(of: Of, ask: PollAsk): Promise<Polled>;
  /** The arrivals in the order of the items; null if the result is unknown for now. */
  mapItems(of: Of, items: readonly PollHeld[]): Promise<readonly Arrival[] | null>;
};
