// Enrolment lists: lists of subjects that are uploaded in parts, and then started line by line by an operation.
import { z } from "zod";
import { correlationId } from "../values.ts";
import { jsonObject, type Json } from "../json.ts";

/**
 * One line of a list: one start. An invalid line is refused when its turn comes, and does not affect the other lines.
 */
export const enrolmentLine = z.strictObject({
  variables: jsonObject.optional(),
  correlationId: correlationId.optional(),
});

export type Part = {
  /** The number of the part, from 1. Parts may arrive in any order, and twice. */
  readonly part: number;
  readonly lines: readonly Json[];
  /** A digest of the lines. The same part with other lines is refused. */
  readonly fingerprint: string;
};
export type AppendAnswer = {
  readonly repeated: boolean;
  /** The number of uploaded parts and bytes, with this part. */
  readonly parts: number;
  readonly lines: number;
};

/** The uploaded parts and bytes of an operation. */
export type Upload = { readonly parts: number; readonly bytes: number };

/** A line with its id, such as 3.17: the number of its part, and its position in this part. */
export type NumberedLine = { readonly id: string; readonly line: Json };

/** A line or an execution that failed, and the reason. */
export type LineFailure = {
  readonly part: number;
  readonly line: number;
  readonly code: string;
  readonly message: string;
  /** For an operation over executions: the execution's id. */
  readonly execution?: string;
};
export type LineFailurePage = { readonly data: readonly LineFailure[]; readonly next: string | null };
