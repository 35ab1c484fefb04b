// What a pool's cell says to whom it lets not in. The Worker looks at the details and asks where they say; code of before
// there were any takes it for what it is: it may be sent again.
import type { Pool } from "#schema/placement/tenant-pool.ts";
import type { Refusal } from "#schema/refusal.ts";

export function poolMoved({ epoch, size, layers }: Pool): Refusal {
  return {
    ...again,
    message: "The tenant's pool has another size by now, and the key leads elsewhere.",
    details: { why: "pool_moved", pool: { epoch, size, layers: [...layers] } },
  };
}

export function keyElsewhere(cell: number): Refusal {
  return {
    ...again,
    message: "The key began something while the tenant's pool had another size.",
    details: { why: "key_elsewhere", cell },
  };
}

const again = {
  code: "unavailable",
  hint: "Send the same request again with the same Idempotency-Key; nothing is done twice.",
  retryAfterS: 1,
} as const;

export const othersSilent: Refusal = {
  ...again,
  message: "Whether another cell of the tenant's pool knows this key cannot be found out just now.",
};

/** A mistake of ours. Nobody has been asked for such a key, so it could begin twice. */
export const notOfCell: Refusal = { code: "internal_error", message: "This key does not lead to this cell." };
