// E-mail: SendGrid, Resend, and the platform's own binding.
import { transient, obsolete, permanent, fixable, type Fixes } from "./entry.ts";

export const emailFixes: Fixes = {
  invalid_address: fixable("Correct the address that the message names, then retry with it in config or variables."),
  from_missing: fixable('Give the connection a setting "from", or retry with a sender in the config.'),
  sender_not_verified: fixable("Verify the sender's address or domain at the provider, then retry."),
  recipient_not_allowed: fixable(
    "The account may not write to this recipient yet: allow it at the provider, then retry.",
  ),
  recipient_suppressed: obsolete("The recipient unsubscribed, complained or bounced before. Archive it."),
  too_many_recipients: permanent("Split the message: one action a group of recipients. Then archive this one."),
  too_many_attachments: fixable("Retry with fewer attachments."),
  content_too_large: fixable("Retry with a smaller message: put large attachments behind links."),
  validation_error: fixable("Retry with the field that the provider's words name put right."),
  field_missing: fixable("Retry with the field that the provider's words name."),
  field_not_supported: fixable("Retry without the field that the message names, or through another provider."),
  send_at_out_of_range: fixable("Retry with a sendAt within the range in the message, or without one to send at once."),
  header_refused: fixable("Retry without the header that the message names."),
  email_not_bound: fixable("Bind the platform's e-mail service to the Worker (EMAIL), or retry with another provider."),
  rate_limit_exceeded: transient("The provider wanted fewer messages a second. Retry."),
  daily_limit_exceeded: transient("The day's quota was used up. Retry tomorrow, or raise the plan."),
  daily_quota_exceeded: transient("The day's quota was used up. Retry tomorrow, or raise the plan."),
  monthly_quota_exceeded: fixable("The month's quota is used up: raise the plan at the provider, then retry."),
  delivery_failed: transient("The message could not be delivered just now. Retry."),
  internal_server_error: transient("The provider had trouble of its own. Retry."),
  invalid_api_key: fixable("Set the connection's apiKey anew: the provider does not know it. Then retry."),
  restricted_api_key: fixable("The apiKey may not send: give the connection one that may, then retry."),
  idempotency_conflict: permanent(
    "The provider has had another message under this key within its window: an edited retry, or one whose files changed " +
      "since, is refused as long. " +
      "See whether the first went out; send a new action if not.",
  ),
  idempotency_in_progress: transient(
    "The first sending under this key was still under way. Retry, and learn how it went.",
  ),
};
