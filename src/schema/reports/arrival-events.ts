// Arrival events: the event types by which a provider or a device reports that the message of an action has arrived, by
// action type. Like result events, they come only if the action has succeeded.
export const arrivalEvents: { readonly [type: string]: readonly string[] } = {
  docusign_envelope: ["envelope_delivered", "envelope_completed"],
  email: ["email_delivered", "email_opened", "email_clicked"],
  push: ["push_received", "push_opened"],
  sms: ["sms_delivered", "sms_read"],
};
