// Blockchain limits: nonces and transactions of an address, and calls to nodes.

/** A reserved nonce without a stored transaction is free again after this time. Signing takes milliseconds. */
export const NONCE_RESERVED_MS = 30_000;
/** A signed transaction that is not reported as sent within this time is sent by the next waiting run. */
export const TX_UNSENT_MS = 60_000;
/** A transaction may be mined this long before a node shows it: nodes behind one address differ by some blocks. */
export const TX_LAG_MS = 30_000;
/** A missing receipt is conclusive within this time. Pruning nodes keep the receipts of some ten thousand blocks. */
export const TX_RECEIPT_KEPT_MS = 60 * 60_000;
/** A transaction's fee is too low if it is not mined after this many blocks, and after `TX_STUCK_MS_MIN`. */
export const TX_STUCK_BLOCKS = 10;
export const TX_STUCK_MS_MIN = 60_000;
/** The longest wait between two checks of a transaction that is not mined. */
export const TX_CHECK_MS_MAX = 60_000;
/** An operator should check a transaction that is not mined this long after its signing. */
export const TX_LATE_MS = 30 * 60_000;

/** The most mined transactions that are kept, so that they can be sent again after a reorganization. */
export const TX_KEPT_MAX = 1_000;
/** The total size of the mined transactions that are kept. */
export const TX_KEPT_CHARS_MAX = 4_000_000;
/** How long a mined transaction is kept if it does not become final before. */
export const TX_KEPT_MS_MAX = 24 * 60 * 60_000;
/** How often one of the waiting runs checks the mined transactions of its address. */
export const MINED_CHECK_EVERY_MS = 10_000;
/** How often the mined transactions of an address are checked while no run waits. */
export const MINED_CHECK_IDLE_MS = 5 * 60_000;
/** The most transactions that one check sends again. */
export const MINED_RESENDS_MAX = 20;
/** The most transactions of which one check queries receipts. */
export const MINED_CHECKS_MAX = 20;

/** How long a contract's existence is cached. A reorganization may revert its deployment. */
export const CONTRACT_CACHED_MS = 10 * 60_000;
/** The most contracts whose existence is cached. */
export const CONTRACTS_CACHED_MAX = 1_000;
/** The timeout of one call to a node. Several calls fit into an attempt. */
export const NODE_TIMEOUT_MS = 8_000;
/** The shortest interval of polls for new blocks, for chains with faster blocks. */
export const BLOCK_MS_MIN = 1_000;
/** The most times that one attempt restarts its work. */
export const TX_ROUNDS_MAX = 4;
/** The most times that one attempt raises the fee of the same transaction. */
export const TX_REPLACEMENTS_MAX = 3;
/** An attempt fails if its transaction is not mined within this time. The next attempt waits for the same transaction. */
export const TX_MINED_WITHIN_MS = 30 * 60_000;
/** An operator must check a transaction whose result is unknown for this long. Nodes are away for hours, rarely for a day. */
export const TX_UNSEEN_WITHIN_MS = 24 * 60 * 60_000;
/** The depth of a final block if a node does not report finality: deeper than any past reorganization, but not pruned yet. */
export const FINAL_BLOCKS = 64;
