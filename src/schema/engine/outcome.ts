// Outcomes: the result of one attempt as data. It is a success with result events, or an error of a known type.
import { z } from "zod";
import { json, jsonObject } from "../json.ts";
import { limitHoldReasons, limitPlace, limitSkipReasons } from "../key-limits/calls.ts";
import { quietHours } from "../policies/policy.ts";

/** The error types of the action framework. A runner may return further snake_case types, such as gas_price_too_low. */
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
 * Whether a failed attempt may have changed something at the provider. none: it changed nothing. unknown: the request
 * was sent, but its result is not known. Absent: the provider answered with a failure.
 */
export const effect = z.enum(["none", "unknown"]);

export const actionError = z.object({
  type: z.string().regex(/^[a-z][a-z0-9_]*$/),
  message: z.string(),
  retryable: z.boolean(),
  code: z.string().optional(),
  effect: effect.optional(),
  /** The id of the connection that the attempt used. Absent if it used none, or if the connection is unknown. */
  connection: z.string().optional(),
  details: jsonObject.optional(),
});
export type ActionError = z.infer<typeof actionError>;

/**
 * Why the body of a successful answer is incomplete. It was cut off, did not end before the deadline, exceeded the
 * limit of length or depth, or is not JSON although the answer says so.
 */
export const bodyIncomplete = z.enum(["cut", "timeout", "too_long", "too_deep", "not_json"]);
export type BodyIncomplete = z.infer<typeof bodyIncomplete>;

export const resultEvent = z.object({ type: z.string().min(1), payload: json });

/** The reasons of holds by a connection. The hold with the reason `unavailable` may also be the catalog's. */
export const connectionHoldReasons = [
  "rate_limited",
  "retry_after",
  "concurrency",
  "circuit_open",
  "needs_attention",
  "unavailable",
] as const;
export type ConnectionHoldReason = (typeof connectionHoldReasons)[number];

/**
 * Why a run is held. retry_after: the provider requested a pause. needs_attention: the provider rejects the account's
 * credentials. unavailable: the connection's object or the catalog did not answer. quota, suspended: limits of the
 * tenant. queue_share: the tenant's share of the queue is used up. cap: the subject's cap is reached. window: the time
 * window is closed. quiet_hours: a policy of the tenant is closed. awaiting_receipt: the attempt's transaction is
 * pending. limit_…: a limit by key, and its term.
 */
export const holdReasons = [
  ...connectionHoldReasons,
  "awaiting_receipt",
  "quota",
  "queue_share",
  "suspended",
  "cap",
  "window",
  ...limitHoldReasons,
  "quiet_hours",
] as const;

/** The hold of a run: until `until` (epoch ms) no call is made for it. A hold does not count as an attempt. */
export const hold = z.object({
  reason: z.enum(holdReasons),
  until: z.number(),
  /**
   * The name of the connection that caused the hold. Null if the catalog, a limit of the tenant or a window caused it.
   */
  connection: z.string().nullable(),
  /** The run's places at its limits by key. Absent if it has none. */
  places: z.array(limitPlace).optional(),
  /** The name of the tenant's policy that holds the run. Absent if no policy does. */
  policy: z.string().optional(),
});
export type Hold = z.infer<typeof hold>;

/** The next reminder and the escalation of an open task, as `TaskWatch`. */
const taskWatch = z.object({
  remind: z.object({ at: z.number(), everyMs: z.number().nullable(), given: z.number(), left: z.number() }).nullable(),
  escalateAt: z.number().nullable(),
});
/**
 * A task that a run created, changed or closed. If `watch` is absent, the task's reminders and escalation stay as they
 * are.
 */
export const touchedTask = z.object({
  run: z.string(),
  id: z.string(),
  isOpen: z.boolean(),
  watch: taskWatch.optional(),
});
export type TouchedTask = z.infer<typeof touchedTask>;

/**
 * Why a run is skipped at its attempt. capped: its subject's cap is reached. suppressed: no recipient may be sent to. The
 * other reasons are those of limits by key.
 */
export const skipReasons = ["capped", "suppressed", ...limitSkipReasons] as const;
export type SkipReason = (typeof skipReasons)[number];

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
    /** The pause that the provider requested, in ms. Absent if it requested none. */
    retryAfterMs: z.number().nonnegative().optional(),
    /** The events that a permanent failure emits. Absent if it emits none. */
    events: z.array(resultEvent).optional(),
    /**
     * Set if no attempt was made and the run is held. In this case `error` describes the hold, for older code that does
     * not read `held`.
     */
    held: hold.optional(),
    /** Set if the tenant's quiet hours may hold the run. The execution then decides about them. */
    quietHours: z.array(quietHours).min(1).optional(),
    /**
     * Set if the run is skipped without an attempt; the value is the reason. The execution continues as after any
     * skipped run.
     */
    skipped: z.enum(skipReasons).optional(),
    /** Only with `skipped`: when a new run may pass the cap or the limit by key. Absent if this is unknown. */
    nextAt: z.number().optional(),
    startedAt: z.number(),
    endedAt: z.number(),
    costEstimate: z.number().optional(),
    metadata: jsonObject.optional(),
  }),
]);
export type Outcome = z.infer<typeof outcome>;

/**
 * The result of one of several runs in a batch. `at`: the index of the run. `lost`: the run failed unexpectedly, so its
 * effect is unknown.
 */
export type BatchedResult =
  | { readonly at: number; readonly outcome: Outcome }
  | { readonly at: number; readonly lost: string };

export type BatchedResults = {
  /** The results of those attempts that ended at about the same time. */
  readonly landed: readonly BatchedResult[];
  /** Waits until more attempts end. Absent if `landed` contains the last ones. */
  readonly more?: () => Promise<BatchedResults>;
};
