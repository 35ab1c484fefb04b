// Enrolment lists: lists of subjects that are uploaded in parts. An operation then starts an execution for each line.
import { z } from "zod";
import { correlationId } from "../values.ts";
import { jsonObject, type Json } from "../json.ts";

/**
 * One line of a list, which is one start. An invalid line is refused when the operation reaches it, and does not affect
 * the other lines.
 */
export const enrolmentLine = z.strictObject({
  variables: jsonObject.optional(),
  correlationId: correlationId.optional(),
});

export type Part = {
  /** The number of the part, from 1. Parts may arrive in any order, and more than once. */
  readonly part: number;
  readonly lines: readonly Json[];
  /** A digest of the lines. If the part is sent again with other lines, it is refused. */
  readonly fingerprint: string;
};
export type AppendAnswer = {
  readonly repeated: boolean;
  /** How many parts were uploaded, including this one. `bytes`: their total size. */
  readonly parts: number;
  readonly lines: number;
};

/** How many parts of an operation's list were uploaded, and their total size. */
export type Upload = { readonly parts: number; readonly bytes: number };

/** A line with its id, such as 3.17: line 17 of part 3. */
export type NumberedLine = { readonly id: string; readonly line: Json };

/** A line or an execution that failed, with the reason. */
export type LineFailure = {
  readonly part: number;
  readonly line: number;
  readonly code: string;
  readonly message: string;
  /** Only for an operation over executions: the execution's id. */
  readonly execution?: string;
};
export type LineFailurePage = { readonly data: readonly LineFailure[]; readonly next: string | null };
