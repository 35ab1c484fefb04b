// Rehearsal limits: attempts of an action that run against mocked answers.

/** The most attempts of one rehearsal. */
export const REHEARSAL_ATTEMPTS_MAX = 25;
/** The most mocked answers for one attempt. */
export const REHEARSAL_REQUESTS_MAX = 50;
/**
 * The most steps of a rehearsal. A held run makes no attempt, so the limit of attempts alone would not end the
 * rehearsal.
 */
export const REHEARSAL_STEPS_MAX = 1_500;
/** If a request body is larger than this, the answer recommends a smaller one, because many receivers refuse it. */
export const LARGE_BODY_BYTES = 256 * 1024;
