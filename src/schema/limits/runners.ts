// How much runners read, wait for, keep and show. What is a provider's own limit stands with its runner.

/** What a receiver said of its refusal, and what is shown of its answer. */
export const SAID_CHARS_MAX = 300;
export const EXCERPT_CHARS_MAX = 1_024;
/** An id, a code, a sentence of a provider's; also a private key out of an account's file. What is longer is none of these. */
export const TEXT_CHARS_MAX = 8_192;
/** Of an answer's headers, each as long as an excerpt at most. */
export const HEADERS_KEPT_MAX = 50;
/** How much of an answer is read where something in it is needed; of what is stored, `responseBytesKept` is the limit. */
export const ANSWER_BYTES_MAX = 1024 * 1024;
/** Deeper JSON stays text. It leaves room for what it is wrapped into on its way to another request's body. */
export const ANSWER_DEPTH_MAX = 100;
/** Recipients of an envelope that an event tells of. */
export const RECIPIENTS_TOLD_MAX = 40;
/** An envelope's id and a person's in it, two GUIDs: both stand in the id of an event. */
export const HOOK_IDS_CHARS_MAX = 72;

/** After its signal a runner has this long to say itself what it was doing; its own words carry more than ours. */
export const LAST_WORDS_MS = 100;
/** What a provider has for a question about the account: a new token, or whether the connection works. */
export const ACCOUNT_TIMEOUT_MS = 10_000;

/** Shorter parts of a header ("true", "v1") are words, not secrets. */
export const SECRET_PART_CHARS_MIN = 6;
/** A text that was cut off may end in a part of a secret: from this length, or half the secret, that part goes too. */
export const SECRET_CUT_CHARS_MIN = 8;
/** All that is shown is searched for each of them; nobody writes so many credentials into one config. */
export const SECRETS_WRITTEN_MAX = 50;

/** A few keys that a tenant has brought, with blanks between them. */
export const SIGN_SECRET_CHARS_MAX = 500;

/** Of what an isolate keeps so as not to work it out again: signing keys, names of fields, tokens. */
export const SIGNING_KEYS_KEPT_MAX = 1_000;
export const FIELD_NAMES_KEPT_MAX = 1_000;
export const TOKENS_KEPT_MAX = 100;

/** Only the first rows are kept, but to find them the whole answer has to be read. */
export const DATABASE_ANSWER_BYTES_MAX = 4 * 1024 * 1024;
export const DATABASE_ROWS_KEPT = 100;

/** A contract that was seen is looked for again after this: a reorganisation may take its deployment back. */
export const CONTRACT_KNOWN_MS = 10 * 60_000;
export const CONTRACTS_KNOWN_MAX = 1_000;
/** So long one question to a node may take: several of them fit into an attempt. */
export const NODE_TIMEOUT_MS = 8_000;
/** Chains with faster blocks are not looked at more often than this. */
export const BLOCK_MS_MIN = 1_000;
/** How often one attempt goes back to the beginning, and how often it offers more for the same transaction. */
export const TX_ROUNDS_MAX = 4;
export const TX_REPLACEMENTS_MAX = 3;
/** A transaction that is not mined by then fails its attempt; the next one goes on waiting for the same. */
export const TX_MINED_WITHIN_MS = 30 * 60_000;
/** So long nobody can be asked about it before a person is: nodes are away for hours, seldom for a day. */
export const TX_UNSEEN_WITHIN_MS = 24 * 60 * 60_000;
/** Where a node does not say what is final: deeper than reorganisations went, and not so deep that nodes have forgotten. */
export const FINAL_BLOCKS = 64;

/** All files of one message together, as they are before base64 adds a third. */
export const FILES_BYTES_MAX = 25 * 1024 * 1024;
/** Of files that are fetched: each is a connection of its own. */
export const FILES_FETCHED_MAX = 20;
/** Until the last byte of the last file; what is left of the attempt is the provider's. */
export const FILES_WITHIN_MS = 20_000;
/**
 * What the runs of one isolate may hold of files at once. It has 128 MB for everything, and a file takes a third more as
 * soon as it is base64. A tenant gets one full message; what is left is always the others'.
 */
export const FILE_ROOM_BYTES = 32 * 1024 * 1024;
export const FILE_ROOM_TENANT_BYTES = FILES_BYTES_MAX;
/** Less than this needs no room: a config may have as much inline. */
export const FILES_SMALL_BYTES = 128 * 1024;
/** How often one that waits for room looks again, and after how long in silence it is taken for gone. */
export const FILE_ROOM_LOOK_MS = 50;
export const FILE_ROOM_SILENT_MS = 2_000;
