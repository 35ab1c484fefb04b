// Suggested fixes for blockchain transactions. A retry never sends a second transaction while the first may be mined,
// because the signer stores the first.
import { transient, obsolete, permanent, fixable, type Fixes } from "./entry.ts";

const parameters = fixable("Correct abi, function or parameters as the message says, then retry.");

export const evmFixes: Fixes = {
  insufficient_funds: fixable("Send coins to the sender's address (the message names it and the amount), then retry."),
  reverted: fixable(
    "The contract reverted: correct what its reason names (parameters, permissions, sold out), then retry.",
  ),
  gas_limit_unfit: fixable("Retry with another gasLimit, or without one to have it estimated."),
  fee_cap: fixable("Retry with a higher maxFeeCapGwei or gasPrice, or unchanged after fees have dropped."),
  below_base_fee: fixable(
    "Retry with the gasPrice named in the message or with auto, or unchanged after fees have dropped.",
  ),
  underpriced: fixable(
    "Retry with the gasPrice named in the message or with auto, or unchanged after fees have dropped.",
  ),
  stuck: fixable(
    "Its fee is below the chain's minimum. Raise gasPrice or maxFeeCapGwei and retry: it is replaced, not doubled.",
  ),
  no_contract: fixable("Correct contractAddress or network, or deploy the contract, then retry."),
  checksum_wrong: fixable(
    "Compare the address with its source, write it in the format named in the message, then retry.",
  ),
  replacement_underpriced: fixable("Raise maxFeeCapGwei, so that the waiting transaction can be replaced. Then retry."),
  nonce_too_low: transient("Another sender used the address's nonce. Retry: the next nonce is used."),
  nonce_too_high: transient("An earlier transaction was not mined yet. Retry."),
  nonce_contended: fixable(
    "Another system sends from the same address: use a separate address for the engine, then retry.",
  ),
  nonce_lost: permanent(
    "Look up the hash on the chain. If it was mined, archive it; otherwise reconcile the signer, then retry.",
  ),
  not_seen: permanent(
    "Look up the hash on the chain. If it was mined, archive it; otherwise reconcile the signer, then retry.",
  ),
  not_mined: transient(
    "It was sent and not mined for a long time. Reconcile the signer, or retry: the same transaction is awaited or replaced.",
  ),
  already_known: obsolete("The node has the transaction already. Check the chain; archive it once mined."),
  node_busy: transient("The node was busy. Retry, or give the connection a better rpcUrl."),
  rpc_refused: fixable("The node rejected the call: read its message, then retry."),
  chain_mismatch: fixable("The node serves another chain than the config names: correct one of them, then retry."),
  address_mismatch: fixable("Name the connection whose privateKey belongs to the address."),
  unknown_network: fixable("Retry with a known network, or give the connection the chain's id and rpcUrl."),
  private_key_invalid: fixable("Set the connection's privateKey again (0x and 64 hexadecimal digits), then retry."),
  signer_missing: permanent("This installation cannot send transactions."),
  awaiting_receipt: transient("It was sent, and its result is pending. Retry: the same transaction is looked up."),
  abi_missing: parameters,
  call_invalid: parameters,
  function_missing: parameters,
  function_ambiguous: parameters,
  function_reads_only: permanent("The function only reads: there is nothing to send. Archive it."),
  parameters_invalid: parameters,
};
