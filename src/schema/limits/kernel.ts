// Kernel limits: independent of definitions and providers.
import { limits } from "../limits.ts";

/** A hold that is over before it begins would repeat at once; one without end is rechecked every day. */
export const HOLD_MS_MIN = 20;
export const HOLD_MS_MAX = 24 * 60 * 60_000;
/** A provider may request any wait; beyond a day an operator decides. */
export const RETRY_AFTER_MS_MAX = 24 * 60 * 60_000;
/** The maximum jitter added to a wait: enough to spread concurrent retries, without shortening a wait. */
export const JITTER_ADDED_MS = 500;
/** Exponential waits without a cap would exceed the calendar; a year is the maximum. */
export const RETRY_BACKOFF_MS_MAX = 365 * 24 * 60 * 60_000;
/** Four hundred years: any moment of this century plus this is still valid. */
export const DURATION_MS_MAX = 146_000 * 24 * 60 * 60_000;
/** A later year is treated as an error. */
export const LAST_YEAR = 2500;
export const INSTANT_MS_MAX = Date.UTC(LAST_YEAR + 1, 0, 1) - 1;
/**
 * The longest date-time, with nine digits of a second, an offset and the name of a zone. Parsing is quadratic in the
 * length.
 */
export const INSTANT_CHARS_MAX = 128;

/** Longer expressions are not maintainable. */
export const CRON_CHARS_MAX = 200;
/** The default maximum lateness of a scheduled occurrence; a later one counts as missed. */
export const OCCURRENCE_GRACE_MS = 10 * 60_000;

/** Two a day, all week. */
export const WINDOW_RANGES_MAX = 14;
/** Runs that wait for a window are sent on the day on which it opens. */
export const WINDOW_SPREAD_MS_MAX = 24 * 60 * 60_000;
/** A window that does not open within a year never opens. */
export const WINDOW_DAYS_MAX = 366;
/** The longest time zone of a rule that the journal shows. */
export const ZONE_SHOWN_CHARS_MAX = 100;

/** How long a request's key detects repeats, however many requests follow. */
export const RECEIPT_KEPT_MS = 24 * 60 * 60_000;
/** Older receipts are deleted in groups of this period: it limits how many times are stored with them. */
export const RECEIPTS_LEAVE_EVERY_MS = 60 * 60_000;

/** Open tasks of one execution: each is kept in its row. */
export const TASKS_OPEN_MAX = 200;
/** The maximum of reminders of one task. */
export const REMINDERS_MAX = 100;
export const REMINDER_GAP_MS_MIN = 60_000;
/** How often a canceled task is searched for if it is unknown whether it was created, with growing gaps. */
export const TASK_LOOKS_MAX = 3;
/** Outbox messages of one execution that one delivery handles; the others follow in the next one. */
export const OUTBOX_AT_ONCE_MAX = 20;

/** The cost of one evaluation of a rule; a step is one operator, operand or item. */
export const LOGIC_STEPS_MAX = 250_000;
/**
 * The cost of one step in total: rules, templates and microsteps. A unit is one plain operator of a rule, some 50 ns: a
 * step ends after about a tenth of a second, whatever its definition.
 */
export const STEP_WORK_MAX = 1_000_000;
/** A reserve with which a machine can handle the failure of a run that exceeded the limit: once per step. */
export const STEP_WORK_SPARE = 100_000;
/** The assumed length of a list that the definition does not contain, for cost estimates. */
export const LIST_ITEMS_GUESSED = 100;
/** Misspelt event types are searched up to this many, because each is compared with each other. */
export const EVENT_TYPES_COMPARED_MAX = 300;
/** Warnings returned for one definition. */
export const WARNINGS_TOLD_MAX = 200;
/** Names considered as suggestions for an unknown one, because comparing letters is expensive. */
export const NAMES_GUESSED_MAX = 100;
/** Letters of templates that one check reads to offer corrected texts with its warnings. */
export const PATCHED_CHARS_MAX = limits.templateBytesMax;
/** Known names listed with an unknown one. */
export const NAMES_LISTED_MAX = 20;
/** Schema violations returned at once. */
export const MISFITS_TOLD_MAX = 20;
/** Nested schemas, references included, during a check: deeper ones would exceed the call stack. */
export const SCHEMA_STEPS_DEEP_MAX = 400;
/** Deeper values would exceed the call stack, whose size differs between platforms. */
export const LOGIC_VALUE_DEPTH_MAX = 200;
/** Text and lists that templates may process for their output. */
export const TEMPLATE_MEMORY_BYTES_MAX = 16 * limits.templateOutputBytesMax;

/** Compiled templates cached by an isolate. */
export const TEMPLATES_CACHED_MAX = 500;
export const TEMPLATE_CACHED_CHARS_MAX = 8 * 1024;
/** Positions of one machine whose prediction is cached. */
export const OUTLOOKS_CACHED_MAX = 32;
/** Cached transitions of one machine, by event and position; and the maximum length of a name. */
export const MOVES_KNOWN_MAX = 200;
export const MOVE_NAME_CHARS_MAX = 500;
/** Cached machines of standalone actions: generated action names must not fill the memory. */
export const ACTION_MACHINES_CACHED_MAX = 200;
/** Earlier correlation keys of one execution that the directory may still have; further changes wait for it. */
export const LISTED_KEYS_MAX = 10;

/** Cached time-zone periods without a clock change; a year of a zone has some sixty. */
export const STEADY_STRETCHES_MAX = 50_000;
/** Parsed durations that are cached. */
export const DURATIONS_CACHED_MAX = 500;
