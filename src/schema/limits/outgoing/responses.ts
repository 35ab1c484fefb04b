// Response limits: how much of a provider's answer runners read, store and show. Limits of single providers are in
// their runners.

/** The largest stored body of a response. */
export const RESPONSE_BYTES_KEPT = 16 * 1024;
/** The largest answer that a runner reads if it needs the content. Only `RESPONSE_BYTES_KEPT` of it is stored. */
export const ANSWER_BYTES_MAX = 1024 * 1024;
/** JSON that is nested deeper than this is stored as text. Otherwise it could not be part of another request's body. */
export const ANSWER_DEPTH_MAX = 100;
/** The most stored response headers. Each is at most `EXCERPT_CHARS_MAX` long. */
export const RESPONSE_HEADERS_KEPT = 50;
/** The longest excerpt of a provider's message in an error message. */
export const MESSAGE_EXCERPT_CHARS_MAX = 300;
/** The longest stored excerpt of a body, header or path of a call. */
export const EXCERPT_CHARS_MAX = 1_024;
/** The longest id, code, sentence or private key that is taken from a provider's JSON. */
export const PROVIDER_TEXT_CHARS_MAX = 8_192;
/** The most recipients that an event about an envelope lists. */
export const ENVELOPE_RECIPIENTS_LISTED_MAX = 40;
/** The longest ids of an envelope and a recipient together, which are two GUIDs. The id of an event contains both. */
export const ENVELOPE_IDS_CHARS_MAX = 72;
/**
 * How long the engine waits for an aborted runner to return its own error. That error is more precise than the
 * engine's.
 */
export const ABORT_REPORT_MS = 100;
/** The timeout of a request for a token, and of a connection test. */
export const ACCOUNT_TIMEOUT_MS = 10_000;
