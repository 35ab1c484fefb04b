// What to do by type of error alone: for codes that nobody has written an entry for.
import { transient, permanent, fixable, type Fixes } from "./entry.ts";

export const fixesByType: Fixes = {
  timeout: transient(
    "Nobody answered in time. Look at repeatSafe first: it may have taken effect all the same. Then retry; if it times " +
      'out again, give the action a longer "timeout".',
  ),
  rate_limit: transient(
    "The provider wanted fewer calls. Retry later, or give the connection a rate limit of its own.",
  ),
  authentication_failed: fixable("Set the connection's credentials or secrets anew (they were refused), then retry."),
  authorization_failed: fixable("Give the account the permission that the message names, then retry."),
  invalid_configuration: fixable("Retry with the field that the message names put right (config or variables)."),
  rule_too_costly: fixable(
    "The rule or template that the message names costs more than one step may: retry with less for it to look through.",
  ),
  malformed_request: fixable("The receiver found fault with the request: retry with the config put right."),
  not_found: fixable("What was called for is not there: check the address or id in the config, then retry with it."),
  network_error: transient("The connection failed on the way. Look at repeatSafe, then retry."),
  service_unavailable: transient(
    "The provider was down or overloaded, and may have acted all the same. Look at repeatSafe, then retry once it is up again.",
  ),
  unknown_error: fixable(
    "Read the message and the provider's answer, look at repeatSafe, and retry if they say that it may work now.",
  ),
  stuck: fixable("Nothing could move it any further: bring it on with an event, or start it anew."),
  // Types of single runners.
  recipient_unsubscribed: permanent("The recipient does not want messages. Archive it; do not send it another way."),
  network_congestion: transient(
    "The chain or its node was congested. Retry: the same transaction goes on, none is doubled.",
  ),
  gas_price_too_low: fixable("Retry with a higher gasPrice or maxFeeCapGwei, or unchanged when fees have come down."),
  insufficient_funds: fixable("Send coins to the sender's address (the message names it), then retry."),
  execution_reverted: fixable(
    "The contract refused: put right what its reason names (parameters, rights), then retry.",
  ),
  effect_unknown: permanent("Look up on the chain whether the transaction was mined. Archive it if so; else retry."),
};

/** For types that a runner made up since. */
export const fixOfUnknownType = fixable(
  "Read the message and the provider's answer, put right what they name, then retry.",
);
