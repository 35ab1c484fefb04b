// Suggested fixes for DocuSign envelopes.
import { transient, fixable, type Fixes } from "./entry.ts";

const account = fixable("Grant the connection's user the DocuSign permission named in the message, then retry.");

export const docusignFixes: Fixes = {
  consent_required: fixable("Open the consent link in the message as the connection's user, then retry."),
  user_authentication_failed: fixable(
    "DocuSign does not know the connection's user. Correct userId in the connection's settings, then retry.",
  ),
  integration_key_refused: fixable(
    "DocuSign rejects the integration key. Correct the key, or have it approved for production, then retry.",
  ),
  account_lacks_permissions: account,
  user_lacks_permissions: account,
  user_not_in_account: account,
  account_unknown: fixable(
    "The DocuSign account does not exist: correct the connection's accountId (and baseUrl), then retry.",
  ),
  account_id_missing: fixable("The connection has no accountId. Set the accountId, then retry."),
  envelope_allowance_exceeded: fixable(
    "The envelopes of the DocuSign plan are used up. Buy more envelopes, then retry.",
  ),
  template_role_unknown: fixable(
    "The template does not have the role named in the config. Correct the role's name, then retry.",
  ),
  recipient_invalid: fixable(
    "The recipient's name, email and clientUserId must match the envelope. Correct them, then retry.",
  ),
  recipient_out_of_turn: fixable("Other people sign before this person. Retry after they have signed."),
  envelope_unknown: fixable("The account has no such envelope: correct the envelopeId, then retry."),
  page_refused: fixable("Set the returnUrl to an https: address, then retry."),
  envelope_incomplete: fixable(
    "The envelope lacks a role or document. Complete the template or the config, then retry.",
  ),
  document_kind_unknown: fixable("The document has no fileExtension. Set the fileExtension in config, then retry."),
  invalid_parameter: fixable("DocuSign rejected a parameter: correct the config, then retry."),
  invalid_body: fixable("DocuSign rejected the envelope: correct the config, then retry."),
  hourly_limit_exceeded: transient("The account used up its calls to DocuSign for this hour. Retry in the next hour."),
  burst_limit_exceeded: transient("DocuSign received too many calls within thirty seconds. Retry."),
  envelope_locked: transient("Another user was editing the envelope. Retry."),
  execution_id_taken: fixable("The engine reserves the custom field executionId. Set the field to null, then retry."),
  connect_hmac_key_missing: fixable(
    "Set the connection's connectHmacKey so that callbacks can be verified, then retry.",
  ),
};
