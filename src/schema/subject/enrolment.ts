// Who may be in a journey, and how often: what a subject's object is asked when one is about to begin, and what it keeps.
import { z } from "zod";
import type { ExecutionStatus } from "../engine/state.ts";

/** once: ever. after_finish: not while it is in it. always: as often, and as many at once, as somebody starts it. */
export const reentry = z.enum(["once", "always", "after_finish"]);
export type Reentry = z.infer<typeof reentry>;

export type EnrolmentEnd = {
  /** unknown: it has been there, and is gone without having told. */
  readonly status: ExecutionStatus | "unknown";
  readonly at: number;
};

/** One execution of a journey for a subject, from when it was admitted. */
export type Enrolment = {
  readonly execution: string;
  readonly at: number;
  /** Counts what was admitted of this journey, repeats too: what is taken back names it. */
  readonly turn: number;
  /** It may begin until then, and not later. */
  readonly until: number;
  /** Somebody has found it begun. */
  readonly isSeen: boolean;
  readonly ended: EnrolmentEnd | null;
};

/** What a subject keeps of one journey, by the definition's name. */
export type JourneyRow = {
  readonly v: 1;
  readonly journey: string;
  /** As it was asked for the last time. */
  readonly reentry: Reentry;
  readonly turn: number;
  /** In the order in which they were admitted; the latest ones. */
  readonly enrolments: readonly Enrolment[];
};

/** What the Worker has found of an enrolment that nobody has heard of since it was admitted. */
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
  /** It goes on from this one, which has ended or is about to: that it has been in it is no reason to refuse. */
  readonly again?: string;
  /** Of those that were in doubt. */
  readonly found: readonly Found[];
  /** This very execution has ended and is gone: it would begin anew. */
  readonly isGone: boolean;
  readonly dryRun: boolean;
};

export type Enrolled =
  /** `isNew`: it was not known before, so it can be taken back. */
  | { readonly kind: "admitted"; readonly turn: number; readonly until: number; readonly isNew: boolean }
  /** It has been in it and has ended: there is a first answer, or nothing. */
  | { readonly kind: "repeated" }
  /** In it already, or has been. */
  | { readonly kind: "enrolled"; readonly by: Enrolment }
  /** Nobody knows whether this one has begun, or still goes on: its cell does. */
  | { readonly kind: "doubt"; readonly of: Enrolment }
  /** Its object remembers as many journeys as it can. */
  | { readonly kind: "full"; readonly max: number };

/** An execution has ended. */
export type EndedAsk = {
  readonly journey: string;
  readonly execution: string;
  /** When it was created: ids are used again. */
  readonly incarnation: number;
  readonly end: EnrolmentEnd;
};
