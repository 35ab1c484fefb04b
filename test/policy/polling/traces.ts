// Pollers for tests of their steps: settings, pages, and a memory that stores the items like the object.
import { nextRequest, mayRelease, openPoll, stepPoll, type PollInput } from "#policy/polling/step.ts";
import type {
  PollAnswer,
  PollCursor,
  UndeliveredItem,
  PollItem,
  PollPage,
  PollSeen,
  PollState,
  PollTerms,
} from "#schema/inbound/polling.ts";

export const NOW = Date.UTC(2026, 10, 19, 3);
export const EVERY = 300_000;

export const terms = (over: Partial<PollTerms> = {}): PollTerms => ({
  generation: 1,
  epoch: 0,
  isEnabled: true,
  everyMs: EVERY,
  reading: "a list",
  order: "oldest_first",
  change: "ids",
  resume: "start",
  from: "all",
  ...over,
});

export const cursor = (at: string): PollCursor => ({ by: "value", at });
export const item = (id: string, hash = ""): PollItem => ({ id, hash, body: { id } });

export function page(
  ids: readonly (string | PollItem)[],
  next: string | null = null,
  etag: string | null = null,
): PollPage {
  const items = ids.map((each) => (typeof each === "string" ? item(each) : each));
  return { items, next: next === null ? null : cursor(next), validators: { etag, lastModified: null } };
}

export const nothing = { count: 0, bytes: 0 };

/** A poller with its stored rows. */
export class Memory {
  state: PollState;
  now = NOW;
  readonly seen = new Map<string, PollSeen>();
  held: UndeliveredItem[] = [];
  readonly released: string[] = [];

  constructor(over: Partial<PollTerms> = {}) {
    this.state = openPoll(terms(over), this.now);
  }

  input(input: PollInput): PollState {
    const step = stepPoll(this.state, input, this.now);
    if (step.isReset) {
      this.seen.clear();
      this.held = [];
    }
    this.held.push(...step.held);
    for (const { id, ...each } of step.seen) this.seen.set(id, each);
    this.state = step.state;
    return this.state;
  }

  /** Sends the due request and applies this answer. */
  answer(answer: PollAnswer): PollState {
    const ask = nextRequest(this.state, nothing, this.now);
    if (ask === null) throw new Error("nothing is asked now");
    return this.input({ kind: "answer", ask, answer, known: this.seen });
  }

  page(...of: Parameters<typeof page>): PollState {
    return this.answer({ kind: "page", page: page(...of) });
  }

  /** Moves the clock to the next poll. */
  wait(): void {
    this.now = this.state.nextAt ?? this.now;
  }

  /** Returns the items that may be delivered, in order. */
  release(): string[] {
    const due = this.held.filter(({ cycle }) => mayRelease(this.state, cycle));
    const sorted = due.toSorted((one, other) => one.cycle - other.cycle || one.rank - other.rank);
    this.held = this.held.filter((each) => !due.includes(each));
    const ids = sorted.map(({ deliveryId }) => deliveryId);
    this.released.push(...ids);
    return ids;
  }
}

export const failure = (over: Partial<Extract<PollAnswer, { kind: "failed" }>> = {}): PollAnswer => ({
  kind: "failed",
  reason: { code: "service_unavailable", message: "503" },
  isFinal: false,
  retryAfterMs: null,
  ...over,
});
