// Enrolment: whether a subject may enter a journey. The admission call of a subject's object, and its rows.
import { z } from "zod";
import type { ExecutionStatus } from "../engine/state.ts";

/** once: a subject enters at most once. after_finish: not while it is in the journey. always: without a limit. */
export const reentry = z.enum(["once", "always", "after_finish"]);
export type Reentry = z.infer<typeof reentry>;

export type EnrolmentEnd = {
  /** The execution's status at its end. unknown: the execution was deleted and never reported its end. */
  readonly status: ExecutionStatus | "unknown";
  readonly at: number;
};

/** One execution of a journey for a subject, from its admission on. */
export type Enrolment = {
  readonly execution: string;
  readonly at: number;
  /** The number of the admission among all admissions in this journey. A withdrawal names this number. */
  readonly turn: number;
  /** The latest time, in epoch ms, at which the execution may begin. */
  readonly until: number;
  /** True: the execution is known to have begun. */
  readonly isSeen: boolean;
  readonly ended: EnrolmentEnd | null;
};

/** A subject's row of one journey, by the definition's name. */
export type JourneyRow = {
  readonly v: 1;
  readonly journey: string;
  /** The reentry rule that the last start requested. */
  readonly reentry: Reentry;
  readonly turn: number;
  /** The latest enrolments, in the order of admission. */
  readonly enrolments: readonly Enrolment[];
};

/** The state of an enrolled execution as its cell reported it to the Worker. */
export type EnrolmentFinding = {
  readonly execution: string;
  readonly turn: number;
  /** null: the execution does not exist. `ended`: how the execution ended; null while it is live. */
  readonly is: null | { readonly ended: EnrolmentEnd | null };
};

export type EnrollRequest = {
  readonly journey: string;
  readonly execution: string;
  readonly reentry: Reentry;
  /**
   * The earlier execution that this start continues. It has ended or is about to end, so it does not prevent the start.
   */
  readonly again?: string;
  /** The answers of cells about executions whose state was in doubt. */
  readonly found: readonly EnrolmentFinding[];
  /** True: the execution with this id has ended and is deleted. The start would therefore create a new execution. */
  readonly isGone: boolean;
  readonly dryRun: boolean;
};

export type EnrollAnswer =
  /** The execution is admitted. `isNew`: this call added the enrolment, so the caller may withdraw it. */
  | { readonly kind: "admitted"; readonly turn: number; readonly until: number; readonly isNew: boolean }
  /**
   * The execution was enrolled before and has ended. The cell returns the first answer to the start, if it still has
   * it.
   */
  | { readonly kind: "repeated" }
  /** The subject is or was in the journey already. */
  | { readonly kind: "enrolled"; readonly by: Enrolment }
  /**
   * It is unknown whether this enrolled execution has begun or still runs. The Worker queries its cell and calls again.
   */
  | { readonly kind: "doubt"; readonly of: Enrolment }
  /** The subject has the maximum of journeys, so no further journey can be stored. */
  | { readonly kind: "full"; readonly max: number };

/** The report that an execution has ended. */
export type ExecutionEndReport = {
  readonly journey: string;
  readonly execution: string;
  /** Creation time of the execution. It distinguishes executions that reuse an id. */
  readonly incarnation: number;
  readonly end: EnrolmentEnd;
};
