// Suggested fixes for e-mail through SendGrid, Resend or the platform's binding.
import { transient, obsolete, permanent, fixable, type Fixes } from "./entry.ts";

export const emailFixes: Fixes = {
  invalid_address: fixable("Correct the address named in the message in config or variables, then retry."),
  from_missing: fixable('Set the connection\'s "from", or retry with a sender in the config.'),
  sender_not_verified: fixable("Verify the sender's address or domain at the provider, then retry."),
  recipient_not_allowed: fixable(
    "The account may not send to this recipient yet: allow it at the provider, then retry.",
  ),
  recipient_suppressed: obsolete("The recipient unsubscribed, complained or bounced before. Archive it."),
  too_many_recipients: permanent("Split the message: one action per group of recipients. Then archive this one."),
  too_many_attachments: fixable("Retry with fewer attachments."),
  content_too_large: fixable("Retry with a smaller message: link large attachments instead."),
  validation_error: fixable("Correct the field named by the provider, then retry."),
  field_missing: fixable("Add the field named by the provider, then retry."),
  field_not_supported: fixable("Retry without the field named in the message, or with another provider."),
  send_at_out_of_range: fixable("Retry with a sendAt within the range in the message, or without one to send at once."),
  header_refused: fixable("Retry without the header named in the message."),
  email_not_bound: fixable("Bind the platform's e-mail service to the Worker (EMAIL), or retry with another provider."),
  rate_limit_exceeded: transient("The provider's rate limit was exceeded. Retry."),
  daily_limit_exceeded: transient("The day's quota was used up. Retry tomorrow, or raise the plan."),
  daily_quota_exceeded: transient("The day's quota was used up. Retry tomorrow, or raise the plan."),
  monthly_quota_exceeded: fixable("The month's quota is used up: raise the plan at the provider, then retry."),
  delivery_failed: transient("The message could not be delivered now. Retry."),
  internal_server_error: transient("The provider had an internal error. Retry."),
  invalid_api_key: fixable("The provider rejects the connection's apiKey: set it again, then retry."),
  restricted_api_key: fixable("The apiKey lacks the permission to send: set another one, then retry."),
  idempotency_conflict: permanent(
    "The provider has another message under this key within its window, so an edited retry is rejected until then. Check whether the first one was sent; if not, send a new action.",
  ),
  idempotency_in_progress: transient(
    "The first request under this key was still in progress. Retry to get its result.",
  ),
};
