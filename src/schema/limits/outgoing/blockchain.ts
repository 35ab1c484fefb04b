// Blockchain limits: nonces and transactions of an address, and calls to nodes.

/** A nonce that was reserved this long ago without a stored transaction is free again. Signing takes milliseconds. */
export const NONCE_RESERVED_MS = 30_000;
/** If a signed transaction is not reported as sent within this time, the next waiting run of the address sends it. */
export const TX_UNSENT_MS = 60_000;
/** How long a mined transaction may be missing in a node's answers. Nodes behind one URL differ by some blocks. */
export const TX_LAG_MS = 30_000;
/**
 * Until this age of a transaction, a missing receipt proves that it is not mined. Nodes delete receipts after some ten
 * thousand blocks.
 */
export const TX_RECEIPT_KEPT_MS = 60 * 60_000;
/** A transaction's fee is too low if it is not mined after this many blocks, and after `TX_STUCK_MS_MIN`. */
export const TX_STUCK_BLOCKS = 10;
export const TX_STUCK_MS_MIN = 60_000;
/** The longest wait between two checks of a transaction that is not mined. */
export const TX_CHECK_MS_MAX = 60_000;
/** If a transaction is not mined this long after its signing, an operator should check it. */
export const TX_LATE_MS = 30 * 60_000;

/** The most mined transactions that are kept, so that they can be sent again after a reorganization. */
export const TX_KEPT_MAX = 1_000;
/** The total size of the mined transactions that are kept. */
export const TX_KEPT_CHARS_MAX = 4_000_000;
/** How long a mined transaction is kept if it does not become final before. */
export const TX_KEPT_MS_MAX = 24 * 60 * 60_000;
/** How often one of the waiting runs checks the mined transactions of its address. */
export const MINED_CHECK_EVERY_MS = 10_000;
/** How often the mined transactions of an address are checked while no run of this address waits. */
export const MINED_CHECK_IDLE_MS = 5 * 60_000;
/** The most transactions that one check sends again. */
export const MINED_RESENDS_MAX = 20;
/** The most transactions of which one check queries receipts. */
export const MINED_CHECKS_MAX = 20;

/**
 * How long the existence of a contract is cached. Afterwards it is checked again, because a reorganization may revert
 * the deployment.
 */
export const CONTRACT_CACHED_MS = 10 * 60_000;
/** The most contracts whose existence is cached. */
export const CONTRACTS_CACHED_MAX = 1_000;
/** The timeout of one call to a node. Several calls fit into an attempt. */
export const NODE_TIMEOUT_MS = 8_000;
/** The shortest interval of polls for new blocks, for chains with faster blocks. */
export const BLOCK_MS_MIN = 1_000;
/** How many times one attempt may start its work again. */
export const TX_ROUNDS_MAX = 4;
/** How many times one attempt may raise the fee of its transaction. */
export const TX_REPLACEMENTS_MAX = 3;
/** An attempt fails if its transaction is not mined within this time. The next attempt waits for the same transaction. */
export const TX_MINED_WITHIN_MS = 30 * 60_000;
/**
 * If the result of a transaction is unknown for this long, an operator must check it. Nodes are unreachable for hours,
 * rarely for a day.
 */
export const TX_UNSEEN_WITHIN_MS = 24 * 60 * 60_000;
/**
 * A block this deep counts as final, if the node does not report finality. No past reorganization was as deep, and
 * nodes still have such blocks.
 */
export const FINAL_BLOCKS = 64;
