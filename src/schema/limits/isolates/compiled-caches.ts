// Caches of parsed and compiled values. All cells of an isolate (128 MB) share them.

/**
 * The total text of the parsed execution heads in the cache. A parsed head takes about three times the memory of its
 * text.
 */
export const HEADS_CACHED_CHARS = 8_000_000;
/** The least weight of a parsed head in the cache, even if its text is shorter. */
export const HEAD_WEIGHT_MIN = 4_000;
/** The total text of the compiled definitions in the cache. A version never changes, so each is compiled once. */
export const PROGRAMS_CACHED_CHARS = 2_000_000;
/** The least weight of a compiled definition in the cache, even if its text is shorter. */
export const PROGRAM_WEIGHT_MIN = 4_000;
/** The total text of packed definitions in the cache. New objects store them without packing them again. */
export const PACKED_DEFINITIONS_CACHED_CHARS = 500_000;
/** For how many definition versions a cell caches that its storage contains them. */
export const STORED_VERSIONS_CACHED_MAX = 500;
/** The number of compiled templates in the cache. */
export const TEMPLATES_CACHED_MAX = 500;
/** The longest template that is cached. */
export const TEMPLATE_CACHED_CHARS_MAX = 8 * 1024;
/** For how many positions of one machine a prediction is cached. */
export const PREDICTIONS_CACHED_MAX = 32;
/** How many transitions of one machine are cached, by event and position. */
export const TRANSITIONS_CACHED_MAX = 200;
/** The longest event name of a cached transition. */
export const TRANSITION_NAME_CHARS_MAX = 500;
/**
 * The number of compiled machines of standalone actions in the cache. It is limited because clients can invent any
 * number of action names.
 */
export const ACTION_MACHINES_CACHED_MAX = 200;
/** The number of cached periods of time zones in which the clock does not change. A year of a zone has some sixty. */
export const ZONE_PERIODS_CACHED_MAX = 50_000;
/** The number of parsed durations in the cache. */
export const DURATIONS_CACHED_MAX = 500;
/** The number of imported signing keys in the cache. */
export const SIGNING_KEYS_CACHED_MAX = 1_000;
/** The number of field names for which it is cached whether they are credentials. */
export const FIELD_NAMES_CACHED_MAX = 1_000;
/** The number of access tokens that a runner caches. */
export const TOKENS_CACHED_MAX = 100;
