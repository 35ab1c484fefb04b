// Pool refusals: the answers of a pool cell that does not accept a start. The Worker reads the details and calls the
// cell they name; code without details treats it as retryable.
import type { Pool } from "#schema/placement/tenant-pool.ts";
import type { Refusal } from "#schema/refusal.ts";

export function poolMoved({ epoch, size, layers }: Pool): Refusal {
  return {
    ...again,
    message: "The tenant's pool was resized, and the key is now routed to another cell.",
    details: { why: "pool_moved", pool: { epoch, size, layers: [...layers] } },
  };
}

export function keyElsewhere(cell: number): Refusal {
  return {
    ...again,
    message: "The key was first used when the tenant's pool had another size.",
    details: { why: "key_elsewhere", cell },
  };
}

const again = {
  code: "unavailable",
  hint: "Send the same request again with the same Idempotency-Key; it is not executed twice.",
  retryAfterS: 1,
} as const;

export const othersSilent: Refusal = {
  ...again,
  message: "Whether another cell of the tenant's pool has this key could not be checked.",
};

/** An internal error: no cell was queried for such a key, so it could begin twice. */
export const notOfCell: Refusal = { code: "internal_error", message: "This key is not routed to this cell." };
