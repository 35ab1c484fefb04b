// Subject controller: applies the policy's decisions to one subject, with a row for each journey and each cap. It has
// no clock or platform of its own: the object, or the simulator, provides both. Each call is synchronous, so concurrent
// calls are serialized.
import { endEnrolment, enroll, canDelete, applyFindings, withdrawAdmission } from "#policy/subject/enroll.ts";
import { releaseCapSlot, isExpired, takeSlot, viewCap } from "#policy/subject/slots.ts";
import { SUBJECT_CAPS_MAX, SUBJECT_JOURNEYS_MAX } from "#schema/limits/subjects/subject-rows.ts";
import type { Subject, SubjectJourney, SubjectView } from "#schema/subject/calls.ts";
import type { CapRow, Slot, SlotAsk } from "#schema/subject/cap.ts";
import type { EndedAsk, Enrolled, EnrollAsk, Found, JourneyRow } from "#schema/subject/enrolment.ts";
import type { SubjectStorage } from "./storage.ts";

export type KeeperPorts = { readonly storage: SubjectStorage; readonly now: () => number };

export class Keeper implements Subject {
  readonly #storage: SubjectStorage;
  readonly #now: () => number;

  constructor({ storage, now }: KeeperPorts) {
    this.#storage = storage;
    this.#now = now;
  }

  async enroll(ask: EnrollAsk): Promise<Enrolled> {
    const known = this.#storage.journey(ask.journey);
    const { row, answer } = enroll(known, ask, this.#now());
    if (answer.kind === "admitted" && known === null && !this.#makeRoom(ask.dryRun))
      return { kind: "full", max: SUBJECT_JOURNEYS_MAX };
    if (row !== known && row.turn > 0 && !ask.dryRun) this.#storage.putJourney(row);
    return answer;
  }

  async withdraw(journey: string, execution: string, turn: number): Promise<void> {
    this.#keep(withdrawAdmission(this.#storage.journey(journey), execution, turn));
  }

  async note(journey: string, found: readonly Found[]): Promise<void> {
    this.#keep(applyFindings(this.#storage.journey(journey), found, this.#now()));
  }

  async ended(ask: EndedAsk): Promise<void> {
    this.#keep(endEnrolment(this.#storage.journey(ask.journey), ask));
  }

  async takeSlot(ask: SlotAsk): Promise<Slot> {
    const now = this.#now();
    const known = this.#storage.cap(ask.cap);
    const full = known === null ? this.#roomForCap(now) : null;
    if (full !== null) return { ok: false, opensAt: full };
    const { row, answer } = takeSlot(known, ask, now);
    if (row !== null) this.#storage.putCap(row);
    return answer;
  }

  async giveBack(cap: string, key: string): Promise<void> {
    const row = releaseCapSlot(this.#storage.cap(cap), key);
    if (row === null) return;
    if (row.taken.length === 0) this.#storage.dropCap(cap);
    else this.#storage.putCap(row);
  }

  async read(): Promise<SubjectView> {
    const now = this.#now();
    return {
      journeys: this.#storage.journeys().map(shown),
      caps: this.#storage
        .caps()
        .filter((row) => !isExpired(row, now))
        .map((row) => viewCap(row, now)),
    };
  }

  async erase(dryRun: boolean): Promise<readonly SubjectJourney[]> {
    const journeys = this.#storage.journeys().map(shown);
    const live = journeys.filter(({ enrolments }) => enrolments.some(({ ended }) => ended === null));
    if (live.length === 0 && !dryRun) await this.#storage.reset();
    return live;
  }

  #keep(row: JourneyRow | null): void {
    if (row === null) return;
    if (row.enrolments.length === 0) this.#storage.dropJourney(row.journey);
    else this.#storage.putJourney(row);
  }

  /** Deletes the oldest one without an effect. False: there is none. */
  #makeRoom(dryRun: boolean): boolean {
    if (this.#storage.countJourneys() < SUBJECT_JOURNEYS_MAX) return true;
    const gone = this.#storage.journeys().find(canDelete);
    if (gone !== undefined && !dryRun) this.#storage.dropJourney(gone.journey);
    return gone !== undefined;
  }

  /** null: there is room for one more. Else when there will be. */
  #roomForCap(now: number): number | null {
    if (this.#storage.countCaps() < SUBJECT_CAPS_MAX) return null;
    const caps = this.#storage.caps();
    const gone = caps.find((row) => isExpired(row, now));
    if (gone === undefined) return Math.min(...caps.map(overAt));
    this.#storage.dropCap(gone.cap);
    return null;
  }
}

function overAt({ taken, keepMs }: CapRow): number {
  return (taken.at(-1)?.at ?? 0) + keepMs;
}

function shown({ journey, reentry, enrolments }: JourneyRow): SubjectJourney {
  return { journey, reentry, enrolments: enrolments.toReversed() };
}
