// Suggested fixes for e-mail through SendGrid, Resend or the platform's binding.
import { transient, obsolete, permanent, fixable, type Fixes } from "./entry.ts";

export const emailFixes: Fixes = {
  invalid_address: fixable("Correct the address named in the message in config or variables, then retry."),
  from_missing: fixable('Set the connection\'s "from", or retry with a sender in the config.'),
  sender_not_verified: fixable(
    "The provider has not verified the sender. Verify the address or domain there, then retry.",
  ),
  recipient_not_allowed: fixable(
    "The account may not send to this recipient yet: allow it at the provider, then retry.",
  ),
  recipient_suppressed: obsolete("The recipient unsubscribed, complained or bounced before. Archive the dead letter."),
  too_many_recipients: permanent(
    "The message has too many recipients. Send it with one action per group of recipients, then archive this dead letter.",
  ),
  too_many_attachments: fixable("The message has too many attachments. Retry with fewer."),
  content_too_large: fixable("The message is too large. Retry with links instead of large attachments."),
  validation_error: fixable("The provider rejected a field. Correct the field that its message names, then retry."),
  field_missing: fixable("A required field is missing. Add the field that the provider's message names, then retry."),
  field_not_supported: fixable(
    "The provider does not support the field named in the message. Retry without it, or with another provider.",
  ),
  send_at_out_of_range: fixable(
    "The sendAt is out of range. Retry with a sendAt within the range in the message, or without sendAt to send immediately.",
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
    "The provider already has another message with this run's key and rejects changed repeats for a while. Check whether the first message was sent. If it was not, start a new action.",
  ),
  idempotency_in_progress: transient(
    "An earlier request with the same key was still in progress. Retry to get its result.",
  ),
};
