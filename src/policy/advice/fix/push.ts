// Push messages: Firebase and browsers.
import { transient, obsolete, fixable, type Fixes } from "./entry.ts";

export const pushFixes: Fixes = {
  subscription_gone: obsolete(
    "The device or browser no longer takes messages. Archive it and forget the subscription.",
  ),
  subscription_invalid: fixable("These are no browser's keys: retry with the subscription as the browser gives it."),
  payload_too_large: fixable("A push message takes about 4 KB: retry with a smaller payload."),
  sender_id_mismatch: fixable(
    "The device belongs to another Firebase project: use that project's connection, then retry.",
  ),
  invalid_argument: fixable("Firebase found fault with the message: retry with the field it names put right."),
  quota_exceeded: transient("Too many messages to this device or topic. Retry later."),
  third_party_auth_error: fixable("Set the APNs or web push certificate in Firebase anew, then retry."),
  internal: transient("Firebase had trouble of its own. Retry."),
};
