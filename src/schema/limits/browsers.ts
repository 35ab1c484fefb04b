// What browsers are told, and for how long they believe it.

/** That a page may ask at all; browsers themselves stop at two hours. */
export const CORS_ANSWER_S = 7_200;
/** That this address is HTTPS. Two years, as the lists that browsers come with ask for. */
export const HTTPS_TRUST_S = 63_072_000;
/** Of the languages that somebody wishes for: a header may be long, and the first wishes are enough. */
export const LANGUAGES_CHARS_MAX = 200;
