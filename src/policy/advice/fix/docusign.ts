// DocuSign envelopes.
import { transient, fixable, type Fixes } from "./entry.ts";

const account = fixable("Give the connection's user the right in DocuSign that the message names, then retry.");

export const docusignFixes: Fixes = {
  consent_required: fixable("Open the consent link in the message as the connection's user, then retry."),
  user_authentication_failed: fixable(
    "DocuSign does not know the user: set the connection's credentials anew, then retry.",
  ),
  integration_key_refused: fixable("DocuSign refuses the integration key: check it and its go-live state, then retry."),
  account_lacks_permissions: account,
  user_lacks_permissions: account,
  user_not_in_account: account,
  account_unknown: fixable(
    "DocuSign has no such account: set the connection's accountId (and baseUrl) right, then retry.",
  ),
  account_id_missing: fixable("Give the connection an accountId, then retry."),
  envelope_allowance_exceeded: fixable("The plan's envelopes are used up: buy more, then retry."),
  template_role_unknown: fixable("The template has no such role: retry with the role's name put right."),
  recipient_invalid: fixable(
    "Correct the recipient: name, email and clientUserId are as the envelope has them; then retry.",
  ),
  recipient_out_of_turn: fixable("Others sign before this person: retry when it is their turn."),
  envelope_unknown: fixable("The account has no such envelope: retry with the envelopeId put right."),
  page_refused: fixable("Give an https: address to return to, then retry."),
  envelope_incomplete: fixable("A role or document is missing: complete the template or the config, then retry."),
  document_kind_unknown: fixable("Say the document's fileExtension in config, then retry."),
  invalid_parameter: fixable("DocuSign names a parameter that is wrong: retry with the config put right."),
  invalid_body: fixable("DocuSign does not understand the envelope: retry with the config put right."),
  hourly_limit_exceeded: transient("The hour's calls were used up. Retry in the next hour."),
  burst_limit_exceeded: transient("Too many calls within thirty seconds. Retry."),
  envelope_locked: transient("Somebody was editing the envelope. Retry."),
  execution_id_taken: fixable("The custom field executionId is the engine's: retry with it removed (null)."),
  connect_hmac_key_missing: fixable("Set the connection's connectHmacKey so that answers can be believed, then retry."),
};
