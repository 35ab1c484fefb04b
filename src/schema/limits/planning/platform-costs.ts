// Platform costs: how many billed operations each step of an execution causes, as the cost meter measured it. A
// forecast multiplies these counts. test/cost/forecast.alone.workers.test.ts measures them again, and fails if a
// constant is wrong.
import type { PlatformCounts } from "../../virtual/forecast.ts";
import { LEASE_BLOCK_MIN } from "../tenants/quota-leases.ts";

/** The kinds of counted steps. Each attempt, timer, call and message belongs to exactly one kind. */
export type CostLane =
  | "start"
  /** An attempt in the direct lane. */
  | "direct"
  /**
   * "queue": an attempt in the queue lane that has a message of its own. The second kind: an attempt whose ticket came
   * with the settlement of the previous run.
   */
  | "queue"
  | "queueNext"
  /**
   * A timer that fires. The next kinds: a timer that fires while its object is still awake, and a timer without an
   * effect.
   */
  | "timer"
  | "soon"
  | "idle"
  /** A request of a client: an event, an observation, or a command. */
  | "call"
  /** An outbox message and its confirmation. */
  | "outbox"
  /**
   * The projection of an execution that has ended. The next kinds: one that has failed, one that waits for a timer, and
   * one that waits without a timer.
   */
  | "end"
  | "failed"
  | "rest"
  | "wait"
  /**
   * A run in a projection. The next kinds: the additional rows of a dead letter, closed or open, which are in indexes of
   * runs and of executions.
   */
  | "run"
  | "deadLetter"
  | "openDeadLetter"
  /** What a subject adds: its admission, its end, and each projection of an execution that waits or has ended. */
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
  deadLetter: costs(0, 0, 0, 2),
  openDeadLetter: costs(0, 0, 0, 1),
  subject: costs(5, 1, 0, 0),
  subjectEnd: costs(2, 2, 0, 0),
  subjectRest: costs(0, 0, 0, 2),
  subjectOver: costs(0, 0, 0, 1),
} as const;

type Costs = { readonly [lane in CostLane]: PlatformCounts };

/** The costs by placement. The cells of a pool share alarms and messages, which are counted in `perWindow`. */
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

/**
 * The queue messages of one projection. An execution with its own cell sends one message. In a pool, many runs share a
 * message.
 */
export const perProjection = { own: costs(0, 0, 1, 0), pooledRun: costs(0, 0, 0.01, 0) } as const;

/** Costs per cell and period, however many executions the cell has. */
export const perWindow = {
  /** The cell's fallback alarm for work that is due soon. */
  alarm: { ms: 3_000, costs: costs(1, 1, 0, 0) },
  projection: { ms: 200, costs: costs(0, 0, 1, 0) },
  /** The starts in one slice of an enrolment list share one request. Any other start has a request of its own. */
  listedStart: { ms: 1_000, costs: costs(0, 1, 0, 0) },
  /** The daily counters: one row per tenant for each batch of the catalog's consumer, for any placement. */
  day: { ms: 1_000, costs: costs(0, 0, 0, 1) },
} as const;

/** Two projections of an execution within this time cause one write (wrangler.toml, max_batch_timeout). */
export const CATALOG_BATCH_MS = 1_000;

/** What a slot of a cap costs, including its release. */
export const perSlot = costs(1, 1, 0, 0);

/** What one call to an object of a limit by key costs. Each attempt makes one call before it and one after it. */
export const perKeyLimitCall = costs(1, 1, 0, 0);

/**
 * What one call to a connection's object costs. Each attempt makes one call before it, and with a slot another one
 * after it. In addition, the object writes once per second of use.
 */
export const perGateCall = costs(0, 1, 0, 0);
export const perGateSecond = costs(1, 0, 0, 0);

/**
 * What a slice of a paced enrolment list costs. The list's object writes the plan and the result, sets its alarm, and
 * is woken by it.
 */
export const perSlice = costs(4, 1, 0, 0);

/** What one start or attempt costs in the tenant's object: its part of the report of a lease. */
export const perUse = costs(0, 1 / LEASE_BLOCK_MIN, 0, 0);

/**
 * How long after its due time an attempt calls the connection's object. It varies, so that attempts do not find free
 * slots in a fixed order.
 */
export const comesLateMs = { min: 5, max: 45 } as const;
