// Operation limits: paced work on many dead letters, executions, deliveries or enrolments.

/** The most running or open operations of a tenant. Each has an object that wakes every second. */
export const OPERATIONS_RUNNING_MAX = 20;
/** The highest pace of an operation. */
export const OPERATION_PER_SECOND_MAX = 500;
/** The most items of one slice. A slice is one call to the Worker, which may call as many objects. */
export const OPERATION_SLICE_MAX = 100;
/** The guard alarm wakes the operation's object again if it is lost in the middle of a slice. */
export const OPERATION_GUARD_MS = 30_000;
/** The most steps of one alarm. A page and its first slice need two. */
export const OPERATION_STEPS_PER_ALARM_MAX = 4;
/** If this many items are unreachable, the operation begins no further items, because a larger fault is likely. */
export const OPERATION_UNREACHED_MAX = 200;
/** An item that fails unexpectedly this often is given up. */
export const OPERATION_BROKEN_TRIES_MAX = 5;
/** An item that is unreachable for this long is given up, so that every operation ends. An outage lasts less long. */
export const OPERATION_UNREACHED_MS_MAX = 24 * 60 * 60_000;
/** The longest wait before unreachable items are tried again. */
export const OPERATION_BACKOFF_MS_MAX = 60_000;
/** How long an operation's object is kept after the operation's end. The catalog keeps the operation's row longer. */
export const OPERATION_KEPT_MS = 7 * 24 * 60 * 60_000;
/** The number of items read from the catalog at a time: enough for several slices. */
export const OPERATION_PAGE_ROWS = 500;
/**
 * The most operations in a list whose objects are queried. Further operations are shown as they were at their creation.
 */
export const OPERATIONS_QUERIED_MAX = 20;

/** The most executions that a dry run over dead letters queries. */
export const OPERATION_SAMPLE_MAX = 25;
/** The most failed executions in the sample of a dry run. Executions with handled failures fill the rest. */
export const OPERATION_SAMPLE_FAILED = 20;
/** The most executions of one operation that sends a command: its object stores their ids. */
export const COMMANDED_EXECUTIONS_MAX = 1_000_000;
/** The number of execution ids in one row of the operation's object. */
export const COMMANDED_ROW_EXECUTIONS = 2_000;
/** The largest command: it is sent with every slice, and shown in the list of operations. */
export const COMMAND_BYTES_MAX = 32 * 1024;
/** The most executions that a dry run of a command queries: the oldest ones. */
export const COMMAND_SAMPLE_MAX = 20;
/** The most kinds of entries, and of definitions, that the dry run of a command shows. */
export const COMMAND_KINDS_SHOWN = 20;

/** How often an operation checks the health of the executions that it processed. */
export const HEALTH_CHECK_EVERY_MS = 5_000;
/** How often an operation of automatic retries checks the health of the provider. */
export const PROVIDER_CHECK_EVERY_MS = 1_000;
/** The number of executions whose health is checked. They are spread over all processed executions. */
export const HEALTH_SAMPLE_MAX = 500;
/** The most states that a health check excludes. */
export const HEALTH_STATES_MAX = 20;
/** The number of processed executions from which on the share of failures may stop an operation. */
export const STOP_AFTER = { usual: 20, most: 10_000 } as const;
