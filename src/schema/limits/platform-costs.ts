// What the platform counts for each thing that the engine does, beyond the rows and calls that an execution's steps are
// (cell-meter.ts). Measured, not reckoned: test/cost/forecast.alone.workers.test.ts fails where the meter says otherwise.

import { LEASE_BLOCK_MIN } from "./tenant-quotas.ts";

/** Its object is made: the table, and its definition's row. It is asked to start. */
export const perExecution = { rows: 3, requests: 1 } as const;

/** The subject's object, which is made for it, lets it in, and is told of its end, which it looks at itself. */
export const perSubject = { rows: 5, requests: 1, endRows: 1, endRequests: 2 } as const;

/** A slot under a cap, and again where it is given back. */
export const perSlot = { rows: 1, requests: 1 } as const;

/** What reaches the catalog's consumer within this time is written together (wrangler.toml, max_batch_timeout). */
export const CATALOG_BATCH_MS = 1_000;
/** Messages that it writes together at the most (max_batch_size). */
export const CATALOG_BATCH_MAX = 100;

/** What is told of an execution, or of a run of it, is so large; so much of a message is billed as one. */
export const perTold = { rowBytes: 650, messageBytes: 64_000 } as const;

/** A connection's object: asked before each call, told after each that held a slot, written once in a second of use. */
export const perGate = { requests: 1, rowsPerSecond: 1 } as const;

/** A paced list: its object writes what it is about to do and what came of it, sets its alarm and is woken by it. */
export const perSlice = { rows: 4, requests: 1 } as const;

/** A tenant's object is told of starts and of what is carried out, a lease's worth at a time. */
export const perTelling = { uses: LEASE_BLOCK_MIN, requests: 1 } as const;

/**
 * From when an attempt is due to when its gate is asked: an alarm, a commit and two calls. Each comes as late as it comes, so
 * that places in a connection's line are not always free when their turn has come, and are waited for a little longer.
 */
export const comesLateMs = { min: 5, max: 45 } as const;
