// Task limits: open tasks of an execution, and their reminders.

/** The most open tasks of one execution: each is stored in the execution's row. */
export const TASKS_OPEN_MAX = 200;
/** The most reminders of one task. */
export const REMINDERS_MAX = 100;
/** The shortest gap between two reminders of a task. */
export const REMINDER_GAP_MS_MIN = 60_000;
/** How many times the engine searches for a canceled task if it is unknown whether the task was created. */
export const TASK_SEARCHES_MAX = 3;
/** The end of a task is sent to its execution again after this time, if the first delivery is not confirmed. */
export const TASK_UNDELIVERED_MS = 60_000;
/** The most ended tasks that one sweep sends again. */
export const TASKS_UNDELIVERED_MAX = 500;
