// Subject controller: applies the policy's decisions to one subject, and stores a row for each journey and each cap.
// The object, or a simulator, provides its clock and storage. Each method is synchronous up to its answer, so
// concurrent calls run one after the other.
import { endEnrolment, enroll, canDelete, applyFindings, withdrawAdmission } from "#policy/subject/enroll.ts";
import { releaseCapSlot, isExpired, takeSlot, viewCap } from "#policy/subject/slots.ts";
import { SUBJECT_CAPS_MAX, SUBJECT_JOURNEYS_MAX } from "#schema/limits/subjects/subject-rows.ts";
import type { Subject, SubjectJourney, SubjectView } from "#schema/subject/calls.ts";
import type { CapRow, Slot, SlotRequest } from "#schema/subject/cap.ts";
import type {
  ExecutionEndReport,
  EnrollAnswer,
  EnrollRequest,
  EnrolmentFinding,
  JourneyRow,
} from "#schema/subject/enrolment.ts";
import type { SubjectStorage } from "./storage.ts";

export type SubjectPorts = { readonly storage: SubjectStorage; readonly now: () => number };

export class SubjectController implements Subject {
  readonly #storage: SubjectStorage;
  readonly #now: () => number;

  constructor({ storage, now }: SubjectPorts) {
    this.#storage = storage;
    this.#now = now;
  }

  async enroll(ask: EnrollRequest): Promise<EnrollAnswer> {
    const before = this.#storage.journey(ask.journey);
    const { row, answer } = enroll(before, ask, this.#now());
    if (answer.kind === "admitted" && before === null && !this.#makeRoomForJourney(ask.dryRun))
      return { kind: "full", max: SUBJECT_JOURNEYS_MAX };
    if (row !== before && row.turn > 0 && !ask.dryRun) this.#storage.putJourney(row);
    return answer;
  }

  async withdraw(journey: string, execution: string, turn: number): Promise<void> {
    this.#storeJourney(withdrawAdmission(this.#storage.journey(journey), execution, turn));
  }

  async recordFindings(journey: string, found: readonly EnrolmentFinding[]): Promise<void> {
    this.#storeJourney(applyFindings(this.#storage.journey(journey), found, this.#now()));
  }

  async endEnrolment(ask: ExecutionEndReport): Promise<void> {
    this.#storeJourney(endEnrolment(this.#storage.journey(ask.journey), ask));
  }

  async takeSlot(ask: SlotRequest): Promise<Slot> {
    const now = this.#now();
    const before = this.#storage.cap(ask.cap);
    const opensAt = before === null ? this.#makeRoomForCap(now) : null;
    if (opensAt !== null) return { ok: false, opensAt };
    const { row, answer } = takeSlot(before, ask, now);
    if (row !== null) this.#storage.putCap(row);
    return answer;
  }

  async releaseSlot(cap: string, key: string): Promise<void> {
    const row = releaseCapSlot(this.#storage.cap(cap), key);
    if (row === null) return;
    if (row.taken.length === 0) this.#storage.dropCap(cap);
    else this.#storage.putCap(row);
  }

  async read(): Promise<SubjectView> {
    const now = this.#now();
    const caps = this.#storage.caps().filter((row) => !isExpired(row, now));
    return { journeys: this.#storage.journeys().map(viewJourney), caps: caps.map((row) => viewCap(row, now)) };
  }

  async erase(dryRun: boolean): Promise<readonly SubjectJourney[]> {
    const journeys = this.#storage.journeys().map(viewJourney);
    const live = journeys.filter(({ enrolments }) => enrolments.some(({ ended }) => ended === null));
    if (live.length === 0 && !dryRun) await this.#storage.reset();
    return live;
  }

  /** Stores a row, unless it is null because nothing has changed. */
  #storeJourney(row: JourneyRow | null): void {
    if (row === null) return;
    if (row.enrolments.length === 0) this.#storage.dropJourney(row.journey);
    else this.#storage.putJourney(row);
  }

  /** At the limit, deletes a journey that no longer affects decisions. Returns false if there is no such journey. */
  #makeRoomForJourney(dryRun: boolean): boolean {
    if (this.#storage.countJourneys() < SUBJECT_JOURNEYS_MAX) return true;
    const forgettable = this.#storage.journeys().find(canDelete);
    if (forgettable !== undefined && !dryRun) this.#storage.dropJourney(forgettable.journey);
    return forgettable !== undefined;
  }

  /**
   * At the limit, deletes an expired cap. Returns null if there is room. Otherwise returns when the first cap expires,
   * epoch ms.
   */
  #makeRoomForCap(now: number): number | null {
    if (this.#storage.countCaps() < SUBJECT_CAPS_MAX) return null;
    const caps = this.#storage.caps();
    const expired = caps.find((row) => isExpired(row, now));
    if (expired === undefined) return Math.min(...caps.map(expiresAt));
    this.#storage.dropCap(expired.cap);
    return null;
  }
}

function expiresAt({ taken, keepMs }: CapRow): number {
  return (taken.at(-1)?.at ?? 0) + keepMs;
}

/** Lists the latest enrolment first. */
function viewJourney({ journey, reentry, enrolments }: JourneyRow): SubjectJourney {
  return { journey, reentry, enrolments: enrolments.toReversed() };
}
