// Transactions on a chain. A retry never sends a second one while the first may be mined: the signer remembers it.
import { transient, obsolete, permanent, fixable, type Fixes } from "./entry.ts";

const parameters = fixable("Retry with abi, function or parameters put right, as the message says.");

export const evmFixes: Fixes = {
  insufficient_funds: fixable("Send coins to the sender's address (the message names it and the sum), then retry."),
  reverted: fixable(
    "The contract refused: put right what its reason names (parameters, rights, sold out), then retry.",
  ),
  gas_limit_unfit: fixable("Retry with another gasLimit, or without one: it is estimated then."),
  fee_cap: fixable("Retry with a higher maxFeeCapGwei or gasPrice, or unchanged when fees have come down."),
  below_base_fee: fixable(
    "Retry with the gasPrice that the message names or with auto, or unchanged when fees have come down.",
  ),
  underpriced: fixable(
    "Retry with the gasPrice that the message names or with auto, or unchanged when fees have come down.",
  ),
  stuck: fixable(
    "Its fee is below what the chain asks. Raise gasPrice or maxFeeCapGwei and retry: it is replaced, not doubled.",
  ),
  no_contract: fixable("Put contractAddress or network right, or deploy the contract, then retry."),
  checksum_wrong: fixable(
    "Compare the address with its source, write it in the form that the message names, then retry.",
  ),
  replacement_underpriced: fixable("Raise maxFeeCapGwei, so that the waiting transaction can be replaced. Then retry."),
  nonce_too_low: transient("Somebody else sent from the address meanwhile. Retry: the next nonce is taken."),
  nonce_too_high: transient("An earlier transaction was not mined yet. Retry."),
  nonce_contended: fixable("Another system sends from the same address: give the engine one of its own, then retry."),
  nonce_lost: permanent(
    "Look the hash up on the chain. Archive it if it was mined; else reconcile the signer, then retry.",
  ),
  not_seen: permanent(
    "Look the hash up on the chain. Archive it if it was mined; else reconcile the signer, then retry.",
  ),
  not_mined: transient(
    "It was sent and not mined for long. Reconcile the signer, or retry: the same transaction is waited for or replaced.",
  ),
  already_known: obsolete("The node has the transaction already. Look at the chain; archive it once it is mined."),
  node_busy: transient("The node was busy. Retry, or give the connection a better rpcUrl."),
  rpc_refused: fixable("The node refused the call: read its words, then retry."),
  chain_mismatch: fixable("The node serves another chain than the config names: put one of them right, then retry."),
  address_mismatch: fixable("Name the connection whose privateKey belongs to the address."),
  unknown_network: fixable("Retry with a known network, or give the connection the chain's id and rpcUrl."),
  private_key_invalid: fixable("Set the connection's privateKey anew (0x and 64 hexadecimal digits), then retry."),
  signer_missing: permanent("This installation sends no transactions."),
  awaiting_receipt: transient("It was sent and waited for. Retry: the same transaction is looked up."),
  abi_missing: parameters,
  call_invalid: parameters,
  function_missing: parameters,
  function_ambiguous: parameters,
  function_reads_only: permanent("The function only reads: there is nothing to send. Archive it."),
  parameters_invalid: parameters,
};
