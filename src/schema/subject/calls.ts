// Subject calls: the RPC interface of a subject's object. Changes are additive only, because Worker and object versions
// differ during a deploy.
import type { CapUse, Slot, SlotRequest } from "./cap.ts";
import type {
  ExecutionEndReport,
  EnrollAnswer,
  EnrollRequest,
  Enrolment,
  EnrolmentFinding,
  Reentry,
} from "./enrolment.ts";

export type SubjectJourney = {
  readonly journey: string;
  readonly reentry: Reentry;
  /** The enrolments of the subject in the journey, the latest first. */
  readonly enrolments: readonly Enrolment[];
};

export type SubjectView = { readonly journeys: readonly SubjectJourney[]; readonly caps: readonly CapUse[] };

export type Subject = {
  enroll(ask: EnrollRequest): Promise<EnrollAnswer>;
  /** Removes the enrolment with this number (`turn`), because the cell refused the start. */
  withdraw(journey: string, execution: string, turn: number): Promise<void>;
  /** Stores what cells answered about executions whose state was unknown. */
  recordFindings(journey: string, found: readonly EnrolmentFinding[]): Promise<void>;
  endEnrolment(ask: ExecutionEndReport): Promise<void>;
  takeSlot(ask: SlotRequest): Promise<Slot>;
  releaseSlot(cap: string, key: string): Promise<void>;
  read(): Promise<SubjectView>;
  /**
   * Deletes all data of the object. If the subject is still in journeys, it returns these journeys and deletes nothing.
   */
  erase(dryRun: boolean): Promise<readonly SubjectJourney[]>;
};
