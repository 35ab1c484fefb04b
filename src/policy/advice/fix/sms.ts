// Suggested fixes for text messages. The SMS runner maps Twilio's error numbers to these codes, such as 21211 to
// `invalid_number`.
import { transient, obsolete, permanent, fixable, type Fixes } from "./entry.ts";

export const smsFixes: Fixes = {
  invalid_number: fixable("The number cannot receive messages. Correct the number in config or variables, then retry."),
  unknown_number: fixable(
    "The number does not exist, or its phone has been off for a long time. Retry with another number.",
  ),
  invalid_sender: fixable(
    'The sender does not belong to the account: retry with another "from" or messagingServiceSid.',
  ),
  recipient_unsubscribed: obsolete(
    "The recipient answered STOP. Only the recipient can allow messages again, with START. Archive the dead letter.",
  ),
  too_many_messages: transient(
    "The queue of the sender's number was full. Retry, or spread messages with a rate limit on the connection.",
  ),
  too_many_requests: transient(
    "Twilio received too many calls at the same time. Retry, or set a rate limit on the connection.",
  ),
  authentication_failed: fixable(
    "Twilio rejects the credentials. Set the connection's accountSid and authToken (or API key) again, then retry.",
  ),
  account_suspended: fixable("The account at the provider is suspended. Contact the provider, then retry."),
  region_not_enabled: fixable(
    "The account may not send to this country. Allow the country at the provider (geo permissions), then retry.",
  ),
  number_not_verified: fixable(
    "A trial account can send to verified numbers only. Verify the number or upgrade the account, then retry.",
  ),
  number_not_registered: fixable(
    "The sender is not registered. Register the sender (A2P 10DLC or toll-free verification), then retry.",
  ),
  no_route: fixable('This sender cannot reach this number. Retry with another "from".'),
  message_empty: fixable("The message is empty. Retry with a text."),
  message_too_long: fixable("The message is too long. Retry with at most 1,600 characters."),
  media_refused: fixable("Twilio could not fetch a file: retry with mediaUrls of a supported type and size."),
  content_template_unknown: fixable(
    "The account has no content template with this contentSid. Correct the contentSid, then retry.",
  ),
  content_variables_refused: fixable(
    "The template's variables are incomplete. Retry with a contentVariables value for every placeholder.",
  ),
  messaging_service_missing: fixable(
    "The fields sendAt and shortenUrls require a Messaging Service. Set a messagingServiceSid in the config or on the connection, or omit both fields. Then retry.",
  ),
  outside_messaging_window: fixable(
    "The last message of the recipient is older than 24 hours: retry with an approved template (contentSid) instead.",
  ),
  handset_unreachable: transient("The recipient's phone was off or out of reach. Retry later."),
  landline_or_unreachable: fixable(
    "The number belongs to a landline or a phone without SMS. Retry with a mobile number.",
  ),
  filtered_by_carrier: permanent(
    "A carrier blocked the message as spam. Change the text or register the sender before you retry.",
  ),
  unknown_delivery_error: transient("The carrier reported no reason. Retry."),
  daily_cap_reached: transient("The account's daily limit was reached. Retry tomorrow, or raise the limit at Twilio."),
};
