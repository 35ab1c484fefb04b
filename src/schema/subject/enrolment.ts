// Enrolment: which subjects may be in a journey, and how often: the admission call to a subject's object, and what it
// stores.
import { z } from "zod";
import type { ExecutionStatus } from "../engine/state.ts";

/** once: ever. after_finish: not while it is in it. always: without a limit, also in parallel. */
export const reentry = z.enum(["once", "always", "after_finish"]);
export type Reentry = z.infer<typeof reentry>;

export type EnrolmentEnd = {
  /** unknown: it existed, and is gone without a report. */
  readonly status: ExecutionStatus | "unknown";
  readonly at: number;
};

/** One execution of a journey for a subject, from its admission on. */
export type Enrolment = {
  readonly execution: string;
  readonly at: number;
  /** Counts the journey's admissions, repeats too: a withdrawal names it. */
  readonly turn: number;
  /** The execution may begin until then, and not later. */
  readonly until: number;
  /** Whether the execution is known to have begun. */
  readonly isSeen: boolean;
  readonly ended: EnrolmentEnd | null;
};

/** A subject's data of one journey, by the definition's name. */
export type JourneyRow = {
  readonly v: 1;
  readonly journey: string;
  /** The last requested rule. */
  readonly reentry: Reentry;
  readonly turn: number;
  /** The latest enrolments, in the order of admission. */
  readonly enrolments: readonly Enrolment[];
};

/** What the Worker has found about an enrolment without a report since its admission. */
export type Found = {
  readonly execution: string;
  readonly turn: number;
  /** null: there is no such execution. Else how it ended, if it has. */
  readonly is: null | { readonly ended: EnrolmentEnd | null };
};

export type EnrollAsk = {
  readonly journey: string;
  readonly execution: string;
  readonly reentry: Reentry;
  /** The start continues this execution, which has ended or is about to, and therefore does not block the start. */
  readonly again?: string;
  /** What the cells answered about the doubtful executions. */
  readonly found: readonly Found[];
  /** This execution has ended and is gone: it would begin again. */
  readonly isGone: boolean;
  readonly dryRun: boolean;
};

export type Enrolled =
  /** `isNew`: it was unknown before, so it can be withdrawn. */
  | { readonly kind: "admitted"; readonly turn: number; readonly until: number; readonly isNew: boolean }
  /** The execution was enrolled and has ended: the engine repeats the first answer, if there is one. */
  | { readonly kind: "repeated" }
  /** The subject is or was in the journey already. */
  | { readonly kind: "enrolled"; readonly by: Enrolment }
  /** Whether this one has begun, or still runs, is unknown: ask its cell. */
  | { readonly kind: "doubt"; readonly of: Enrolment }
  /** The subject's object stores the maximum of journeys. */
  | { readonly kind: "full"; readonly max: number };

/** An execution has ended. */
export type EndedAsk = {
  readonly journey: string;
  readonly execution: string;
  /** When it was created: ids are reused. */
  readonly incarnation: number;
  readonly end: EnrolmentEnd;
};
