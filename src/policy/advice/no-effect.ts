// Errors without effect: those that certainly came before any effect, by the runner's statement or by their code. All
// others are unknown: a crashed receiver, a gateway timeout or an unexpected success may have had the effect.
import type { ActionError } from "#schema/engine/outcome.ts";
import { FILE_TROUBLES } from "#schema/outgoing/file-trouble.ts";

export function hadNoEffect({ type, code = "", effect, details }: ActionError): boolean {
  if (effect !== undefined) return effect === "none";
  if (DOUBTFUL.has(code)) return false;
  if (REFUSALS.has(code)) return true;
  const status = statusOf(details?.["status"], code);
  if (status !== null) return status >= 300 && status < 500 && !GAVE_UP_WAITING.has(status);
  // No response. The runtime does not distinguish a refused connection from one that broke after the request.
  return type === "invalid_configuration" || type === "rule_too_costly";
}

/** Request Timeout, and the code of some proxies for a client that disconnected. */
const GAVE_UP_WAITING = new Set([408, 499]);

/** Codes that may come with a failure status although the statement ran. */
const DOUBTFUL = new Set(["answer_too_large", "database_error", "overloaded", "reset"]);

const words = (list: string) => list.trim().split(/\s+/);

/** Refusals in words, which may come with status 200, 500 or none. */
const REFUSALS: ReadonlySet<string> = new Set([
  // The connection to the provider failed, so it was not called.
  ...words(`
    catalog_unavailable connection_held engine_mistake secrets_unreadable consent_required invalid_client invalid_grant
    unauthorized_client invalid_scope unsupported_grant_type token_answer_invalid token_answer_unreadable
    token_endpoint_unavailable token_lost token_missing token_refused token_type_unsupported
  `),
  // A file of the message was unavailable, so the message was not sent.
  ...FILE_TROUBLES,
  // E-mail through the platform's binding, which has no statuses.
  ...words(`
    sender_not_verified recipient_not_allowed recipient_suppressed validation_error field_missing header_refused
    too_many_recipients too_many_attachments content_too_large rate_limit_exceeded daily_limit_exceeded
  `),
  // Text messages that were accepted, but failed before they reached a carrier.
  ...words(`
    invalid_number invalid_sender recipient_unsubscribed region_not_enabled number_not_verified number_not_registered
    no_route message_empty message_too_long too_many_messages daily_cap_reached account_suspended
    content_template_unknown content_variables_refused media_refused outside_messaging_window send_at_out_of_range
  `),
  // Transactions that were not signed.
  ...words("below_base_fee fee_cap insufficient_funds"),
  // Statements that a database did not run.
  ...words("constraint sql_invalid params_invalid statement_not_allowed"),
  // Slack refuses with status 200.
  ...words(`
    invalid_auth not_authed account_inactive token_revoked token_expired invalid_token
    missing_scope no_permission not_allowed_token_type not_in_channel restricted_action restricted_action_read_only_channel
    restricted_action_thread_only_channel restricted_action_non_threadable_channel ekm_access_denied access_denied
    accesslimited org_login_required team_access_not_granted enterprise_is_restricted action_prohibited
    posting_to_general_channel_denied team_disabled
    channel_not_found user_not_found is_archived channel_is_archived no_service no_service_id no_active_hooks no_team
    ratelimited rate_limited message_limit_exceeded
    invalid_payload invalid_blocks invalid_blocks_format invalid_arguments invalid_json msg_too_long msg_blocks_too_long
    no_text too_many_attachments invalid_thread_ts thread_not_found cannot_reply_to_message
  `).map((word) => `slack_${word}`),
]);

/** The status, or the one in an `http_…` code. */
function statusOf(status: unknown, code: string): number | null {
  if (typeof status === "number") return status;
  const written = /^http_(\d{3})$/.exec(code)?.[1];
  return written === undefined ? null : Number(written);
}
