// Test results: the result of one test of a definition.
import type { Json } from "../json.ts";

export type TestFailure = {
  /** Where the failed check is in the test, such as `/expect/0/actions/1/at`. */
  readonly pointer: string;
  readonly message: string;
  readonly expected: Json;
  readonly got: Json;
};
export type TestResult = {
  readonly name: string;
  readonly passed: boolean;
  readonly blocking: boolean;
  readonly failures: readonly TestFailure[];
  /** How many further failures are not listed. */
  readonly more: number;
};
