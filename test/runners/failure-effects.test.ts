// Effects of failure codes: every code of runners and the engine is listed with the effect that it implies. The codes
// are read from the sources, so a new code fails here until it is listed.
import { describe, expect, it } from "vitest";
import { hadNoEffect } from "#policy/advice/no-effect.ts";
import { slackMeaning } from "#runners/slack/errors.ts";
import { codes, ofServices } from "./failure-codes.ts";

const words = (list: string) => list.trim().split(/\s+/);

/** Codes without effect, whatever the status. */
const refused = words(`
  account_suspended below_base_fee constraint content_template_unknown content_too_large content_variables_refused
  daily_cap_reached daily_limit_exceeded engine_mistake fee_cap field_missing file_not_found file_refused file_timeout
  file_unavailable files_busy header_refused insufficient_funds invalid_number invalid_sender media_refused message_empty
  message_too_long no_route number_not_registered number_not_verified outside_messaging_window params_invalid
  rate_limit_exceeded recipient_not_allowed recipient_suppressed send_at_out_of_range
  recipient_unsubscribed region_not_enabled secrets_unreadable sender_not_verified sql_invalid statement_not_allowed
  token_answer_unreadable token_endpoint_unavailable token_lost token_missing token_refused token_type_unsupported too_many_attachments too_many_messages too_many_recipients validation_error
`);

/** Codes with an unknown effect, whatever the status. */
const doubtful = words("answer_too_large database_error overloaded reset");

/** Codes of the type invalid_configuration: found before a call, or answered with a refusing status. */
const configured = words(`
  address_mismatch checksum_wrong no_contract
  abi_missing account_unknown auth_mismatch base_url_missing call_invalid chain_mismatch channel_missing
  channel_not_choosable connect_hmac_key_missing connection_ambiguous connection_mismatch connection_missing
  credential_invalid credential_missing credential_unsendable database_not_bound database_not_found database_not_open
  document_kind_unknown due_date egress_refused email_not_bound engine_missing envelope_incomplete execution_id_taken
  field_not_supported file_empty file_invalid files_not_bound files_too_large from_missing function_ambiguous
  function_missing function_reads_only gas_limit_unfit invalid_address messaging_service_missing parameters_invalid
  too_many_files
  page_refused private_key_invalid receipt_not_possible receipt_unavailable recipient_invalid secret_host_mismatch secret_missing settings_invalid signer_missing signing_secret_invalid
  method_missing service_not_bound service_not_open
  signing_secret_missing subscription_invalid tasks_missing template_empty template_failed template_role_unknown
  template_unknown template_without_subject unknown_network unknown_type unsubscribe_needs_one_recipient unsubscribe_url_unavailable
`);

/** Codes whose effect the status determines. Without a status it is unknown. */
const byStatus = words(`
  not_seen stuck
  method_threw result_not_json result_too_large service_limit_exceeded service_overloaded service_recursion
  account_lacks_permissions account_not_allowed already_known answer_unreadable authentication_failed awaiting_receipt
  burst_limit_exceeded attempt_canceled connection daily_quota_exceeded deadline delivery_failed envelope_allowance_exceeded envelope_locked envelope_unknown
  filtered_by_carrier handset_unreachable hourly_limit_exceeded idempotency_conflict idempotency_in_progress
  integration_key_refused internal internal_server_error invalid_api_key invalid_argument invalid_body invalid_parameter
  landline_or_unreachable mapped_too_large monthly_quota_exceeded node_busy nonce_contended nonce_lost nonce_too_high nonce_too_low not_mined
  outcome_invalid payload_too_large quota_exceeded replacement_underpriced recipient_out_of_turn restricted_api_key reverted
  rpc_refused runner_threw sender_id_mismatch subscription_gone third_party_auth_error token_invalid too_many_requests unavailable
  underpriced unknown_delivery_error unknown_number user_authentication_failed user_lacks_permissions user_not_in_account
`);

const judged = (code: string | undefined, status: number | null, type = "unknown_error") =>
  hadNoEffect({
    type,
    message: "",
    retryable: false,
    ...(code === undefined ? {} : { code }),
    ...(status === null ? {} : { details: { status } }),
  });
const statuses = [null, 200, 404, 503];

it("every code of a failure is in one of these lists", () => {
  const listed = [...refused, ...doubtful, ...configured, ...byStatus];
  expect(listed.toSorted()).toEqual([...new Set([...codes, ...ofServices])].toSorted());
});

describe("the known effect:", () => {
  it.each(refused)("%s has none", (code) => {
    expect(statuses.map((status) => judged(code, status))).toEqual([true, true, true, true]);
  });

  it.each(doubtful)("%s may have one", (code) => {
    expect(statuses.map((status) => judged(code, status))).toEqual([false, false, false, false]);
  });

  it.each(configured)("%s has none, unless an answer states an effect", (code) => {
    expect(statuses.map((status) => judged(code, status, "invalid_configuration"))).toEqual([true, false, true, false]);
  });

  it.each(byStatus)("%s: by its status", (code) => {
    expect(statuses.map((status) => judged(code, status))).toEqual([false, false, true, false]);
  });

  it("Slack's errors with status 200 have no effect, except for its internal and unknown errors", () => {
    const took = (word: string) => judged(slackMeaning(word).code, 200);
    expect(["channel_not_found", "ratelimited", "invalid_blocks", "token_revoked"].map(took)).toEqual(
      Array(4).fill(true),
    );
    expect(["fatal_error", "internal_error", "some_new_word"].map(took)).toEqual(Array(3).fill(false));
  });
});
