// Which status of HTTP a refusal has, by its code, and when the same request may succeed.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ProblemCode } from "#wire/problem.ts";

export type Meaning = {
  readonly status: ContentfulStatusCode;
  readonly title: string;
  /** Set where the same request may succeed later. */
  readonly retryAfterS?: number;
};

export function meaningOf(code: ProblemCode): Meaning {
  switch (code) {
    case "invalid_input":
      return { status: 400, title: "The request is not valid" };
    case "malformed_json":
      return { status: 400, title: "The body is not JSON" };
    case "unauthenticated":
      return { status: 401, title: "No valid key" };
    case "scope_missing":
      return { status: 403, title: "The key lacks a scope" };
    case "not_found":
      return { status: 404, title: "Not found" };
    case "method_not_allowed":
      return { status: 405, title: "The method is not allowed here" };
    case "already_exists":
      return { status: 409, title: "It exists already" };
    case "answer_lost":
      return { status: 409, title: "The change was made, and its answer is lost" };
    case "definition_archived":
      return { status: 409, title: "The definition is archived" };
    case "event_not_accepted":
      return { status: 409, title: "The event is not accepted now" };
    case "event_too_late":
      return { status: 409, title: "The event comes too late" };
    case "execution_final":
      return { status: 409, title: "The execution has ended" };
    case "execution_not_paused":
      return { status: 409, title: "The execution is not paused" };
    case "execution_paused":
      return { status: 409, title: "The execution is paused" };
    case "operation_final":
      return { status: 409, title: "The operation has ended" };
    case "run_not_claimable":
      return { status: 409, title: "The run cannot be claimed" };
    case "run_not_startable":
      return { status: 409, title: "The run cannot be started now" };
    case "run_stale":
      return { status: 409, title: "The run has moved on" };
    case "task_closed":
      return { status: 409, title: "The task is not open any more" };
    case "body_too_large":
      return { status: 413, title: "The body is too large" };
    case "unsupported_media_type":
      return { status: 415, title: "The body's type is not supported" };
    case "action_invalid":
      return { status: 422, title: "The action is not valid" };
    case "config_invalid":
      return { status: 422, title: "The action's config is not valid" };
    case "definition_invalid":
      return { status: 422, title: "The definition is not valid" };
    case "event_unknown":
      return { status: 422, title: "The definition knows no such event" };
    case "idempotency_conflict":
      return { status: 422, title: "The key was used for another request" };
    case "limit_exceeded":
      return { status: 422, title: "A limit is exceeded" };
    case "template_invalid":
      return { status: 422, title: "The template is not valid" };
    case "upgrade_required":
      return { status: 426, title: "A WebSocket is needed" };
    case "event_buffer_full":
      return { status: 429, title: "Too many events are waiting", retryAfterS: 60 };
    case "receipts_full":
      return { status: 429, title: "Too many requests are remembered", retryAfterS: 3_600 };
    case "internal_error":
      return { status: 500, title: "Our mistake" };
    case "not_configured":
      return { status: 501, title: "This installation is not set up for it" };
    case "unavailable":
      return { status: 503, title: "Unavailable just now", retryAfterS: 1 };
  }
}
