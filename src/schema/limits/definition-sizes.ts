// Limits of a definition: its size, and its rules, templates, schemas, times and tests.
import { PAYLOAD_BYTES_MAX } from "./executions.ts";
const KIB = 1024;
const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

// Template limits: the size of a Liquid template, its output, and the work of rendering it.

/** The largest template in a config, in bytes. */
export const TEMPLATE_BYTES_MAX = 64 * KIB;
/** The largest output of a template. */
export const TEMPLATE_OUTPUT_BYTES_MAX = 256 * KIB;
/** The most steps of one rendering. */
export const TEMPLATE_STEPS_MAX = 100_000;
/** The most memory that the texts and lists of one rendering may use. */
export const TEMPLATE_MEMORY_BYTES_MAX = 16 * TEMPLATE_OUTPUT_BYTES_MAX;
/** The largest part (subject, html, text) of a message template. */
export const MESSAGE_PART_BYTES_MAX = 128 * KIB;
/** The most variables of a message template. */
export const TEMPLATE_VARIABLES_MAX = 100;

// Machine limits: the size of a definition and its machine, and the number of warnings that one check returns.

/** The largest definition. It is stored in one row (2 MB at most) and sent in one start call. */
export const DEFINITION_BYTES_MAX = 256 * 1024;
/** The most states of a machine. */
export const MACHINE_STATES_MAX = 500;
/** The most levels of nested states. */
export const STATE_DEPTH_MAX = 12;
/** The most parallel states (regions) that can be active at the same time, including nested ones. */
export const REGIONS_MAX = 32;
/** The most actions of a definition. */
export const DEFINITION_ACTIONS_MAX = 200;
/** The most transitions of one state for one event. */
export const TRANSITIONS_PER_EVENT_MAX = 50;

/** The most warnings that a check of a definition returns. */
export const WARNINGS_RETURNED_MAX = 200;
/** How many characters of templates one check may read to suggest corrections. */
export const CORRECTED_TEMPLATE_CHARS_MAX = TEMPLATE_BYTES_MAX;
/**
 * The most event types that a check compares for similar spellings. If there are more, none are compared, because each
 * is compared with every other.
 */
export const EVENT_TYPES_COMPARED_MAX = 300;
/** The most known names among which a suggestion for an unknown name is searched. */
export const SUGGESTED_NAMES_COMPARED_MAX = 100;
/** The most known names that a finding about an unknown name lists. */
export const NAMES_LISTED_MAX = 20;

// Search variables: variables by which lists of executions can be searched.

/** The most search variables of a definition. Each value costs one row of the catalog. */
export const SEARCH_VARIABLES_MAX = 8;
/** The longest name of a search variable. */
export const SEARCH_NAME_CHARS_MAX = 64;
/** The longest text that can be searched. A longer value of a search variable is not indexed. */
export const SEARCH_TEXT_CHARS_MAX = 200;

// Rule limits: the size of a JsonLogic rule, and the depth of the values that it reads. Limits of its cost are in
// `executions.ts`.

/** The deepest nesting of a rule. */
export const RULE_DEPTH_MAX = 32;
/** The most parts of a rule. */
export const RULE_NODES_MAX = 2_000;
/**
 * The deepest value that a rule can read. A deeper value would exceed the call stack, and differently on each platform.
 */
export const RULE_VALUE_DEPTH_MAX = 200;

// Input schema limits: the JSON Schemas that a definition sets for starts and events, and their violations.

/** The most event types that may have a schema. */
export const EVENT_SCHEMAS_MAX = 200;
/** The most subschemas in the schema of a start or an event type. */
export const SCHEMA_NODES_MAX = 500;
/** The deepest nesting of subschemas. */
export const SCHEMA_DEPTH_MAX = 16;
/** The most alternatives of an anyOf, oneOf or allOf. */
export const SCHEMA_CHOICES_MAX = 50;
/** The most values of an enum. */
export const SCHEMA_VALUES_MAX = 500;
/** The longest pattern. */
export const SCHEMA_PATTERN_CHARS_MAX = 500;
/**
 * The most parts of a pattern, where each repetition counts separately. A check may compare each letter of a text with
 * all parts.
 */
