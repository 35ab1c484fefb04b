// Enrolment: whether a subject may enter a journey. Contains the admission call of a subject's object, and the object's
// rows.
import { z } from "zod";
import type { ExecutionStatus } from "../engine/state.ts";

/**
 * once: a subject enters the journey at most once. after_finish: it enters again only after it has left. always: it
 * enters any number of times.
 */
export const reentry = z.enum(["once", "always", "after_finish"]);
export type Reentry = z.infer<typeof reentry>;

export type EnrolmentEnd = {
  /** The status with which the execution ended. unknown: the execution was deleted and had never reported its end. */
  readonly status: ExecutionStatus | "unknown";
  readonly at: number;
};

/** One execution of a journey for a subject. It is stored from the admission on. */
export type Enrolment = {
  readonly execution: string;
  readonly at: number;
  /** The number of this admission among all admissions in the journey. A withdrawal contains this number. */
  readonly turn: number;
  /** The latest time, in epoch ms, at which the execution may begin. */
  readonly until: number;
  /** True: the execution is known to have begun. */
  readonly isSeen: boolean;
  readonly ended: EnrolmentEnd | null;
};

/** What a subject's object stores of one journey, which is identified by the definition's name. */
export type JourneyRow = {
  readonly v: 1;
  readonly journey: string;
  /** The re-entry rule that the last start contained. */
  readonly reentry: Reentry;
  readonly turn: number;
  /** The latest enrolments, in the order of admission. */
  readonly enrolments: readonly Enrolment[];
};

/** The state of an enrolled execution, as its cell reported it to the Worker. */
export type EnrolmentFinding = {
  readonly execution: string;
  readonly turn: number;
  /** Null: the execution does not exist. `ended`: how it ended; null while it is live. */
  readonly is: null | { readonly ended: EnrolmentEnd | null };
};

export type EnrollRequest = {
  readonly journey: string;
  readonly execution: string;
  readonly reentry: Reentry;
  /**
   * The earlier execution that this start continues. It has ended or is about to end, so it does not count against the
   * re-entry rule.
   */
  readonly again?: string;
  /** What cells answered about executions whose state was unknown. */
  readonly found: readonly EnrolmentFinding[];
  /** True: an execution with this id has ended and was deleted. So the start would create a new execution. */
  readonly isGone: boolean;
  readonly dryRun: boolean;
};

export type EnrollAnswer =
  /** The execution is admitted. `isNew`: this call added the enrolment, so the caller may withdraw it. */
  | { readonly kind: "admitted"; readonly turn: number; readonly until: number; readonly isNew: boolean }
  /**
   * The execution was admitted before and has ended. If its cell still stores the first answer to the start, the cell
   * returns it.
   */
  | { readonly kind: "repeated" }
  /** The re-entry rule does not admit the subject, because it is or was in the journey. */
  | { readonly kind: "enrolled"; readonly by: Enrolment }
  /**
   * It is unknown whether this enrolled execution has begun, or whether it still runs. The Worker asks its cell and
   * calls again.
   */
  | { readonly kind: "doubt"; readonly of: Enrolment }
  /** The object already stores the maximum number of journeys, so no further journey can be stored. */
  | { readonly kind: "full"; readonly max: number };

/** The report to a subject's object that an execution has ended. */
export type ExecutionEndReport = {
  readonly journey: string;
  readonly execution: string;
  /** The execution's creation time. A later execution that reuses the id has another one. */
  readonly incarnation: number;
  readonly end: EnrolmentEnd;
};
