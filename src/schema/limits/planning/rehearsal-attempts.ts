// Rehearsal limits: attempts of an action that run against mocked answers.

/** The most attempts of one rehearsal. */
export const REHEARSAL_ATTEMPTS_MAX = 25;
/** The most mocked answers for one attempt. */
export const REHEARSAL_REQUESTS_MAX = 50;
/**
 * The most steps of a rehearsal. An attempt that is held uses no attempt, so the number of attempts alone would not end
 * the rehearsal.
 */
export const REHEARSAL_STEPS_MAX = 1_500;
/** A request body that is larger than this is reported with a recommendation, because many receivers refuse it. */
export const LARGE_BODY_BYTES = 256 * 1024;
