// Refusals: the client requested something impossible. Programs distinguish refusals by their `code`; the message is a
// sentence for people.
import type { Json } from "./json.ts";

export const refusalCodes = [
  "action_invalid",
  "action_queue_full",
  "already_enrolled",
  "already_exists",
  "answer_lost",
  "body_too_large",
  "cell_full",
  "computations_full",
  "config_invalid",
  "configuration_conflict",
  "definition_archived",
  "definition_invalid",
  "definition_rolled_back",
  "definition_unpublished",
  "deliveries_full",
  "delivery_not_replayable",
  "event_buffer_full",
  "event_not_accepted",
  "event_too_late",
  "event_unknown",
  "execution_final",
  "execution_live",
  "execution_not_paused",
  "execution_paused",
  "execution_unreadable",
  "idempotency_conflict",
  "in_use",
  "internal_error",
  "invalid_input",
  "limit_exceeded",
  "not_a_poller",
  "not_configured",
  "not_found",
  "nothing_to_publish",
  "nothing_to_roll_back",
  "operation_started",
  "operation_final",
  "origin_not_allowed",
  "payload_invalid",
  "precondition_failed",
  "quota_exceeded",
  "rate_limited",
  "receipts_full",
  "revision_mismatch",
  "rotation_in_progress",
  "rule_too_costly",
  "run_not_claimable",
  "run_not_startable",
  "run_stale",
  "scope_missing",
  "state_changed",
  "task_closed",
  "template_invalid",
  "tenant_suspended",
  "trigger_closed",
  "unauthenticated",
  "unavailable",
  "variables_invalid",
  "verb_not_applicable",
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** One finding about one field: its JSON pointer, what is wrong, and how to correct it. */
export type Finding = {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
};

/** One operation of a JSON Patch (RFC 6902). */
export type Change =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string };

/**
 * A part of a definition that is valid but probably a mistake. With severity `hint`, it is possibly one. It has a
 * pointer, the reason and a correction. A warning does not prevent publication.
 */
export type Warning = {
  readonly severity: "warning" | "hint";
  readonly pointer: string;
  /** All pointers with this warning. Absent if `pointer` is the only one. */
  readonly places?: readonly string[];
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  /**
   * The correction as changes of the definition. Absent if there are several corrections, so that the author has to
   * choose.
   */
  readonly patch?: readonly Change[];
};

export type Refusal = {
  readonly code: RefusalCode;
  readonly message: string;
  readonly hint?: string;
  readonly errors?: readonly Finding[];
  readonly details?: { readonly [key: string]: Json };
  /** After how many seconds the same request may succeed. Absent: the usual time for the code. */
  readonly retryAfterS?: number;
};

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export function accept<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function refuse(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}

/**
 * Returns true if the request was not decided, because the object did not answer or could not step the execution. The
 * caller may then repeat the request.
 */
export function isUndecided({ code }: Refusal): boolean {
  return code === "unavailable" || code === "cell_full" || code === "internal_error" || code === "execution_unreadable";
}

/**
 * Returns true if the same request may be accepted later, because it was not decided or a buffer was full. After any
 * other refusal, a repeat is refused again.
 */
export function mayPass(refusal: Refusal): boolean {
  return isUndecided(refusal) || refusal.code === "event_buffer_full" || refusal.code === "receipts_full";
}
