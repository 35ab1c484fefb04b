// E-mail: SendGrid, Resend, and the platform's own binding.
import { again, archive, never, once, type Fixes } from "./entry.ts";

export const emailFixes: Fixes = {
  invalid_address: once("Correct the address that the message names, then retry with it in config or variables."),
  from_missing: once('Give the connection a setting "from", or retry with a sender in the config.'),
  sender_not_verified: once("Verify the sender's address or domain at the provider, then retry."),
  recipient_not_allowed: once("The account may not write to this recipient yet: allow it at the provider, then retry."),
  recipient_suppressed: archive("The recipient unsubscribed, complained or bounced before. Archive it."),
  too_many_recipients: never("Split the message: one action a group of recipients. Then archive this one."),
  too_many_attachments: once("Retry with fewer attachments."),
  content_too_large: once("Retry with a smaller message: put large attachments behind links."),
  validation_error: once("Retry with the field that the provider's words name put right."),
  field_missing: once("Retry with the field that the provider's words name."),
  field_not_supported: once("Retry without the field that the message names, or through another provider."),
  header_refused: once("Retry without the header that the message names."),
  email_not_bound: once("Bind the platform's e-mail service to the Worker (EMAIL), or retry with another provider."),
  rate_limit_exceeded: again("The provider wanted fewer messages a second. Retry."),
  daily_limit_exceeded: again("The day's quota was used up. Retry tomorrow, or raise the plan."),
  daily_quota_exceeded: again("The day's quota was used up. Retry tomorrow, or raise the plan."),
  monthly_quota_exceeded: once("The month's quota is used up: raise the plan at the provider, then retry."),
  delivery_failed: again("The message could not be delivered just now. Retry."),
  internal_server_error: again("The provider had trouble of its own. Retry."),
  invalid_api_key: once("Set the connection's apiKey anew: the provider does not know it. Then retry."),
  restricted_api_key: once("The apiKey may not send: give the connection one that may, then retry."),
  idempotency_conflict: never(
    "The provider has had another message under this key within its window: an edited retry is refused as long. " +
      "See whether the first went out; send a new action if not.",
  ),
  idempotency_in_progress: again("The first sending under this key was still under way. Retry, and learn how it went."),
};
