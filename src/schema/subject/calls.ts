// Subject calls: the RPC interface of a subject's object. Changes are additive only, because Worker and object versions
// differ during a deploy.
import type { CapUse, Slot, SlotAsk } from "./cap.ts";
import type { EndedAsk, Enrolled, EnrollAsk, Enrolment, Found, Reentry } from "./enrolment.ts";

export type SubjectJourney = {
  readonly journey: string;
  readonly reentry: Reentry;
  /** The enrolments in the journey, latest first. */
  readonly enrolments: readonly Enrolment[];
};

export type SubjectView = { readonly journeys: readonly SubjectJourney[]; readonly caps: readonly CapUse[] };

export type Subject = {
  enroll(ask: EnrollAsk): Promise<Enrolled>;
  /** Removes the enrolment of this turn, because the cell refused the start. */
  withdraw(journey: string, execution: string, turn: number): Promise<void>;
  /** Records the answers of cells about executions whose state was in doubt. */
  recordFindings(journey: string, found: readonly Found[]): Promise<void>;
  endEnrolment(ask: EndedAsk): Promise<void>;
  takeSlot(ask: SlotAsk): Promise<Slot>;
  releaseSlot(cap: string, key: string): Promise<void>;
  read(): Promise<SubjectView>;
  /** Deletes all data of the object. If the subject is in journeys, they are returned and nothing is deleted. */
  erase(dryRun: boolean): Promise<readonly SubjectJourney[]>;
};
