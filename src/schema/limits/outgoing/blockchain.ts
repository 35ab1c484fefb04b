// Blockchain limits: nonces and transactions of an address, and calls to nodes.

/** How long a nonce stays reserved if no transaction is stored for it. Signing takes milliseconds. */
export const NONCE_RESERVED_MS = 30_000;
/** If a signed transaction is not reported as sent within this time, the next waiting run of the address sends it. */
export const TX_UNSENT_MS = 60_000;
/** How long a node may not know a mined transaction yet. The nodes behind one URL may be some blocks apart. */
export const TX_LAG_MS = 30_000;
/**
 * If a transaction is younger than this and has no receipt, it is certainly not mined. Nodes delete receipts after some
 * ten thousand blocks.
 */
export const TX_RECEIPT_KEPT_MS = 60 * 60_000;
/** If a transaction is not mined after this many blocks and after `TX_STUCK_MS_MIN`, its fee is too low. */
export const TX_STUCK_BLOCKS = 10;
export const TX_STUCK_MS_MIN = 60_000;
/** The longest wait between two checks of a transaction that is not mined. */
export const TX_CHECK_MS_MAX = 60_000;
/** If a transaction is not mined this long after its signing, an operator should check it. */
export const TX_LATE_MS = 30 * 60_000;

/**
 * The most mined transactions that are stored. They are needed if a reorganization reverts them, because they are then
 * sent again.
 */
export const TX_KEPT_MAX = 1_000;
/** The largest total size of the mined transactions that are stored. */
export const TX_KEPT_CHARS_MAX = 4_000_000;
/** How long a mined transaction is stored. If it becomes final before, it is deleted then. */
export const TX_KEPT_MS_MAX = 24 * 60 * 60_000;
/**
 * How often the mined transactions of an address are checked while runs of the address wait. One of these runs makes
 * the check.
 */
export const MINED_CHECK_EVERY_MS = 10_000;
/** How often the mined transactions of an address are checked while no run of the address waits. */
export const MINED_CHECK_IDLE_MS = 5 * 60_000;
/** The most transactions that one check sends again. */
export const MINED_RESENDS_MAX = 20;
/** The most transactions whose receipts one check queries. */
export const MINED_CHECKS_MAX = 20;

/**
 * How long it is cached that a contract exists. Then it is checked again, because a reorganization may revert the
 * deployment.
 */
export const CONTRACT_CACHED_MS = 10 * 60_000;
/** The most contracts whose existence is cached. */
export const CONTRACTS_CACHED_MAX = 1_000;
/** The timeout of one call to a node. An attempt makes several such calls. */
export const NODE_TIMEOUT_MS = 8_000;
/** The shortest interval of polls for new blocks. It applies to chains whose blocks come faster. */
export const BLOCK_MS_MIN = 1_000;
/** How many times one attempt starts again because another transaction has used its nonce. */
export const TX_ROUNDS_MAX = 4;
/** How many times one attempt may raise the fee of its transaction. */
export const TX_REPLACEMENTS_MAX = 3;
/**
 * An attempt fails if its transaction is not mined within this time. The next attempt waits for the same transaction.
 */
export const TX_MINED_WITHIN_MS = 30 * 60_000;
/**
 * If it is unknown for this long whether a transaction was mined, an operator must check it. Nodes are sometimes
 * unreachable for hours, but rarely for a day.
 */
export const TX_UNSEEN_WITHIN_MS = 24 * 60 * 60_000;
/**
 * How many blocks must follow a block until it counts as final, if the node does not report finality. No reorganization
 * so far was as deep.
 */
export const FINAL_BLOCKS = 64;
