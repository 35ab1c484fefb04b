// Worker limits: inputs and results of the methods of bound Workers.
import { ANSWER_BYTES_MAX, ANSWER_DEPTH_MAX } from "./responses.ts";

/** The largest input of a method as JSON, in characters. */
export const WORKER_INPUT_CHARS_MAX = 64 * 1024;
/** The most characters in a method's result. Only its first 16 KB are stored, but the whole result is checked. */
export const WORKER_RESULT_CHARS_MAX = ANSWER_BYTES_MAX;
/** The most values in a method's result. Without a limit, shared references could make a check endless. */
export const WORKER_RESULT_VALUES_MAX = 100_000;
export const WORKER_RESULT_DEPTH_MAX = ANSWER_DEPTH_MAX;
