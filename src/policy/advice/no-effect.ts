// Decides which errors certainly had no effect at the receiver: by the runner's statement, the error code or the HTTP
// status. After any other error, such as a gateway timeout, the effect may have happened.
import type { ActionError } from "#schema/engine/outcome.ts";
import { FILE_FAULTS } from "#schema/outgoing/file-faults.ts";

export function hadNoEffect({ type, code = "", effect, details }: ActionError): boolean {
  if (effect !== undefined) return effect === "none";
  if (DOUBTFUL.has(code)) return false;
  if (REFUSALS.has(code)) return true;
  const status = statusOf(details?.["status"], code);
  if (status !== null) return status >= 300 && status < 500 && !CLIENT_TIMEOUT_STATUSES.has(status);
  // There was no response. The runtime does not report whether the connection was refused before the request was sent,
  // or broke afterwards.
  return type === "invalid_configuration" || type === "rule_too_costly";
}

/** HTTP statuses for a client that stopped waiting: 408 Request Timeout, and 499 of some proxies. */
const CLIENT_TIMEOUT_STATUSES = new Set([408, 499]);

/** Codes of errors after which the statement may have been executed, even if the status reports a failure. */
const DOUBTFUL = new Set(["answer_too_large", "database_error", "overloaded", "reset"]);

const listOf = (list: string) => list.trim().split(/\s+/);

/** Codes of errors that certainly had no effect, whatever the HTTP status is. */
const REFUSALS: ReadonlySet<string> = new Set([
  // The provider was not called, because its connection or its token was not available.
  ...listOf(`
    catalog_unavailable connection_held engine_mistake secrets_unreadable consent_required invalid_client invalid_grant
    unauthorized_client invalid_scope unsupported_grant_type token_answer_invalid token_answer_unreadable
    token_endpoint_unavailable token_lost token_missing token_refused token_type_unsupported
  `),
  // The message was not sent, because one of its files was not available.
  ...FILE_FAULTS,
  // The platform's e-mail binding reports these codes without an HTTP status.
  ...listOf(`
    sender_not_verified recipient_not_allowed recipient_suppressed validation_error field_missing header_refused
    too_many_recipients too_many_attachments content_too_large rate_limit_exceeded daily_limit_exceeded
  `),
  // The provider accepted these text messages, but they failed before they reached a carrier.
  ...listOf(`
    invalid_number invalid_sender recipient_unsubscribed region_not_enabled number_not_verified number_not_registered
    no_route message_empty message_too_long too_many_messages daily_cap_reached account_suspended
    content_template_unknown content_variables_refused media_refused outside_messaging_window send_at_out_of_range
  `),
  // These transactions were not signed.
  ...listOf("below_base_fee fee_cap insufficient_funds"),
  // The database did not run these statements.
  ...listOf("constraint sql_invalid params_invalid statement_not_allowed"),
  // Slack reports these refusals with HTTP status 200.
  ...listOf(`
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

/** Returns the HTTP status of the error, or the status in a code such as `http_503`; null if there is none. */
function statusOf(status: unknown, code: string): number | null {
  if (typeof status === "number") return status;
  const written = /^http_(\d{3})$/.exec(code)?.[1];
  return written === undefined ? null : Number(written);
}
