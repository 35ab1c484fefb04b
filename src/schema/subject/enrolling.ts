// A list of subjects to be enrolled: uploaded in parts, then carried out as an operation, a line at a time.
import { z } from "zod";
import { correlationId } from "../values.ts";
import { jsonObject, type Json } from "../json.ts";

/** One start. A line that is none is refused by itself, when its turn comes. */
export const enrolmentLine = z.strictObject({
  variables: jsonObject.optional(),
  correlationId: correlationId.optional(),
});

export type Part = {
  /** Counts from 1; parts may come in any order, and twice. */
  readonly part: number;
  readonly lines: readonly Json[];
  /** A digest of the lines: the same part with other lines is refused. */
  readonly fingerprint: string;
};
export type Appended = {
  readonly repeated: boolean;
  /** All that it has with this part. */
  readonly parts: number;
  readonly lines: number;
};

/** What an operation has been given so far. */
export type Upload = { readonly parts: number; readonly bytes: number };

/** `id`: its part and its place there, such as 3.17. */
export type NumberedLine = { readonly id: string; readonly line: Json };

/** A line that was not enrolled, or an execution with which it was not done, and why. */
export type LineTrouble = {
  readonly part: number;
  readonly line: number;
  readonly code: string;
  readonly message: string;
  /** Of an operation over executions: which. */
  readonly execution?: string;
};
export type TroublePage = { readonly data: readonly LineTrouble[]; readonly next: string | null };
