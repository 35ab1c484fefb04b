// What the kernel bounds by itself, whatever a definition or a provider says.
import { limits } from "../limits.ts";

/** A hold that is over before it begins would come straight back; one without end is looked at every day. */
export const HOLD_MS_MIN = 20;
export const HOLD_MS_MAX = 24 * 60 * 60_000;
/** A provider may ask for any wait; past a day it is a person's decision. */
export const RETRY_AFTER_MS_MAX = 24 * 60 * 60_000;
/** Up to so much is added to a wait, where that is asked for: enough to part a crowd, and no wait gets shorter. */
export const JITTER_ADDED_MS = 500;
/** Exponential waits without a cap outgrow the calendar; a year is longer than anybody means. */
export const RETRY_BACKOFF_MS_MAX = 365 * 24 * 60 * 60_000;
/** Four hundred years: what is added to a moment of this century is one the engine still keeps. */
export const DURATION_MS_MAX = 146_000 * 24 * 60 * 60_000;
/** What is to happen later was meant otherwise. */
export const LAST_YEAR = 2500;
export const INSTANT_MS_MAX = Date.UTC(LAST_YEAR + 1, 0, 1) - 1;
/** No date-time is longer, with nine digits of a second, an offset and the name of a zone. Reading one takes the square of its length. */
export const INSTANT_CHARS_MAX = 128;

/** Longer expressions list what nobody keeps in his head. */
export const CRON_CHARS_MAX = 200;
/** An occurrence of a schedule is late by this much at most, where nobody says: what comes later was missed. */
export const OCCURRENCE_GRACE_MS = 10 * 60_000;

/** Two a day, all week. */
export const WINDOW_RANGES_MAX = 14;
/** What waits for a window to open goes on the day on which it opens. */
export const WINDOW_SPREAD_MS_MAX = 24 * 60 * 60_000;
/** A window that does not open within a year does not open. */
export const WINDOW_DAYS_MAX = 366;
/** What a rule gave for a time zone, as the journal shows it. */
export const ZONE_SHOWN_CHARS_MAX = 100;

/** A request with a key is known again for so long, however many came after it. */
export const RECEIPT_KEPT_MS = 24 * 60 * 60_000;
/** Older receipts are let go so many at a time: it bounds how many times are kept beside them. */
export const RECEIPTS_LEAVE_EVERY_MS = 60 * 60_000;

/** Tasks that one execution may have open: each is kept in its row. */
export const TASKS_OPEN_MAX = 200;
/** Of one task. */
export const REMINDERS_MAX = 100;
export const REMINDER_GAP_MS_MIN = 60_000;
/** One that was withdrawn while nobody knew whether it had been made is looked for so often, with growing gaps. */
export const TASK_LOOKS_MAX = 3;
/** Outbox messages of one execution that one delivery handles; the others go out with the next one. */
export const OUTBOX_AT_ONCE_MAX = 20;

/** What one evaluation of a rule may cost; a step is an operator, an operand or an item looked at. */
export const LOGIC_STEPS_MAX = 250_000;
/**
 * What one step may cost in all, rules, templates and microsteps together. A unit is what a plain operator of a rule
 * takes, some 50 ns: a step ends after about a tenth of a second, whatever its definition says.
 */
export const STEP_WORK_MAX = 1_000_000;
/** When a run has used that up and failed by it, its machine may still hear of the failure: once a step. */
export const STEP_WORK_SPARE = 100_000;
/** How long a list is that a definition does not show, when its steps are looked at before they are made. */
export const LIST_ITEMS_GUESSED = 100;
/** Each is compared with each other one: of more event types in a definition, misspelt ones are not looked for. */
export const EVENT_TYPES_COMPARED_MAX = 300;
/** So many warnings of one definition are told; another ten thousand would not be read. */
export const WARNINGS_TOLD_MAX = 200;
/** Which of so many names was meant by one that is not there; comparing letter by letter costs more than anything else here. */
export const NAMES_GUESSED_MAX = 100;
/** Letters of templates that one check reads to offer corrected texts with its warnings. */
export const PATCHED_CHARS_MAX = limits.templateBytesMax;
/** So many known names are listed where one is not known. */
export const NAMES_LISTED_MAX = 20;
/** So much that does not fit what is declared is told at once. */
export const MISFITS_TOLD_MAX = 20;
/** Of schemas around each other, references followed, while a value is looked at: deeper ones would end where the stack does. */
export const SCHEMA_STEPS_DEEP_MAX = 400;
/** Deeper values would end where the machine's stack does, which is not everywhere the same. */
export const LOGIC_VALUE_DEPTH_MAX = 200;
/** Text and lists that templates may handle on the way to their output. */
export const TEMPLATE_MEMORY_BYTES_MAX = 16 * limits.templateOutputBytesMax;

/** Of what an isolate keeps so as not to compile it again. */
export const TEMPLATES_CACHED_MAX = 500;
export const TEMPLATE_CACHED_CHARS_MAX = 8 * 1024;
/** Positions of one machine whose outlook is kept. */
export const OUTLOOKS_CACHED_MAX = 32;
/** Moves of one machine that are known, by what sets them off and where it stands then; and how long a name may be. */
export const MOVES_KNOWN_MAX = 200;
export const MOVE_NAME_CHARS_MAX = 500;
/** Names of actions are few; whoever makes them up one by one does not fill the memory with machines. */
export const ACTION_MACHINES_CACHED_MAX = 200;
/** So many correlation keys of one execution the directory may still have from before; further changes wait for it. */
export const LISTED_KEYS_MAX = 10;

/** Stretches of zones in which no clock is moved that are remembered; a year of a zone is some sixty. */
export const STEADY_STRETCHES_MAX = 50_000;
/** Texts of durations whose parts are remembered. */
export const DURATIONS_CACHED_MAX = 500;
