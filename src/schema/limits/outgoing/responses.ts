// Response limits: what runners read, store and show of a provider's answer. A provider's own limits are in its runner.

/** The largest stored response body. */
export const RESPONSE_BYTES_KEPT = 16 * 1024;
/** The largest answer that is read if a runner needs the content. `RESPONSE_BYTES_KEPT` limits the stored part. */
export const ANSWER_BYTES_MAX = 1024 * 1024;
/** JSON that is nested deeper than this is kept as text, so that the body of another request can contain it. */
export const ANSWER_DEPTH_MAX = 100;
/** The most stored response headers. Each is at most `EXCERPT_CHARS_MAX` long. */
export const RESPONSE_HEADERS_KEPT = 50;
/** The longest excerpt of a provider's message in an error message. */
export const MESSAGE_EXCERPT_CHARS_MAX = 300;
/** The longest stored excerpt of a body, header or path of a call. */
export const EXCERPT_CHARS_MAX = 1_024;
/** The longest id, code, sentence or private key that is read from a provider's JSON. */
export const PROVIDER_TEXT_CHARS_MAX = 8_192;
/** The most recipients of an envelope that an event lists. */
export const ENVELOPE_RECIPIENTS_LISTED_MAX = 40;
/** The longest ids of an envelope and a recipient together, two GUIDs: both are in the id of an event. */
export const ENVELOPE_IDS_CHARS_MAX = 72;
/**
 * How long the engine waits for the error of an aborted runner. The runner's error is more precise than the engine's.
 */
export const ABORT_REPORT_MS = 100;
/** The timeout of a provider's account call: a new token, or a connection test. */
export const ACCOUNT_TIMEOUT_MS = 10_000;
