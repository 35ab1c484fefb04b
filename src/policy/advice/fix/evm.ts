// Suggested fixes for blockchain transactions. The signer stores the first transaction of a run. While that transaction
// may still be mined, a retry sends the same bytes again and never a second transaction.
import { transient, obsolete, permanent, fixable, type Fixes } from "./entry.ts";

const parameters = fixable(
  "The call data is not valid. Correct abi, function or parameters as the message says, then retry.",
);

export const evmFixes: Fixes = {
  insufficient_funds: fixable("Send coins to the sender's address (the message names it and the amount), then retry."),
  reverted: fixable(
    "The contract reverted the transaction. Correct the cause that the message gives (parameters, permissions, sold out), then retry.",
  ),
  gas_limit_unfit: fixable(
    "The gasLimit is too low or too high. Retry with another gasLimit. Without this field, the engine estimates the limit.",
  ),
  fee_cap: fixable(
    "The fee was too low. Retry with a higher maxFeeCapGwei or gasPrice, or unchanged after fees have dropped.",
  ),
  below_base_fee: fixable(
    'The gasPrice was too low. Retry with the gasPrice named in the message or with "auto", or unchanged after fees have dropped.',
  ),
  underpriced: fixable(
    'The gasPrice was too low. Retry with the gasPrice named in the message or with "auto", or unchanged after fees have dropped.',
  ),
  stuck: fixable(
    "The fee of the transaction is below the chain's minimum. Raise gasPrice or maxFeeCapGwei, then retry: the retry replaces the transaction.",
  ),
  no_contract: fixable("Correct contractAddress or network, or deploy the contract, then retry."),
  checksum_wrong: fixable(
    "The address is not valid. Compare it with its source, write it in the format that the message names, then retry.",
  ),
  replacement_underpriced: fixable(
    "The new fee must be high enough to replace the waiting transaction. Raise maxFeeCapGwei, then retry.",
  ),
  nonce_too_low: transient("Another sender used the nonce of this address. Retry: the retry uses the next nonce."),
  nonce_too_high: transient("An earlier transaction of the same address was not mined yet. Retry."),
  nonce_contended: fixable(
    "Another system sends from the same address. Use a separate address for the engine, then retry.",
  ),
  nonce_lost: permanent(
    "Look up the transaction's hash on the chain. If the transaction was mined, archive the dead letter. If not, reconcile the signer, then retry.",
  ),
  not_seen: permanent(
    "Look up the transaction's hash on the chain. If the transaction was mined, archive the dead letter. If not, reconcile the signer, then retry.",
  ),
  not_mined: transient(
    "The transaction was sent, but was not mined for a long time. Reconcile the signer, or retry: the retry waits for the same transaction or replaces it.",
  ),
  already_known: obsolete(
    "The chain's node already has the transaction. Archive the dead letter after the transaction is mined.",
  ),
  node_busy: transient("The chain's node was busy. Retry, or set the rpcUrl of another node on the connection."),
  rpc_refused: fixable("The chain's node rejected the call. Read the node's message, correct the cause, then retry."),
  chain_mismatch: fixable(
    "The node serves another chain than the config names. Correct the config's network or the connection's rpcUrl, then retry.",
  ),
  address_mismatch: fixable(
    "The connection's privateKey belongs to another address. Name the connection whose privateKey belongs to the requested address.",
  ),
  unknown_network: fixable(
    "The network is unknown. Retry with a known network, or set chainId and rpcUrl in the connection's settings.",
  ),
  private_key_invalid: fixable("Set the connection's privateKey again (0x and 64 hexadecimal digits), then retry."),
  signer_missing: permanent("This installation cannot send blockchain transactions. Archive the dead letter."),
  awaiting_receipt: transient(
    "The transaction was sent, and its result is pending. Retry: the retry looks up the same transaction.",
  ),
  abi_missing: parameters,
  call_invalid: parameters,
  function_missing: parameters,
  function_ambiguous: parameters,
  function_reads_only: permanent(
    "The contract's function only reads data, so no transaction is needed. Archive the dead letter.",
  ),
  parameters_invalid: parameters,
};
