// Subject calls: what a subject's object answers. Additive only: during a deploy both versions of Worker and object
// call each other.
import type { CapUse, Slot, SlotAsk } from "./cap.ts";
import type { EndedAsk, Enrolled, EnrollAsk, Enrolment, Found, Reentry } from "./enrolment.ts";

export type SubjectJourney = {
  readonly journey: string;
  readonly reentry: Reentry;
  /** The latest first. */
  readonly enrolments: readonly Enrolment[];
};

export type SubjectView = { readonly journeys: readonly SubjectJourney[]; readonly caps: readonly CapUse[] };

export type Subject = {
  enroll(ask: EnrollAsk): Promise<Enrolled>;
  /** The cell refused what this turn admitted: it never began. */
  withdraw(journey: string, execution: string, turn: number): Promise<void>;
  /** Records the answers of cells about doubtful executions. */
  recordFindings(journey: string, found: readonly Found[]): Promise<void>;
  endEnrolment(ask: EndedAsk): Promise<void>;
  takeSlot(ask: SlotAsk): Promise<Slot>;
  releaseSlot(cap: string, key: string): Promise<void>;
  read(): Promise<SubjectView>;
  /** Deletes everything, unless it is in a journey: then those are returned, and nothing is deleted. */
  erase(dryRun: boolean): Promise<readonly SubjectJourney[]>;
};
