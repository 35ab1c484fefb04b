// Suggested fixes by type of error, for error codes without a fix.
import { transient, permanent, fixable, type Fixes } from "./entry.ts";

export const fixesByType: Fixes = {
  timeout: transient(
    'The call timed out and may have taken effect. Check the field repeatSafe, then retry. If the call times out again, raise the action\'s "timeout".',
  ),
  rate_limit: transient(
    "The calls exceeded the provider's rate limit. Retry later, or set a rate limit on the connection.",
  ),
  authentication_failed: fixable(
    "The provider rejected the credentials. Set the connection's credentials or secrets again, then retry.",
  ),
  authorization_failed: fixable("Grant the account the permission named in the message, then retry."),
  invalid_configuration: fixable("Correct the field named in the message (config or variables), then retry."),
  rule_too_costly: fixable(
    "The rule or template named in the message exceeds the step budget. Reduce the data that it reads, then retry.",
  ),
  malformed_request: fixable("The receiver rejected the request: correct the config, then retry."),
  not_found: fixable("The target does not exist: correct the address or id in the config, then retry."),
  network_error: transient("The network connection broke. Check the field repeatSafe, then retry."),
  service_unavailable: transient(
    "The provider was down or overloaded, and the call may have taken effect. Check the field repeatSafe. Retry when the provider is up again.",
  ),
  unknown_error: fixable(
    "Read the message and the provider's response. Retry if the field repeatSafe allows a repeat.",
  ),
  stuck: fixable("The execution is stuck: send an event, or start a new execution."),
  // Each of the following types is used by a single runner.
  recipient_unsubscribed: permanent(
    "The recipient refuses messages. Archive the dead letter, and do not use another channel.",
  ),
  network_congestion: transient(
    "The chain or its node was congested. Retry: the retry continues the same transaction and sends no second transaction.",
  ),
  gas_price_too_low: fixable(
    "The fee was too low. Retry with a higher gasPrice or maxFeeCapGwei, or unchanged after fees have dropped.",
  ),
  insufficient_funds: fixable("Send coins to the sender's address named in the message, then retry."),
  execution_reverted: fixable(
    "The contract reverted the transaction. Correct the cause that the message gives (parameters, permissions), then retry.",
  ),
  effect_unknown: permanent(
    "Check on the chain whether the transaction was mined. If it was mined, archive the dead letter. If not, retry.",
  ),
};

/** The fix for an error if neither its code nor its type has a fix. */
export const fixOfUnknownType = fixable("Read the message and the provider's response, correct the cause, then retry.");
