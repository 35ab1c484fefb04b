// Definition test limits: the number of tests in a definition, and the time that they may take for each new version.
const KIB = 1024;

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
