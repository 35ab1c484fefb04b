// Push messages: Firebase and browsers.
import { again, archive, once, type Fixes } from "./entry.ts";

export const pushFixes: Fixes = {
  subscription_gone: archive("The device or browser no longer takes messages. Archive it and forget the subscription."),
  subscription_invalid: once("These are no browser's keys: retry with the subscription as the browser gives it."),
  payload_too_large: once("A push message takes about 4 KB: retry with a smaller payload."),
  sender_id_mismatch: once(
    "The device belongs to another Firebase project: use that project's connection, then retry.",
  ),
  invalid_argument: once("Firebase found fault with the message: retry with the field it names put right."),
  quota_exceeded: again("Too many messages to this device or topic. Retry later."),
  third_party_auth_error: once("Set the APNs or web push certificate in Firebase anew, then retry."),
  internal: again("Firebase had trouble of its own. Retry."),
};
