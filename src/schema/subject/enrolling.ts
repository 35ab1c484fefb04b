// Enrolment lists: subjects to be enrolled: uploaded in parts, then processed as an operation, line by line.
import { z } from "zod";
import { correlationId } from "../values.ts";
import { jsonObject, type Json } from "../json.ts";

/** One start. An invalid line is refused on its own, on its turn. */
export const enrolmentLine = z.strictObject({
  variables: jsonObject.optional(),
  correlationId: correlationId.optional(),
});

export type Part = {
  /** Counts from 1; parts may arrive in any order, and twice. */
  readonly part: number;
  readonly lines: readonly Json[];
  /** A digest of the lines: the same part with other lines is refused. */
  readonly fingerprint: string;
};
export type Appended = {
  readonly repeated: boolean;
  /** The totals including this part. */
  readonly parts: number;
  readonly lines: number;
};

/** An operation's upload so far. */
export type Upload = { readonly parts: number; readonly bytes: number };

/** `id`: its part and its position there, such as 3.17. */
export type NumberedLine = { readonly id: string; readonly line: Json };

/** A line or an execution that failed, and why. */
export type LineTrouble = {
  readonly part: number;
  readonly line: number;
  readonly code: string;
  readonly message: string;
  /** For an operation over executions: which one. */
  readonly execution?: string;
};
export type TroublePage = { readonly data: readonly LineTrouble[]; readonly next: string | null };
