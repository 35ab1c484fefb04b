// What came of a test.
import type { Json } from "../json.ts";

export type TestFailure = {
  /** Where in the test: `/expect/0/actions/1/at`. */
  readonly pointer: string;
  readonly message: string;
  readonly expected: Json;
  readonly got: Json;
};
export type Tested = {
  readonly name: string;
  readonly passed: boolean;
  readonly blocking: boolean;
  readonly failures: readonly TestFailure[];
  /** More of them were not told. */
  readonly more: number;
};
