// What a subject's object answers to. Additive only: during a deploy both versions of Worker and object talk to each other.
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
  /** What was admitted in this turn was refused by its cell, and never began. */
  withdraw(journey: string, execution: string, turn: number): Promise<void>;
  /** Of those that are in doubt: what their cells say. */
  note(journey: string, found: readonly Found[]): Promise<void>;
  ended(ask: EndedAsk): Promise<void>;
  takeSlot(ask: SlotAsk): Promise<Slot>;
  giveBack(cap: string, key: string): Promise<void>;
  read(): Promise<SubjectView>;
  /** All of it, unless it is in a journey: then those are answered, and nothing goes. */
  erase(dryRun: boolean): Promise<readonly SubjectJourney[]>;
};
