// Limits of a definition: its size, its rules, templates, schemas, times and tests.
import { PAYLOAD_BYTES_MAX } from "./executions.ts";
const KIB = 1024;
const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

// Template limits: the size of a Liquid template, its output, and the work of rendering it.

/** The largest template in a config. */
export const TEMPLATE_BYTES_MAX = 64 * KIB;
/** The largest output of a template. */
export const TEMPLATE_OUTPUT_BYTES_MAX = 256 * KIB;
/** The most steps of one rendering. */
export const TEMPLATE_STEPS_MAX = 100_000;
/** The most memory for texts and lists of one rendering. */
export const TEMPLATE_MEMORY_BYTES_MAX = 16 * TEMPLATE_OUTPUT_BYTES_MAX;
/** The largest part (subject, html, text) of a message template. */
export const MESSAGE_PART_BYTES_MAX = 128 * KIB;
/** The most variables of a message template. */
export const TEMPLATE_VARIABLES_MAX = 100;

// Definition limits: the size of a machine, the number of actions, and the number of findings that one check returns.

/** The largest definition: it is stored in one row (2 MB) and sent in one start call. */
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
/** The most characters of templates that one check reads to suggest corrections. */
export const CORRECTED_TEMPLATE_CHARS_MAX = TEMPLATE_BYTES_MAX;
/** The most event types that a check compares for similar spellings. Each type is compared with every other type. */
export const EVENT_TYPES_COMPARED_MAX = 300;
/** The most known names of which the suggestion for an unknown name is chosen. */
export const SUGGESTED_NAMES_COMPARED_MAX = 100;
/** The most known names that a finding about an unknown name lists. */
export const NAMES_LISTED_MAX = 20;

// Rule limits: the size of a JsonLogic rule, and the depth of the values that it reads. The cost is in `executions.ts`.

/** The deepest nesting of a rule. */
export const RULE_DEPTH_MAX = 32;
/** The most parts of a rule. */
export const RULE_NODES_MAX = 2_000;
/**
 * The deepest value that a rule reads. A deeper value would exceed the call stack, whose size differs between
 * platforms.
 */
export const RULE_VALUE_DEPTH_MAX = 200;

// Input schema limits: the JSON Schemas that a definition sets for starts and events, and their violations.

/** The most event types with a schema. */
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
 * The most parts of a pattern, with each repetition counted. A check may compare each letter of a text with all parts.
 */
export const SCHEMA_PATTERN_PARTS_MAX = 1_000;
/** The deepest nesting of schemas during a check, references included. Deeper schemas would exceed the call stack. */
export const SCHEMA_CHECK_DEPTH_MAX = 400;
/** The most violations that one answer lists. */
export const SCHEMA_VIOLATIONS_MAX = 20;

// Time limits: durations, instants, cron expressions and windows that a client may write.

/**
 * The longest duration: four hundred years. An instant of this century plus the longest duration is still a valid
 * instant.
 */
export const DURATION_MS_MAX = 146_000 * 24 * 60 * 60_000;
/** The last valid year of an instant. A later year is an error. */
export const LAST_YEAR = 2500;
/** The last valid instant, in epoch milliseconds. */
export const INSTANT_MS_MAX = Date.UTC(LAST_YEAR + 1, 0, 1) - 1;
/**
 * The longest text of a date-time: it may have nine digits of a second, an offset and the name of a zone. Parsing takes
 * time that grows with the square of the length.
 */
export const INSTANT_CHARS_MAX = 128;
/** The longest cron expression. */
export const CRON_CHARS_MAX = 200;
/**
 * How late a scheduled occurrence may start, if the definition sets nothing else. A later occurrence counts as missed.
 */
export const OCCURRENCE_GRACE_MS = 10 * 60_000;
/** The most time ranges of a window: two per day of a week. */
export const WINDOW_RANGES_MAX = 14;
/** The longest time over which runs that wait for a window are spread after it opens. */
export const WINDOW_SPREAD_MS_MAX = 24 * 60 * 60_000;
/**
 * How many days ahead the next opening of a window is searched. A window that does not open within a year never opens.
 */
