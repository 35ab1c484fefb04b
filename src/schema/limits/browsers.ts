// Browser headers: what browsers cache, and for how long.

/** Preflight answers; browsers themselves stop at two hours. */
export const CORS_ANSWER_S = 7_200;
/** Strict HTTPS for this address. Two years, as browsers' preload lists require. */
export const HTTPS_TRUST_S = 63_072_000;
/** The part of the header of preferred languages that is read: a header may be long, and the first entries suffice. */
export const LANGUAGES_CHARS_MAX = 200;
