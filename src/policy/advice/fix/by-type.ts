// What to do by type of error alone: for codes that nobody has written an entry for.
import { again, never, once, type Fixes } from "./entry.ts";

export const fixesByType: Fixes = {
  timeout: again(
    "Nobody answered in time. Look at repeatSafe first: it may have taken effect all the same. Then retry; if it times " +
      'out again, give the action a longer "timeout".',
  ),
  rate_limit: again("The provider wanted fewer calls. Retry later, or give the connection a rate limit of its own."),
  authentication_failed: once("Set the connection's credentials or secrets anew (they were refused), then retry."),
  authorization_failed: once("Give the account the permission that the message names, then retry."),
  invalid_configuration: once("Retry with the field that the message names put right (config or variables)."),
  malformed_request: once("The receiver found fault with the request: retry with the config put right."),
  not_found: once("What was called for is not there: check the address or id in the config, then retry with it."),
  network_error: again("The connection failed on the way. Look at repeatSafe, then retry."),
  service_unavailable: again("The provider was down or overloaded. Retry once it is up again."),
  unknown_error: once("Read the message and the provider's answer; retry if they say that it may work now."),
  stuck: once("Nothing could move it any further: bring it on with an event, or start it anew."),
  // Types of single runners.
  recipient_unsubscribed: never("The recipient does not want messages. Archive it; do not send it another way."),
  network_congestion: again(
    "The chain or its node was congested. Retry: the same transaction goes on, none is doubled.",
  ),
  gas_price_too_low: once("Retry with a higher gasPrice or maxFeeCapGwei, or unchanged when fees have come down."),
  insufficient_funds: once("Send coins to the sender's address (the message names it), then retry."),
  execution_reverted: once("The contract refused: put right what its reason names (parameters, rights), then retry."),
  effect_unknown: never("Look up on the chain whether the transaction was mined. Archive it if so; else retry."),
};

/** For types that a runner made up since. */
export const fixOfUnknownType = once(
  "Read the message and the provider's answer, put right what they name, then retry.",
);