export const SCHEMA_PATTERN_PARTS_MAX = 1_000;
/**
 * The deepest nesting of schemas during a check, where each reference counts as a level. Deeper schemas would exceed
 * the call stack.
 */
export const SCHEMA_CHECK_DEPTH_MAX = 400;
/** The most violations that one answer lists. */
export const SCHEMA_VIOLATIONS_MAX = 20;

// Time limits: the durations, instants, cron expressions and windows that a client may write.

/** The longest duration: four hundred years. Added to any instant of this century, it gives a valid instant. */
export const DURATION_MS_MAX = 146_000 * 24 * 60 * 60_000;
/** The last valid year of an instant. An instant in a later year is refused. */
export const LAST_YEAR = 2500;
/** The last valid instant, in epoch milliseconds. */
export const INSTANT_MS_MAX = Date.UTC(LAST_YEAR + 1, 0, 1) - 1;
/**
 * The longest text of a date-time, which may have nine digits of a second, an offset and the name of a zone. It is
 * limited because parsing time grows with the square of the length.
 */
export const INSTANT_CHARS_MAX = 128;
/** The longest cron expression. */
export const CRON_CHARS_MAX = 200;
/**
 * How late a scheduled occurrence may start, if the definition sets nothing else. An occurrence that would start later
 * counts as missed.
 */
export const OCCURRENCE_GRACE_MS = 10 * 60_000;
/** The most time ranges of a window: two for each day of the week. */
export const WINDOW_RANGES_MAX = 14;
/** The longest time after a window's opening over which waiting runs are spread. */
export const WINDOW_SPREAD_MS_MAX = 24 * 60 * 60_000;
/**
 * How many days ahead the next opening of a window is searched. If none is found within a year, the window never opens.
 */
export const WINDOW_DAYS_MAX = 366;
/** The most dates of a calendar of holidays. 2,000 dates take 26 KB of each definition that names the calendar. */
export const CALENDAR_DATES_MAX = 2_000;
/** The most dates of all events of an iCalendar text together, which may repeat each other's dates. */
export const CALENDAR_EVENT_DATES_MAX = 10_000;
/** How many definitions, and how many recurring actions, the change of a calendar lists. */
export const CALENDAR_USES_LISTED_MAX = 100;
/** A calendar whose last date is nearer than this gets a warning. */
export const CALENDAR_WARNED_MS = 60 * 24 * 60 * 60_000;
/** The longest iCalendar text of a calendar. */
export const CALENDAR_ICS_CHARS_MAX = 200_000;
/** The most calendars that one definition names. */
export const CALENDARS_NAMED_MAX = 5;
/** How many users of a calendar the refusal of its deletion names in its sentence. */
export const CALENDAR_USERS_NAMED_MAX = 5;
/** A standalone action stores dates of a calendar that are at most this long past. A zone is a day from UTC at most. */
export const CALENDAR_PAST_MS = 2 * 24 * 60 * 60_000;
/** How many recurring actions get the new dates of calendars in one sweep, and in the request that changes a calendar. */
export const FOLLOWERS_SENT_MAX = 500;
export const FOLLOWERS_SENT_AT_ONCE_MAX = 20;
/** How many recurring actions get new dates at the same time. */
export const FOLLOWERS_AT_ONCE = 20;
/** How many days a date is moved over holidays. If no day is free within them, nothing happens on the date. */
export const HOLIDAY_MOVE_DAYS_MAX = 31;

// Journey limits: the size of a journey's graph, and of the lists and results that its nodes use.

/** The most nodes of a journey. */
export const JOURNEY_NODES_MAX = 500;
/** The most edges of a journey. An execution processes each edge once. */
export const JOURNEY_EDGES_MAX = 5_000;
/** The most outgoing edges of a node: the cases of a branch, the ways of a split or a fork, or the events of a wait. */
export const NODE_EDGES_MAX = 100;
/** The most exits of a journey. */
export const EXITS_MAX = 50;
/** The largest weight that one way of a split may have. */
export const WEIGHT_MAX = 1_000_000;
/** The most repetitions of an `each` node. The number is fixed, or is the length of a list. */
export const EACH_ITEMS_MAX = 1_000;
/**
 * The largest list of an `each` node, in bytes. It is stored when the node is reached, and then in every row that the
 * execution writes.
 */
