// Classes of waiting work.

/**
 * dead_letter: waits for an operator. due: a run that should start or be retried now. overdue: an execution whose wake
 * has passed. paused, waiting: an execution in this status.
 */
export const waitingClasses = ["dead_letter", "due", "overdue", "paused", "waiting"] as const;
export type WaitingClass = (typeof waitingClasses)[number];
