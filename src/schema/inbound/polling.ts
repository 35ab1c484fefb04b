// What a poller's object keeps of its list, and the calls between it and the Worker's entrypoint, which asks. Plain JSON;
// additive only: during a deploy both versions talk to each other.
import type { Json } from "../json.ts";
import type { Arrival, Trouble } from "./delivery.ts";
import type { PollSettings } from "./poll.ts";
import type { TriggerKind } from "./started-by.ts";

export const POLL_VERSION = 1;

/** Where a page is. */
export type PollCursor = { readonly by: "url" | "value"; readonly at: string };
export type PollValidators = { readonly etag: string | null; readonly lastModified: string | null };

/** As the catalog has them; the object is told, and finds out by itself where it was not. */
export type PollTerms = {
  /** Grows with each change of the trigger: what was asked under another one counts for nothing. */
  readonly generation: number;
  /** Grows when what was seen is to be forgotten. */
  readonly epoch: number;
  readonly isEnabled: boolean;
  readonly everyMs: number;
  /** What is asked and how it is read: where it changes, a round begins anew. */
  readonly reading: string;
} & Pick<PollSettings, "order" | "change" | "resume" | "from">;

/** One reading of the list, from the page it begins with to the last. */
export type PollRound = {
  readonly startedAt: number;
  /** The page to be read next; null: the first. */
  readonly cursor: PollCursor | null;
  readonly pages: number;
  readonly items: number;
  /** Items that are new. */
  readonly found: number;
  /**
   * Among which items of this round it is, newest first: those that this beginning of it has found, or, below what an earlier
   * beginning had found before it was broken off, that one.
   */
  readonly base: number;
  /** A cursor that was met: one that comes again leads in a circle. */
  readonly mark: PollCursor | null;
  readonly firstValidators: PollValidators | null;
};

export const pollOutcomes = ["baseline", "items", "unchanged", "failed", "off"] as const;
export type PollOutcome = (typeof pollOutcomes)[number];

export type PollState = {
  readonly v: typeof POLL_VERSION;
  readonly terms: PollTerms;
  /** Counts changes: an answer to what was asked before one of them is discarded. */
  readonly seq: number;
  /** Counts rounds that were read to their end, and is the number of the one that comes or is under way. */
  readonly rounds: number;
  /** Counts rounds that were begun. */
  readonly starts: number;
  /** What is there at the first poll has been taken note of. */
  readonly hasBaseline: boolean;
  readonly round: PollRound | null;
  /** With which page the next round begins; null: the first. */
  readonly cursor: PollCursor | null;
  readonly validators: PollValidators | null;
  /** null: it is switched off. */
  readonly nextAt: number | null;
  readonly failures: number;
  readonly trouble: Trouble | null;
  /** Since when there has been trouble; absent or null if there is none. */
  readonly troubledAt?: number | null;
  readonly last: { readonly at: number; readonly outcome: PollOutcome; readonly found: number } | null;
  /** Numbers what is held and what was seen. */
  readonly counter: number;
};

/** What is to be asked now. */
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
  /** Nothing was asked: it is to rest, and why. */
  | { readonly kind: "off"; readonly reason: Trouble }
  | { readonly kind: "gone" };

/** With the terms as the catalog has them; null where it does not answer. */
export type Polled = { readonly terms: PollTerms | null; readonly answer: PollAnswer };

export type PollSeen = {
  readonly hash: string;
  readonly version: number;
  readonly round: number;
  readonly base: number;
  readonly n: number;
};

/** Read, and not delivered yet. `rank`: its place among those of its round. */
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
  /** What a person can do about it. */
  readonly nextStep: string | null;
  readonly lastPollAt: number | null;
  readonly outcome: PollOutcome | null;
  /** Items that the last poll found. */
  readonly found: number;
  readonly nextPollAt: number | null;
  readonly failures: number;
  /** Since when it has not been read to its end; absent from objects that do not say it yet. */
  readonly troubleSince?: number | null;
  readonly hasBaseline: boolean;
  /** Shortened: a cursor may hold what is nobody's business. */
  readonly cursor: string | null;
  readonly backlog: number;
  readonly seen: number;
};

/** What a poll would find just now. */
export type PollPreview = {
  readonly answer: "page" | "unchanged" | "failed" | "off";
  readonly reason: Trouble | null;
  /** Items of the page; of these, those that are new. */
  readonly items: number;
  readonly fresh: number;
  /** They would be taken note of only. */
  readonly isBaseline: boolean;
  /** What the first of the new ones would come to. */
  readonly arrivals: readonly Arrival[];
};

type Of = { readonly tenant: string; readonly trigger: string; readonly kind: TriggerKind };

/** The Worker's stateless entrypoint, as the object sees it. */
export type PollPort = {
  poll(of: Of, ask: PollAsk): Promise<Polled>;
  /** In the order given; null where nobody can tell just now what they come to. */
  mapItems(of: Of, items: readonly PollHeld[]): Promise<readonly Arrival[] | null>;
};