export const EACH_BYTES_MAX = 128 * 1024;
/** The largest total size of the results that a journey stores for its compensations. */
export const COMPENSATION_RESULTS_BYTES_MAX = 256 * 1024;
/** The most active nodes that rules and the journal list by name. If there are more, the rest is left out. */
export const NODES_NAMED_MAX = 20;

// Reconciler limits. They are low, because a tenant may have thousands of reconcilers that each run for years.

/** The shortest and the longest interval between two evaluations of a reconciler's rules. */
export const TICK_MS_MIN = SECOND;
export const TICK_MS_MAX = DAY;
/** The largest observed state. Every rule reads it, and it is stored in the execution's row. */
export const OBSERVED_BYTES_MAX = PAYLOAD_BYTES_MAX;
/** The largest desired state. Every rule reads it, and it is stored in the execution's row. */
export const DESIRED_BYTES_MAX = PAYLOAD_BYTES_MAX;
/** The most rules of one state of a reconciler. */
export const RULES_PER_STATE_MAX = 50;
/** The longest reason of a reconciler's state in lists. */
export const REASON_CHARS_MAX = 500;
/** The shortest and the longest time after which an observation is stale. */
export const STALE_MS_MIN = SECOND;
export const STALE_MS_MAX = 7 * DAY;
/** The shortest and the longest interval between two calls of a collector. Each call is a request to a provider. */
export const COLLECT_EVERY_MS_MIN = SECOND;
export const COLLECT_EVERY_MS_MAX = DAY;
/** The longest wait before a failing collector is called again. */
export const COLLECT_BACKOFF_MS_MAX = 60 * 60 * SECOND;

// Definition test limits: the number of tests in a definition, and the work that they may cause for each new version.

/** The most tests of a definition. */
export const TESTS_MAX = 50;
/** The most expectations (checks) of one test. */
export const TEST_CHECKS_MAX = 50;
/** The most expected actions of one check. */
export const TEST_ACTIONS_MAX = 200;
/** The largest size of all tests of a definition as JSON. */
export const TESTS_BYTES_MAX = 128 * KIB;
/**
 * The most steps of all tests of a definition. They are executed for each new version, and this number takes some
 * tenths of a second.
 */
export const TESTS_STEPS_MAX = 10_000;
/** The most cost units (see `STEP_WORK_MAX`) of all tests of a definition. */
export const TESTS_WORK_MAX = 5_000_000;
/** The most failures that the result of one test lists. */
export const TEST_FAILURES_LISTED_MAX = 20;

// Publication limits: the history of a definition's published versions, and the diff of two versions.

/**
 * How many publications are stored per name. Older ones are deleted from the list, but the audit log still contains
 * them.
 */
export const PUBLICATIONS_KEPT = 1_000;
/** How many later publications one rollback can revert. */
export const PUBLICATIONS_REVERTED_MAX = 1_000;
/**
 * How often a publish request is tried. Each try fails if another request has published a version of the same name
 * first.
 */
export const PUBLISH_TRIES_MAX = 5;
/** How often storing a new version is tried. Each try fails if another request has used the version number first. */
export const VERSION_TRIES_MAX = 20;
/** A write by name is tried again this many times, if other requests create or change the resource at the same time. */
export const PUT_TRIES_MAX = 3;
/** A diff matches the equal items of two lists only if the product of the lists' lengths is at most this. */
export const DIFF_CELLS_MAX = 250_000;
/**
 * A diff matches the similar items of two lists only if the product of the lists' lengths is at most this. It is lower
 * than `DIFF_CELLS_MAX`, because comparing fields costs more.
 */
export const DIFF_ALIKE_CELLS_MAX = 10_000;
/** The largest old or new value that a diff shows. A client can read a larger value from the version itself. */
export const DIFF_VALUE_BYTES_MAX = 4 * 1024;
/** The most message templates whose two versions one diff compares. */
export const TEMPLATES_COMPARED_MAX = 20;
/** The most live executions of each status that are read to find the versions in use. The newest are read. */
export const LIVE_COUNTED_MAX = 10_000;
