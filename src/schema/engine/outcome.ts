// Outcomes: what a runner returns: success with result events, or a classified error. Data, never an exception.
import { z } from "zod";
import { json, jsonObject } from "../json.ts";

/** The error types of the action framework; a runner may add its own snake_case ones (gas_price_too_low). */
export const errorTypes = [
  "timeout",
  "rate_limit",
  "authentication_failed",
  "authorization_failed",
  "invalid_configuration",
  "malformed_request",
  "not_found",
  "network_error",
  "service_unavailable",
  "unknown_error",
] as const;

/**
 * none: nothing was sent, or what was sent changes nothing. unknown: it was sent, and its result is unknown. Absent:
 * the provider answered that it failed.
 */
export const effect = z.enum(["none", "unknown"]);

export const actionError = z.object({
  type: z.string().regex(/^[a-z][a-z0-9_]*$/),
  message: z.string(),
  retryable: z.boolean(),
  code: z.string().optional(),
  effect: effect.optional(),
  /** The connection used, by its id; absent if none was, or it is unknown. */
  connection: z.string().optional(),
  details: jsonObject.optional(),
});
export type ActionError = z.infer<typeof actionError>;

/**
 * `bodyIncomplete` in a result: the status was a success, but the body was cut off, did not end before the deadline,
 * exceeded the limits of length or depth, or was declared as JSON and is not.
 */
export const bodyIncomplete = z.enum(["cut", "timeout", "too_long", "too_deep", "not_json"]);
export type BodyIncomplete = z.infer<typeof bodyIncomplete>;

export const resultEvent = z.object({ type: z.string().min(1), payload: json });

/**
 * retry_after: the provider requested a pause for this connection. needs_attention: the provider rejects the account's
 * credentials, and an operator must fix them. unavailable: the connection or the catalog did not answer, which is not
 * the action's failure. quota, suspended: the tenant's limits. queue_share: the tenant's runs occupy its share of the
 * shared queues. cap: its subject has reached its cap. window: the action's window is closed. awaiting_receipt: the
 * attempt's transaction is pending, and the same attempt checks it again.
 */
export const holdReasons = [
  "rate_limited",
  "retry_after",
  "concurrency",
  "circuit_open",
  "needs_attention",
  "unavailable",
  "awaiting_receipt",
  "quota",
  "queue_share",
  "suspended",
  "cap",
  "window",
] as const;

/** No call over this connection before `until`. No attempt is used. */
export const hold = z.object({
  reason: z.enum(holdReasons),
  until: z.number(),
  /** The name of the connection that held it; null if it was the catalog, the tenant's limits or a window. */
  connection: z.string().nullable(),
});
export type Hold = z.infer<typeof hold>;

/** What happens to an open task; as in `TaskWatch`. */
const taskWatch = z.object({
  remind: z.object({ at: z.number(), everyMs: z.number().nullable(), given: z.number(), left: z.number() }).nullable(),
  escalateAt: z.number().nullable(),
});
/** A task of the execution after the run. `watch` absent: unchanged. */
export const touchedTask = z.object({
  run: z.string(),
  id: z.string(),
  isOpen: z.boolean(),
  watch: taskWatch.optional(),
});
export type TouchedTask = z.infer<typeof touchedTask>;

export const outcome = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    result: json,
    events: z.array(resultEvent),
    /** The tasks that the run created, changed or canceled. */
    tasks: z.array(touchedTask).optional(),
    startedAt: z.number(),
    endedAt: z.number(),
    costEstimate: z.number().optional(),
    metadata: jsonObject.optional(),
  }),
  z.object({
    ok: z.literal(false),
    error: actionError,
    /** The provider's own retry time, if given. */
    retryAfterMs: z.number().nonnegative().optional(),
    /** Set: no attempt was made, and `error` has a text for code that does not support holds. */
    held: hold.optional(),
    /**
     * Set: no attempt was made, and none will be. The reason as a snake_case fact; the process continues as after any
     * skipped run.
     */
    skipped: z.enum(["capped"]).optional(),
    startedAt: z.number(),
    endedAt: z.number(),
    costEstimate: z.number().optional(),
    metadata: jsonObject.optional(),
  }),
]);
export type Outcome = z.infer<typeof outcome>;

/**
 * The result of one of several batched runs. `at`: its position in the batch. `lost`: it failed unexpectedly, and its
 * effect is unknown.
 */
export type BatchedResult =
  | { readonly at: number; readonly outcome: Outcome }
  | { readonly at: number; readonly lost: string };

export type BatchedResults = {
  /** Attempts that ended at about the same time. */
  readonly landed: readonly BatchedResult[];
  /** Waits for the next attempts; absent if these are the last. */
  readonly more?: () => Promise<BatchedResults>;
};
