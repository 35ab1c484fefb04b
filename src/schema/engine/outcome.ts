// Outcomes: the result of one attempt as data: success with result events, or a classified error.
import { z } from "zod";
import { json, jsonObject } from "../json.ts";

/** The error types of the action framework. A runner may add further snake_case types (gas_price_too_low). */
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
 * The effect of a failed attempt at the provider. none: nothing was changed. unknown: the request was sent, but its result
 * is not known. Absent: the provider answered with a failure.
 */
export const effect = z.enum(["none", "unknown"]);

export const actionError = z.object({
  type: z.string().regex(/^[a-z][a-z0-9_]*$/),
  message: z.string(),
  retryable: z.boolean(),
  code: z.string().optional(),
  effect: effect.optional(),
  /** The id of the connection that the attempt used; absent if it used none or the connection is unknown. */
  connection: z.string().optional(),
  details: jsonObject.optional(),
});
export type ActionError = z.infer<typeof actionError>;

/**
 * Why the body of a successful answer is incomplete: cut off, not ended before the deadline, over the limits of length
 * or depth, or not JSON as announced.
 */
export const bodyIncomplete = z.enum(["cut", "timeout", "too_long", "too_deep", "not_json"]);
export type BodyIncomplete = z.infer<typeof bodyIncomplete>;

export const resultEvent = z.object({ type: z.string().min(1), payload: json });

/**
 * Why a run is held. retry_after: the provider requested a pause. needs_attention: the provider rejects the account's
 * credentials. unavailable: the connection's object or the catalog did not answer. quota, suspended: limits of the
 * tenant. queue_share: the tenant's share of the queue is used up. cap: the subject's cap is reached. window: the time
 * window is closed. awaiting_receipt: the attempt's transaction is pending.
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

/** The hold of a run: the engine makes no call before `until` (epoch ms). A hold does not count as an attempt. */
export const hold = z.object({
  reason: z.enum(holdReasons),
  until: z.number(),
  /**
   * The name of the connection that caused the hold; null if the catalog, a limit of the tenant or a window caused it.
   */
  connection: z.string().nullable(),
});
export type Hold = z.infer<typeof hold>;

/** The next reminder and the escalation of an open task, as `TaskWatch`. */
const taskWatch = z.object({
  remind: z.object({ at: z.number(), everyMs: z.number().nullable(), given: z.number(), left: z.number() }).nullable(),
  escalateAt: z.number().nullable(),
});
/**
 * A task that a run created, changed or closed. If `watch` is absent, the task's reminders and escalation stay
 * unchanged.
 */
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
    /** The wait that the provider requested, in ms; absent if it requested none. */
    retryAfterMs: z.number().nonnegative().optional(),
    /**
     * Set if no attempt was made and the run is held. `error` describes the hold for older code, which does not read
     * this field.
     */
    held: hold.optional(),
    /**
     * Set if the run is skipped without any attempt: the reason. The execution continues as after any other skipped
     * run.
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
 * The result of one of several runs in a batch. `at`: the index of the run. `lost`: the run failed unexpectedly, and
 * its effect is unknown.
 */
export type BatchedResult =
  | { readonly at: number; readonly outcome: Outcome }
  | { readonly at: number; readonly lost: string };

export type BatchedResults = {
  /** The attempts that ended at about the same time. */
  readonly landed: readonly BatchedResult[];
  /** Waits for the next attempts to end; absent if these are the last. */
  readonly more?: () => Promise<BatchedResults>;
};
