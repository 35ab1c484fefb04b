// What a runner returns: success with result events, or a classified error. Data, never an exception.
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
 * none: nothing was sent, or what was sent changes nothing. unknown: it was sent, and nobody has said what became of it.
 * Absent: whoever answered has said that it failed.
 */
export const effect = z.enum(["none", "unknown"]);

export const actionError = z.object({
  type: z.string().regex(/^[a-z][a-z0-9_]*$/),
  message: z.string(),
  retryable: z.boolean(),
  code: z.string().optional(),
  effect: effect.optional(),
  /** The connection it was tried over, by its id; absent where it was none, or nobody could say. */
  connection: z.string().optional(),
  details: jsonObject.optional(),
});
export type ActionError = z.infer<typeof actionError>;

/**
 * Stands as `bodyIncomplete` in the result of a run that was a success by its answer's status, while the body was not:
 * it broke off, did not end before the deadline, was more or deeper than is read, or called itself JSON and is none.
 */
export const bodyIncomplete = z.enum(["cut", "timeout", "too_long", "too_deep", "not_json"]);
export type BodyIncomplete = z.infer<typeof bodyIncomplete>;

export const resultEvent = z.object({ type: z.string().min(1), payload: json });

/**
 * retry_after: the provider asked for quiet, and nobody calls it over this connection until then.
 * needs_attention: the provider refuses the connection's account, and a person has to mend it.
 * unavailable: the connection or the catalog could not be asked, which is the engine's trouble and not the action's.
 * quota, suspended: the tenant's terms let nothing go out just now.
 * queue_share: the tenant's runs occupy its share of the shared queues.
 * cap: its subject has had as much as its cap lets through for now.
 * window: the action's window is closed, and opens then.
 * awaiting_receipt: what the attempt set going is under way, and the same attempt comes back to see what became of it.
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

/** Nothing to be done over this connection before `until`. No attempt is spent on it. */
export const hold = z.object({
  reason: z.enum(holdReasons),
  until: z.number(),
  /** The name of the connection that held it; null where it was the catalog, the tenant's terms or a window. */
  connection: z.string().nullable(),
});
export type Hold = z.infer<typeof hold>;

/** What is to happen to a task that stays open; as `TaskWatch` has it. */
const taskWatch = z.object({
  remind: z.object({ at: z.number(), everyMs: z.number().nullable(), given: z.number(), left: z.number() }).nullable(),
  escalateAt: z.number().nullable(),
});
/** A task of the execution's, as its list has it after the run. `watch` absent: as before. */
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
    /** The tasks that the run made, changed or withdrew. */
    tasks: z.array(touchedTask).optional(),
    startedAt: z.number(),
    endedAt: z.number(),
    costEstimate: z.number().optional(),
    metadata: jsonObject.optional(),
  }),
  z.object({
    ok: z.literal(false),
    error: actionError,
    /** The provider's own word on when to come back, if it gave one. */
    retryAfterMs: z.number().nonnegative().optional(),
    /** Set: nothing was tried, and `error` only says so in words that code without holds understands. */
    held: hold.optional(),
    /** Set: nothing was tried, and nothing will be. Why, as a snake_case fact; the process goes on as after any skipped run. */
    skipped: z.enum(["capped"]).optional(),
    startedAt: z.number(),
    endedAt: z.number(),
    costEstimate: z.number().optional(),
    metadata: jsonObject.optional(),
  }),
]);
export type Outcome = z.infer<typeof outcome>;

/**
 * What became of one of several runs that were handed over together. `at`: its place among them. `lost`: carrying it out
 * broke, and nobody knows how far it had come.
 */
export type Landed =
  | { readonly at: number; readonly outcome: Outcome }
  | { readonly at: number; readonly lost: string };

export type Landings = {
  /** Those that ended about together. */
  readonly landed: readonly Landed[];
  /** For the next ones; absent where these are the last. */
  readonly more?: () => Promise<Landings>;
};