export const WINDOW_DAYS_MAX = 366;

// Journey limits: sizes of a journey's graph and of the lists and results that its nodes use.

/** The most nodes of a journey. */
export const JOURNEY_NODES_MAX = 500;
/** The most edges of a journey. An execution processes each edge once. */
export const JOURNEY_EDGES_MAX = 5_000;
/** The most outgoing edges of a node: cases of a branch, ways of a split, events of a wait, or a fork. */
export const NODE_EDGES_MAX = 100;
/** The most exits of a journey. */
export const EXITS_MAX = 50;
/** The largest weight of a split's way. */
export const WEIGHT_MAX = 1_000_000;
/** The most repetitions of an `each` node: its fixed count, or the items of its list. */
export const EACH_ITEMS_MAX = 1_000;
/**
 * The largest list of an `each` node. The list is stored when the node is reached, and every later row of the execution
 * contains it.
 */
export const EACH_BYTES_MAX = 128 * 1024;
/** The largest total size of the results that a journey stores for compensations. */
export const COMPENSATION_RESULTS_BYTES_MAX = 256 * 1024;
/** The most active nodes that rules and the journal show by name. Further nodes are left out. */
export const NODES_NAMED_MAX = 20;

// Reconciler limits. A tenant may have thousands of reconcilers, and each may run for years.

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
/** The shortest and the longest time for which an observation is valid. */
export const STALE_MS_MIN = SECOND;
export const STALE_MS_MAX = 7 * DAY;
/** The shortest and the longest interval between two calls of a collector. Each call is a request to a provider. */
export const COLLECT_EVERY_MS_MIN = SECOND;
export const COLLECT_EVERY_MS_MAX = DAY;
/** The longest wait before a failing collector is called again. */
export const COLLECT_BACKOFF_MS_MAX = 60 * 60 * SECOND;

// Definition test limits: the number of tests in a definition, and the time that they may take for each new version.

/** The most tests of a definition. */
export const TESTS_MAX = 50;
/** The most expectations (checks) of one test. */
export const TEST_CHECKS_MAX = 50;
/** The most expected actions of one check. */
export const TEST_ACTIONS_MAX = 200;
/** The largest size of all tests of a definition as JSON. */
export const TESTS_BYTES_MAX = 128 * KIB;
/**
 * The most steps of all tests of a definition. The tests run for each new version, and this many steps take some tenths
 * of a second.
 */
export const TESTS_STEPS_MAX = 10_000;
/** The most cost units (see `STEP_WORK_MAX`) of all tests of a definition. */
export const TESTS_WORK_MAX = 5_000_000;
/** The most failures that the result of one test lists. */
export const TEST_FAILURES_LISTED_MAX = 20;

// Publication limits: the history of a definition's published versions, and diffs between versions.

/** The number of publications stored per name. Older publications are deleted; the audit log still has their actors. */
export const PUBLICATIONS_KEPT = 1_000;
/** The most later publications that one rollback reverts. */
export const PUBLICATIONS_REVERTED_MAX = 1_000;
/** A publish request is refused after other publish requests of the same name were faster this many times. */
export const PUBLISH_TRIES_MAX = 5;
/** A request for a new version is refused after other requests took its version number this many times. */
export const VERSION_TRIES_MAX = 20;
/** The largest product of both lists' lengths up to which a diff matches their items by position. */
export const DIFF_CELLS_MAX = 250_000;
/** The largest product of both lists' lengths up to which a diff matches their items by content, which costs more. */
export const DIFF_ALIKE_CELLS_MAX = 10_000;
/** The largest old or new value that a diff shows. A client can read a longer value from the version itself. */
export const DIFF_VALUE_BYTES_MAX = 4 * 1024;
/** The most message templates of which a diff compares the other version. */
export const TEMPLATES_COMPARED_MAX = 20;
/** To find the versions in use, at most this many live executions are read per status, the newest ones. */
export const LIVE_COUNTED_MAX = 10_000;
