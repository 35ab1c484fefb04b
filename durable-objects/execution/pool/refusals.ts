// Pool refusals: the answers of a pool cell that does not accept a start. Their details name the pool or the cell to
// call, which the Worker does. A caller that does not read the details retries later.
import type { Pool } from "#schema/placement/tenant-pool.ts";
import type { Refusal } from "#schema/refusal.ts";

export function poolMoved({ epoch, size, layers }: Pool): Refusal {
  return {
    ...retryable,
    message: "The tenant's pool was resized, and another cell now receives requests with this key.",
    details: { why: "pool_moved", pool: { epoch, size, layers: [...layers] } },
  };
}

export function keyElsewhere(cell: number): Refusal {
  return {
    ...retryable,
    message: "This key was first used before the tenant's pool was resized.",
    details: { why: "key_elsewhere", cell },
  };
}

const retryable = {
  code: "unavailable",
  hint: "Send the same request again with the same Idempotency-Key. The request is not executed twice.",
  retryAfterS: 1,
} as const;

export const otherCellsUnavailable: Refusal = {
  ...retryable,
  message: "The engine could not check whether another cell of the tenant's pool has this key.",
};

/**
 * Refuses a key that the Worker has routed to the wrong cell, which is a bug. If the cell accepted the key, a second
 * execution could start, because no other cell was queried for the key.
 */
export const notOfCell: Refusal = { code: "internal_error", message: "Another cell receives requests with this key." };
