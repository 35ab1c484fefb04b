// What the platform bills for each thing that an execution does: constants, read off the cost meter. A forecast counts the things
// and multiplies. test/cost/forecast.alone.workers.test.ts meters them again, and fails where a constant has drifted.
import type { PlatformCounts } from "../../virtual/forecast.ts";
import { LEASE_BLOCK_MIN } from "../tenants/quota-leases.ts";

/** What is counted of an execution. Each attempt, timer, call and message is in one lane. */
export type CostLane =
  | "start"
  /** An attempt in the direct lane. */
  | "direct"
  /** An attempt in the queue lane that has a message of its own; and one that the settlement before it brings along. */
  | "queue"
  | "queueNext"
  /** A timer of the execution that rings; one due so soon that its object is still awake; one that changes nothing. */
  | "timer"
  | "soon"
  | "idle"
  /** A request from outside: an event, an observation, a verb. */
  | "call"
  /** An outbox message and its confirmation. */
  | "outbox"
  /** What a projection writes: of an end, a failed one, a rest with a timer and a rest without. */
  | "end"
  | "failed"
  | "rest"
  | "wait"
  /** A run in a projection, and what a dead letter adds, closed or open. */
  | "run"
  | "deadLetter"
  | "openDeadLetter"
  /** What a subject adds: its admission, its end, and each projection of an execution that rests or has ended. */
  | "subject"
  | "subjectEnd"
  | "subjectRest"
  | "subjectOver";

function costs(objectRows: number, objectRequests: number, queueMessages: number, catalogRows: number): PlatformCounts {
  return { objectRows, objectRequests, queueMessages, catalogRows };
}

const everywhere = {
  soon: costs(1, 0, 0, 0),
  outbox: costs(1, 1, 1, 0),
  run: costs(0, 0, 0, 1),
  deadLetter: costs(0, 0, 0, 1),
  openDeadLetter: costs(0, 0, 0, 1),
  subject: costs(5, 1, 0, 0),
  subjectEnd: costs(2, 2, 0, 0),
  subjectRest: costs(0, 0, 0, 2),
  subjectOver: costs(0, 0, 0, 1),
} as const;

type Costs = { readonly [lane in CostLane]: PlatformCounts };

/** By placement. In a pool, alarms and messages are shared: see `perWindow`. */
export const laneCosts: { readonly own: Costs; readonly pooled: Costs } = {
  own: {
    ...everywhere,
    start: costs(4, 1, 0, 0),
    direct: costs(1, 0, 0, 0),
    queue: costs(2, 2, 1, 0),
    queueNext: costs(1, 1, 0, 0),
    timer: costs(1, 1, 0, 0),
    idle: costs(1, 1, 0, 0),
    call: costs(1, 1, 0, 0),
    end: costs(2, 0, 0, 1),
    failed: costs(2, 0, 0, 2),
    rest: costs(2, 0, 0, 3),
    wait: costs(1, 1, 0, 2),
  },
  pooled: {
    ...everywhere,
    start: costs(1, 1, 0, 0),
    direct: costs(1, 0, 0, 0),
    queue: costs(2, 0.4, 1, 0),
    queueNext: costs(1, 0.2, 0, 0),
    timer: costs(1, 0, 0, 0),
    idle: costs(0, 0, 0, 0),
    call: costs(1, 1, 0, 0),
    end: costs(0, 0, 0, 1),
    failed: costs(0, 0, 0, 2),
    rest: costs(0, 0, 0, 3),
    wait: costs(0, 0, 0, 2),
  },
};

/** A projection of an execution in an object of its own is a message; in a pool its runs are so much of a shared one. */
export const perProjection = { own: costs(0, 0, 1, 0), pooledRun: costs(0, 0, 0.01, 0) } as const;

/** What is paid once for all that happen in one cell in so long. */
export const perWindow = {
  /** The cell's fallback alarm for work due soon. */
  alarm: { ms: 3_000, costs: costs(1, 1, 0, 0) },
  projection: { ms: 200, costs: costs(0, 0, 1, 0) },
  /** Starts of one slice of a list. A start outside of a list has its own request. */
  listedStart: { ms: 1_000, costs: costs(0, 1, 0, 0) },
  /** How runs ended, by tenant and day: a row for each batch of the catalog's consumer, whatever the placement. */
  day: { ms: 1_000, costs: costs(0, 0, 0, 1) },
} as const;

/** Two projections of an execution within this time are written once (wrangler.toml, max_batch_timeout). */
export const CATALOG_BATCH_MS = 1_000;

/** A slot under a cap, and its release. */
export const perSlot = costs(1, 1, 0, 0);

/** A connection's object: called before each call, and after each that held a slot; written once per second of use. */
export const perGateCall = costs(0, 1, 0, 0);
export const perGateSecond = costs(1, 0, 0, 0);

/** A paced list: its object writes each slice's plan and result, sets its alarm and is woken by it. */
export const perSlice = costs(4, 1, 0, 0);

/** A tenant's object: reports of starts and attempts, one lease at a time. */
export const perUse = costs(0, 1 / LEASE_BLOCK_MIN, 0, 0);

/**
 * From an attempt's due time to its gate call: an alarm, a commit and two calls. The delay varies, so slots of a
 * connection are not always free in turn, and waits are a little longer.
 */
export const comesLateMs = { min: 5, max: 45 } as const;
