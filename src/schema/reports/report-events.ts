// Report events: the event types by which a provider or a device reports what happened to a message after its action
// had succeeded, by action type.
export const reportEvents: { readonly [type: string]: readonly string[] } = {
  docusign_envelope: [
    ...["envelope_sent", "envelope_delivered", "envelope_completed", "envelope_declined", "envelope_voided"],
    ...["recipient_sent", "recipient_delivered", "recipient_completed", "recipient_declined"],
    "recipient_autoresponded",
  ],
  email: [
    ...["email_delivered", "email_bounced", "email_complained", "email_opened", "email_clicked"],
    ...["email_unsubscribed", "email_deferred", "email_dropped"],
  ],
  push: ["push_received", "push_opened", "push_endpoint_gone"],
  sms: ["sms_delivered", "sms_undelivered", "sms_failed", "sms_read"],
};
