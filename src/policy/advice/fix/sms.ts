// Text messages: Twilio's codes, by the names the runner gives them (21211 invalid_number, 30003 handset_unreachable …).
import { again, archive, never, once, type Fixes } from "./entry.ts";

export const smsFixes: Fixes = {
  invalid_number: once("This is no number that takes messages: retry with the right one in config or variables."),
  unknown_number: once("The number does not exist or is switched off for long: retry with another one."),
  invalid_sender: once("The sender is not one of the account's: retry with another from or messagingServiceSid."),
  recipient_unsubscribed: archive("The recipient answered STOP. Archive it: only they can undo that, with START."),
  too_many_messages: again(
    "The sender's queue was full. Retry, or spread messages with a rate limit on the connection.",
  ),
  too_many_requests: again("Too many calls at once. Retry, or give the connection a rate limit."),
  authentication_failed: once("Set the connection's accountSid and authToken (or API key) anew, then retry."),
  account_suspended: once("The account is suspended: settle that with the provider, then retry."),
  region_not_enabled: once("Allow messages to this country at the provider (geo permissions), then retry."),
  number_not_verified: once("A trial account writes to verified numbers only: verify it or upgrade, then retry."),
  number_not_registered: once("Register the sender (A2P 10DLC or toll-free verification), then retry."),
  no_route: once("This sender cannot reach this number: retry with another sender."),
  message_empty: once("Retry with a message that is not empty."),
  message_too_long: once("Retry with a shorter message (at most 1,600 characters)."),
  handset_unreachable: again("The phone was switched off or out of reach. Retry later."),
  landline_or_unreachable: once("A landline or a phone without SMS: retry with a mobile number."),
  filtered_by_carrier: never(
    "A carrier took it for spam. Change the words or register the sender before sending more.",
  ),
  unknown_delivery_error: again("The carrier gave no reason. Retry."),
  daily_cap_reached: again("The day's cap was reached. Retry tomorrow, or raise the cap."),
};
