// Runners: how much they read, wait for, store and show. A provider's own limits are in its runner.

/** The excerpt of a receiver's message or answer. */
export const SAID_CHARS_MAX = 300;
export const EXCERPT_CHARS_MAX = 1_024;
/** A provider's id, code or sentence; also a private key in an account's file. Longer texts are none of these. */
export const TEXT_CHARS_MAX = 8_192;
/** Stored response headers, each at most as long as an excerpt. */
export const HEADERS_KEPT_MAX = 50;
/** How much of an answer is read if its content is needed; `responseBytesKept` limits what is stored. */
export const ANSWER_BYTES_MAX = 1024 * 1024;
/** Deeper JSON stays text. Leaves room for nesting it in another request's body. */
export const ANSWER_DEPTH_MAX = 100;
/** Recipients of an envelope listed in an event. */
export const RECIPIENTS_TOLD_MAX = 40;
/** An envelope's id and a recipient's, two GUIDs: both are in the id of an event. */
export const HOOK_IDS_CHARS_MAX = 72;

/** How long a runner may report its own error after its abort signal; its text is more precise than ours. */
export const LAST_WORDS_MS = 100;
/** Timeout of a provider's account call: a new token, or a connection test. */
export const ACCOUNT_TIMEOUT_MS = 10_000;

/** Shorter parts of a header ("true", "v1") are words, not secrets. */
export const SECRET_PART_CHARS_MIN = 6;
/** A truncated text may end in a part of a secret: from this length, or half the secret, that part is redacted, too. */
export const SECRET_CUT_CHARS_MIN = 8;
/** A rehearsal searches all that it shows for each literal credential of a config; no real config has this many. */
export const SECRETS_WRITTEN_MAX = 50;

/** A few keys of a tenant's own, separated by spaces. */
export const SIGN_SECRET_CHARS_MAX = 500;

/** Cached by an isolate: imported signing keys, names of fields, tokens. */
export const SIGNING_KEYS_KEPT_MAX = 1_000;
export const FIELD_NAMES_KEPT_MAX = 1_000;
export const TOKENS_KEPT_MAX = 100;

/** Only the first rows are stored, but the whole answer must be read to find them. */
export const DATABASE_ANSWER_BYTES_MAX = 4 * 1024 * 1024;
export const DATABASE_ROWS_KEPT = 100;

/** A contract's existence is checked again after this, because a reorganization may revert its deployment. */
export const CONTRACT_KNOWN_MS = 10 * 60_000;
export const CONTRACTS_KNOWN_MAX = 1_000;
/** Timeout of one call to a node: several of them fit into an attempt. */
export const NODE_TIMEOUT_MS = 8_000;
/** Chains with faster blocks are not polled more often than this. */
export const BLOCK_MS_MIN = 1_000;
/** How often one attempt restarts, and how often it raises its offer for the same transaction. */
export const TX_ROUNDS_MAX = 4;
export const TX_REPLACEMENTS_MAX = 3;
/** A transaction that is not mined by then fails its attempt; the next one continues to wait for the same. */
export const TX_MINED_WITHIN_MS = 30 * 60_000;
/**
 * How long a transaction's result may be unknown before an operator must check: nodes are away for hours, rarely for a
 * day.
 */
export const TX_UNSEEN_WITHIN_MS = 24 * 60 * 60_000;
/**
 * If a node does not report finality: deeper than any past reorganization, and not so deep that nodes have pruned it.
 */
export const FINAL_BLOCKS = 64;

/** All files of one message together, before base64 adds a third. */
export const FILES_BYTES_MAX = 25 * 1024 * 1024;
/** Fetched files: each needs its own connection. */
export const FILES_FETCHED_MAX = 20;
/** Until the last byte of the last file; the rest of the attempt is the provider's. */
export const FILES_WITHIN_MS = 20_000;
/**
 * Total file memory of an isolate's runs. It has 128 MB in total, and a file needs a third more as base64. One tenant
 * can use one full message; the rest is always for the others.
 */
export const FILE_ROOM_BYTES = 32 * 1024 * 1024;
export const FILE_ROOM_TENANT_BYTES = FILES_BYTES_MAX;
/** Smaller files need no reservation: a config may contain as much inline. */
export const FILES_SMALL_BYTES = 128 * 1024;
/** How often a waiting call polls for memory, and after how long without polling it counts as lost. */
export const FILE_ROOM_LOOK_MS = 50;
export const FILE_ROOM_SILENT_MS = 2_000;
