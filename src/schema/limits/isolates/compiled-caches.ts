// Caches of parsed and compiled things in an isolate (128 MB), for all of its cells together.

/** The total text of parsed heads. A parsed head needs some three times its text. */
export const HEADS_CACHED_CHARS = 8_000_000;
/** The least weight that a parsed head counts with in the cache, however short its text is. */
export const HEAD_WEIGHT_MIN = 4_000;
/** The total text of compiled definitions. A version never changes, so each is compiled once. */
export const PROGRAMS_CACHED_CHARS = 2_000_000;
/** The least weight that a compiled definition counts with in the cache, however short its text is. */
export const PROGRAM_WEIGHT_MIN = 4_000;
/** The total text of packed definitions that are ready for new objects. */
export const PACKED_DEFINITIONS_CACHED_CHARS = 500_000;
/** A cell caches of this many definition versions that its storage contains them. */
export const STORED_VERSIONS_CACHED_MAX = 500;
/** The number of compiled templates. */
export const TEMPLATES_CACHED_MAX = 500;
/** The longest template that is cached. */
export const TEMPLATE_CACHED_CHARS_MAX = 8 * 1024;
/** The number of positions of one machine for which a prediction is cached. */
export const PREDICTIONS_CACHED_MAX = 32;
/** The number of cached transitions of one machine, by event and position. */
export const TRANSITIONS_CACHED_MAX = 200;
/** The longest event name of a cached transition. */
export const TRANSITION_NAME_CHARS_MAX = 500;
/**
 * The number of compiled machines of standalone actions. Clients can generate any number of action names, so the number
 * is limited.
 */
export const ACTION_MACHINES_CACHED_MAX = 200;
/** The number of time-zone periods without a clock change. A year of a zone has some sixty. */
export const ZONE_PERIODS_CACHED_MAX = 50_000;
/** The number of parsed durations. */
export const DURATIONS_CACHED_MAX = 500;
/** The number of imported signing keys. */
export const SIGNING_KEYS_CACHED_MAX = 1_000;
/** The number of field names that are already classified as secret or not. */
export const FIELD_NAMES_CACHED_MAX = 1_000;
/** The number of access tokens of a runner. */
export const TOKENS_CACHED_MAX = 100;
