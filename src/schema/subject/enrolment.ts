// Enrolment: whether a subject may enter a journey. The admission call of a subject's object, and its rows.
import { z } from "zod";
import type { ExecutionStatus } from "../engine/state.ts";

/** once: a subject enters at most once. after_finish: not while it is in the journey. always: without a limit. */
export const reentry = z.enum(["once", "always", "after_finish"]);
export type Reentry = z.infer<typeof reentry>;

export type EnrolmentEnd = {
  /** The status at the end. unknown: the execution was deleted without a report. */
  readonly status: ExecutionStatus | "unknown";
  readonly at: number;
};

/** One execution of a journey for a subject, from its admission on. */
export type Enrolment = {
  readonly execution: string;
  readonly at: number;
  /** The number of the admission in this journey, repeats included. A withdrawal names it. */
  readonly turn: number;
  /** The execution must begin before this instant (epoch ms). */
  readonly until: number;
  /** True: the execution is known to have begun. */
  readonly isSeen: boolean;
  readonly ended: EnrolmentEnd | null;
};

/** A subject's row of one journey, by the definition's name. */
export type JourneyRow = {
  readonly v: 1;
  readonly journey: string;
  /** The rule in the last request. */
  readonly reentry: Reentry;
  readonly turn: number;
  /** The latest enrolments, in the order of admission. */
  readonly enrolments: readonly Enrolment[];
};

/** The Worker's finding about an enrolment that has not reported since its admission. */
export type EnrolmentFinding = {
  readonly execution: string;
  readonly turn: number;
  /** null: the execution does not exist. `ended`: how it ended; null while it is live. */
  readonly is: null | { readonly ended: EnrolmentEnd | null };
};

export type EnrollRequest = {
  readonly journey: string;
  readonly execution: string;
  readonly reentry: Reentry;
  /** The execution that the start continues. It has ended or is about to end, so it does not block the start. */
  readonly again?: string;
  /** The answers of cells about executions whose state was in doubt. */
  readonly found: readonly EnrolmentFinding[];
  /** True: the execution with this id has ended and is deleted, so the start would begin a new one. */
  readonly isGone: boolean;
  readonly dryRun: boolean;
};

export type EnrollAnswer =
  /** The execution is admitted. `isNew`: the enrolment was added by this call, so it can be withdrawn. */
  | { readonly kind: "admitted"; readonly turn: number; readonly until: number; readonly isNew: boolean }
  /** The execution was enrolled before and has ended. The start returns its first answer, if it is stored. */
  | { readonly kind: "repeated" }
  /** The subject is or was in the journey already. */
  | { readonly kind: "enrolled"; readonly by: Enrolment }
  /** It is unknown whether this execution has begun or still runs. The Worker must query its cell. */
  | { readonly kind: "doubt"; readonly of: Enrolment }
  /** The subject's object stores the maximum of journeys. */
  | { readonly kind: "full"; readonly max: number };

/** The report that an execution has ended. */
export type ExecutionEndReport = {
  readonly journey: string;
  readonly execution: string;
  /** Creation time of the execution. It distinguishes executions that reuse an id. */
  readonly incarnation: number;
  readonly end: EnrolmentEnd;
};
