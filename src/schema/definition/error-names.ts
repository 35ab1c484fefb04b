// Error names in retry policies: error types, error codes, and patterns of codes. A test compares this list with the
// codes in the runners' sources.
import { errorTypes } from "../engine/outcome.ts";

/** Error types that only a single runner returns. The action framework's own types are not listed here. */
const ownTypes = [
  "aborted",
  "effect_unknown",
  "execution_reverted",
  "gas_price_too_low",
  "insufficient_funds",
  "network_congestion",
  "recipient_unsubscribed",
] as const;

export const namedTypes: readonly string[] = [...errorTypes, ...ownTypes];

/** Aliases: one name for several error types. They are the transient errors in the action framework's examples. */
export const errorAliases: { readonly [alias: string]: readonly string[] } = {
  temporary_failure: ["service_unavailable", "network_error", "timeout"],
};

/** The error codes that runners, connections and the engine return. */
export const namedCodes: readonly string[] = `
  abi_missing account_lacks_permissions account_not_allowed account_suspended account_unknown address_mismatch
  already_known answer_too_large answer_unreadable auth_mismatch authentication_failed awaiting_receipt
  base_url_missing below_base_fee burst_limit_exceeded call_invalid attempt_canceled catalog_unavailable chain_mismatch channel_missing
  channel_not_choosable checksum_wrong connect_hmac_key_missing connection connection_ambiguous connection_changed
  connection_mismatch connection_missing consent_required constraint content_template_unknown content_too_large
  content_variables_refused credential_invalid credential_missing credential_unsendable daily_cap_reached
  daily_limit_exceeded daily_quota_exceeded database_error database_not_bound database_not_found database_not_open
  deadline delivery_failed document_kind_unknown due_date egress_refused email_not_bound engine_missing engine_mistake
  envelope_allowance_exceeded envelope_incomplete envelope_locked envelope_unknown execution_id_taken fee_cap
  field_missing field_not_supported file_empty file_invalid file_not_found file_refused file_timeout file_unavailable
  files_busy files_not_bound files_too_large filtered_by_carrier from_missing function_ambiguous function_missing
  function_reads_only gas_limit_unfit handset_unreachable header_refused hourly_limit_exceeded idempotency_conflict
  idempotency_in_progress insufficient_funds integration_key_refused internal internal_server_error invalid_address
  invalid_api_key invalid_argument invalid_body invalid_client invalid_grant invalid_number invalid_parameter
  invalid_scope invalid_sender landline_or_unreachable mapped_too_large media_refused message_empty message_too_long
  messaging_service_missing method_missing method_threw monthly_quota_exceeded no_contract no_route node_busy nonce_contended nonce_lost
  nonce_too_high nonce_too_low not_mined not_seen number_not_registered number_not_verified outcome_invalid
  outside_messaging_window overloaded page_refused parameters_invalid params_invalid payload_too_large
  private_key_invalid quota_exceeded rate_limit_exceeded receipt_not_possible receipt_unavailable recipient_invalid recipient_not_allowed recipient_out_of_turn
  recipient_suppressed recipient_unsubscribed region_not_enabled replacement_underpriced reset result_not_json result_too_large restricted_api_key
  reverted rpc_refused runner_threw secret_host_mismatch secret_missing secrets_unreadable send_at_out_of_range
  sender_id_mismatch sender_not_verified service_limit_exceeded service_not_bound service_not_open
  service_overloaded service_recursion settings_invalid signer_missing signing_secret_invalid signing_secret_missing sql_invalid
  statement_not_allowed stuck subscription_gone subscription_invalid tasks_missing template_empty template_failed
  template_role_unknown template_unknown template_without_subject third_party_auth_error token_answer_invalid
  token_answer_unreadable token_endpoint_unavailable token_invalid token_lost token_missing token_refused token_type_unsupported
  too_many_attachments too_many_files
  too_many_messages too_many_recipients too_many_requests unauthorized_client unavailable undeliverable underpriced
  unknown_delivery_error unknown_network unknown_number unknown_type
  unsubscribe_needs_one_recipient unsubscribe_url_unavailable user_authentication_failed user_lacks_permissions
  user_not_in_account validation_error
`
  .trim()
  .split(/\s+/);

/** Patterns of error codes that contain a code of a provider. The codes of all providers are too many to list. */
export const codePatterns: readonly { readonly like: string; readonly matches: RegExp }[] = [
  { like: "http_409", matches: /^http_[1-5]\d\d$/ },
  { like: "http_5xx", matches: /^http_[2-5]xx$/ },
  { like: "twilio_21610", matches: /^twilio_\d{4,6}$/ },
  { like: "slack_is_archived", matches: /^slack_[a-z_]{1,60}$/ },
  { like: "worker_card_declined", matches: /^worker_[a-z0-9_]{1,60}$/ },
  { like: "docusign_user_lacks_membership", matches: /^docusign_[a-z0-9_]{1,100}$/ },
];

export const everyErrorName: readonly string[] = [...namedTypes, ...Object.keys(errorAliases), ...namedCodes];

export function isErrorName(name: string): boolean {
  return everyErrorName.includes(name) || codePatterns.some(({ matches }) => matches.test(name));
}
