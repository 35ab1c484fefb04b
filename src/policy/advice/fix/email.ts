// Suggested fixes for e-mail through SendGrid, Resend or the platform's binding.
import { transient, obsolete, permanent, fixable, type Fixes } from "./entry.ts";

export const emailFixes: Fixes = {
  invalid_address: fixable(
    "The message names a wrong address. Correct the address in config or variables, then retry.",
  ),
  from_missing: fixable('Set the connection\'s "from", or retry with a sender in the config.'),
  sender_not_verified: fixable(
    "The provider has not verified the sender. Verify the sender's address or domain at the provider, then retry.",
  ),
  recipient_not_allowed: fixable(
    "The account may not send to this recipient yet. Allow the recipient at the provider, then retry.",
  ),
  recipient_suppressed: obsolete(
    "The recipient unsubscribed or complained, or an earlier message bounced. Archive the dead letter.",
  ),
  too_many_recipients: permanent(
    "The message has too many recipients. Send it with one action per group of recipients, then archive this dead letter.",
  ),
  unsubscribe_needs_one_recipient: fixable(
    "An e-mail with unsubscribe_url must have one recipient. Retry with one recipient, or remove unsubscribe_url.",
  ),
  unsubscribe_url_unavailable: fixable(
    "Set the Worker's secret SIGNING_KEY and its variable PUBLIC_URL, or remove unsubscribe_url, then retry.",
  ),
  too_many_attachments: fixable("The message has too many attachments. Retry with fewer attachments."),
  content_too_large: fixable("The message is too large. Retry with links instead of large attachments."),
  validation_error: fixable(
    "The provider rejected a field. Correct the field named in the provider's message, then retry.",
  ),
  field_missing: fixable("A required field is missing. Add the field named in the provider's message, then retry."),
  field_not_supported: fixable(
    "The provider does not support the field named in the message. Retry without this field, or with another provider.",
  ),
  send_at_out_of_range: fixable(
    "The instant in sendAt is out of range. Retry with an instant in the range that the message names. Without sendAt, the message is sent immediately.",
  ),
  header_refused: fixable("The provider does not allow the header named in the message. Retry without this header."),
  email_not_bound: fixable("Bind the platform's e-mail service to the Worker (EMAIL), or retry with another provider."),
  rate_limit_exceeded: transient("The provider's rate limit was exceeded. Retry."),
  daily_limit_exceeded: transient("The provider's daily quota was used up. Retry tomorrow, or buy a larger plan."),
  daily_quota_exceeded: transient("The provider's daily quota was used up. Retry tomorrow, or buy a larger plan."),
  monthly_quota_exceeded: fixable("The provider's monthly quota is used up. Buy a larger plan, then retry."),
  delivery_failed: transient("The message could not be delivered now. Retry."),
  internal_server_error: transient("The provider had an internal error. Retry."),
  invalid_api_key: fixable(
    "The provider rejects the connection's apiKey. Set the secret of the apiKey again, then retry.",
  ),
  restricted_api_key: fixable("The connection's apiKey has no permission to send. Set another apiKey, then retry."),
  idempotency_conflict: permanent(
    "The provider already has another message with this run's idempotency key. Check whether that message was sent. If it was not sent, start a new action.",
  ),
  idempotency_in_progress: transient(
    "An earlier request with the same idempotency key was still in progress. Retry to get the result of that request.",
  ),
};
