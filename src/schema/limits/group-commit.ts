// Group commit limits: when an input of a cell waits for other inputs, so that one commit stores all of them.

/** If at least this many executions are active, an input waits `GROUP_COMMIT_MS` for other inputs. */
export const GROUP_COMMIT_FROM = 2;
export const GROUP_COMMIT_MS = 1;
/** An execution counts as active if it had an input within this time. */
export const GROUP_COMMIT_ACTIVE_MS = 2;
