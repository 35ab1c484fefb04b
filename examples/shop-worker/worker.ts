// Shop Worker: the steps of an order as methods. The engine calls the methods over RPC. All results follow from the
// idempotency key, so a repeated call returns the same result.
import { WorkerEntrypoint } from "cloudflare:workers";

/** What the engine passes with each call. The key is the same for every attempt and every retry of a step. */
type StepCall = {
  readonly idempotencyKey: string;
  readonly attempt: number;
  /** When the engine stops waiting, in milliseconds since 1970. */
  readonly deadline: number;
  readonly execution: string;
  readonly run: string;
  readonly tenant: string;
};

const TOTAL_MAX = 1_000;

export default class Shop extends WorkerEntrypoint {
  reserve({ items }: { readonly items: readonly string[] }, { idempotencyKey }: StepCall): object {
    if (items.length === 0) throw refusal("The order has no items.", "order_empty");
    return { reservation: `res:${idempotencyKey}`, items };
  }

  charge({ total }: { readonly total: number }, { idempotencyKey }: StepCall): object {
    if (total > TOTAL_MAX) throw refusal(`The card allows at most ${TOTAL_MAX}.`, "card_declined");
    return { payment: `pay:${idempotencyKey}`, total };
  }

  ship({ reservation }: { readonly reservation: string }, { idempotencyKey }: StepCall): object {
    return { tracking: `trk:${idempotencyKey}`, reservation };
  }
}

/** An error that the engine does not retry. A process can react to its code, here as `worker_<code>`. */
function refusal(message: string, code: string): Error {
  return Object.assign(new Error(message), { code, retryable: false });
}
