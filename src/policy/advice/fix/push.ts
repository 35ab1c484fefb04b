// Suggested fixes for push messages through Firebase or the browsers' push services.
import { transient, obsolete, fixable, type Fixes } from "./entry.ts";

export const pushFixes: Fixes = {
  subscription_gone: obsolete(
    "The device or browser no longer accepts messages. Archive the dead letter and delete the subscription.",
  ),
  receipt_not_possible: fixable(
    "A receipt needs a payload that is a JSON object. Change the payload, or remove receipt, then retry.",
  ),
  receipt_unavailable: fixable(
    "Set the Worker's secret SIGNING_KEY and its variable PUBLIC_URL, or remove receipt, then retry.",
  ),
  subscription_invalid: fixable(
    "The subscription keys are invalid: retry with the subscription as the browser returns it.",
  ),
  payload_too_large: fixable("A push message is limited to about 4 KB: retry with a smaller payload."),
  sender_id_mismatch: fixable(
    "The device belongs to another Firebase project. Name the connection of that project in the config, then retry.",
  ),
  invalid_argument: fixable(
    "Firebase rejected the message. Correct the field named in Firebase's response, then retry.",
  ),
  quota_exceeded: transient("Firebase received too many messages for this device or topic. Retry later."),
  third_party_auth_error: fixable("Set the APNs or web push certificate in Firebase again, then retry."),
  internal: transient("Firebase had an internal error. Retry."),
};
