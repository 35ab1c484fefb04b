// Operation limits: paced work on many dead letters, executions, deliveries or enrolments.

/** The most operations of a tenant that run or are open. Each has an object that wakes every second. */
export const OPERATIONS_RUNNING_MAX = 20;
/** The highest pace of an operation. */
export const OPERATION_PER_SECOND_MAX = 500;
/** The most items of one slice. A slice is one call to the Worker, which then calls up to one object per item. */
export const OPERATION_SLICE_MAX = 100;
/** When the guard alarm fires. It wakes the operation's object if the object was evicted during a slice. */
export const OPERATION_GUARD_MS = 30_000;
/** The most steps of one alarm. Reading a page and processing its first slice are two steps. */
export const OPERATION_STEPS_PER_ALARM_MAX = 4;
/** If this many items cannot be reached, the operation begins no further items. A larger fault is then likely. */
export const OPERATION_UNREACHED_MAX = 200;
/** After this many unexpected failures an item is given up. */
export const OPERATION_BROKEN_TRIES_MAX = 5;
/** After this time an item that cannot be reached is given up, so that every operation ends. Outages are shorter. */
export const OPERATION_UNREACHED_MS_MAX = 24 * 60 * 60_000;
/** The longest wait before items that could not be reached are tried again. */
export const OPERATION_BACKOFF_MS_MAX = 60_000;
/**
 * How long an operation's object is kept after the operation has ended. The catalog stores the operation's row longer.
 */
export const OPERATION_KEPT_MS = 7 * 24 * 60 * 60_000;
/** How many items are read from the catalog at a time. They are enough for several slices. */
export const OPERATION_PAGE_ROWS = 500;
/**
 * The most operations of a list whose objects are queried. Further operations are shown as they were at their creation.
 */
export const OPERATIONS_QUERIED_MAX = 20;

/** The most executions that a dry run over dead letters queries. */
export const OPERATION_SAMPLE_MAX = 25;
/** The most failed executions in the sample of a dry run. Executions whose failures were handled fill the rest. */
export const OPERATION_SAMPLE_FAILED = 20;
/** The most executions to which one operation sends a command. Its object stores their ids. */
export const COMMANDED_EXECUTIONS_MAX = 1_000_000;
/** The number of execution ids in one row of the operation's object. */
export const COMMANDED_ROW_EXECUTIONS = 2_000;
/** The largest command. It is sent with every slice, and the list of operations shows it. */
export const COMMAND_BYTES_MAX = 32 * 1024;
/** The most executions on which a dry run tries the command: the oldest ones. */
export const COMMAND_SAMPLE_MAX = 20;
/** The most kinds of journal entries that the dry run of a command shows. The same limit applies to definitions. */
export const COMMAND_KINDS_SHOWN = 20;

/** How often an operation checks the health of the executions that it has processed. */
export const HEALTH_CHECK_EVERY_MS = 5_000;
/** How often an operation of automatic retries checks the health of the provider. */
export const PROVIDER_CHECK_EVERY_MS = 1_000;
/** How many executions are checked for their health. They are spread over all processed executions. */
export const HEALTH_SAMPLE_MAX = 500;
/** The most states that count as failed in a health check. */
export const HEALTH_STATES_MAX = 20;
/** How many executions must be processed before the share of failures can stop an operation. */
export const STOP_AFTER = { usual: 20, most: 10_000 } as const;
