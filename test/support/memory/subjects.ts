// Subjects' rows in memory, in the place of their objects' storage; and objects of them by name.
import { SubjectController } from "#objects/subject/controller.ts";
import type { SubjectStorage } from "#objects/subject/storage.ts";
import type { Subject } from "#schema/subject/calls.ts";
import type { CapRow } from "#schema/subject/cap.ts";
import type { JourneyRow } from "#schema/subject/enrolment.ts";

export type SubjectDisk = { readonly journeys: Map<string, JourneyRow>; readonly caps: Map<string, CapRow> };

export function subjectDisk(): SubjectDisk {
  return { journeys: new Map(), caps: new Map() };
}

export function subjectRows({ journeys, caps }: SubjectDisk): SubjectStorage {
  return {
    journey: (name) => journeys.get(name) ?? null,
    journeys: () => [...journeys.values()].toSorted((a, b) => (a.journey < b.journey ? -1 : 1)),
    countJourneys: () => journeys.size,
    putJourney: (row) => void journeys.set(row.journey, row),
    dropJourney: (name) => void journeys.delete(name),
    cap: (name) => caps.get(name) ?? null,
    caps: () => [...caps.values()].toSorted((a, b) => (a.cap < b.cap ? -1 : 1)),
    countCaps: () => caps.size,
    putCap: (row) => void caps.set(row.cap, row),
    dropCap: (name) => void caps.delete(name),
    reset: async () => {
      journeys.clear();
      caps.clear();
    },
  };
}

const refuseToAnswer = async (): Promise<never> => {
  throw new Error("this subject answers nothing");
};
export const absentSubject: Subject = {
  enroll: refuseToAnswer,
  withdraw: refuseToAnswer,
  recordFindings: refuseToAnswer,
  endEnrolment: refuseToAnswer,
  takeSlot: refuseToAnswer,
  releaseSlot: refuseToAnswer,
  read: refuseToAnswer,
  erase: refuseToAnswer,
};

/** Those of a world, each made when it is first asked for. */
export class MemorySubjects {
  readonly disks = new Map<string, SubjectDisk>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  subject(name: string): Subject {
    const disk = this.disks.get(name) ?? subjectDisk();
    this.disks.set(name, disk);
    return new SubjectController({ storage: subjectRows(disk), now: this.#now });
  }
}
