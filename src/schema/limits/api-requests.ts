// API request limits: sizes of the bodies, texts and lists that the HTTP API accepts.
const KIB = 1024;

/** The largest body of an API request or a callback. */
export const BODY_BYTES_MAX = 1024 * KIB;
/** The deepest nesting of a body. A valid definition with a rule, both nested as deeply as allowed, is far below it. */
export const BODY_DEPTH_MAX = 200;
/**
 * The most JSON values in a body. Each value costs time to read, check and copy, and a body of 1 MB can contain half a
 * million.
 */
export const BODY_VALUES_MAX = 100_000;
/** The most findings in one answer. A body of 1 MB can have a hundred thousand unknown fields. */
export const FINDINGS_MAX = 100;
/** The longest API key or token in an Authorization header. */
export const BEARER_CHARS_MAX = 512;
/** The most rows in one page of a list. */
export const PAGE_ROWS_MAX = 200;
/** The longest list of requested fields in a query. */
export const FIELDS_CHARS_MAX = 1_000;
/** The most executions that one request starts. */
export const BATCH_STARTS_MAX = 100;
/** The longest id or name. */
export const ID_CHARS_MAX = 100;
/** The longest reference to a definition: name, name@version, or id. */
export const REFERENCE_CHARS_MAX = 220;
/** The longest description, of a definition or an action for example. */
export const DESCRIPTION_CHARS_MAX = 2_000;
/** The longest URL in a config. */
export const URL_CHARS_MAX = 2_000;
/** The most known names with which an unknown name is compared to find a suggestion ("did you mean"). */
export const NAMES_COMPARED_MAX = 1_000;
/** How long browsers cache the answer to a CORS preflight request. Browsers themselves allow two hours at most. */
export const CORS_ANSWER_S = 7_200;
/** How long browsers use only HTTPS for this host. Two years is what browsers' preload lists require. */
export const HTTPS_TRUST_S = 63_072_000;
/** How many characters of the Accept-Language header are read. The languages that the client prefers come first. */
export const LANGUAGES_CHARS_MAX = 200;

/** The most declared search variables of a tenant that a list of executions reads to check its filters. */
export const SEARCH_DECLARATIONS_READ = 500;
/**
 * The most rows that a list reads to fill one page. The list then stops early, and a cursor continues. `byKey`: in the
 * order of the table's key, where a row costs less than through an index.
 */
export const LIST_ROWS_READ_MAX = { byKey: 25_000, byIndex: 5_000 } as const;
/** The most rows that the count of a list reads. Beyond that the count is a lower bound. */
export const COUNT_ROWS_READ_MAX = 10_000;
/** The most groups of dead letters in one answer. */
export const DEAD_LETTER_GROUPS_MAX = 100;
