// What one step may cost in all. Everything that a definition can make dear is paid for here in units of work, so that
// the same step ends at the same place on any machine, however slow. language/fault.ts has what one part may cost.
import { STEP_WORK_MAX, STEP_WORK_SPARE } from "#schema/limits/kernel.ts";
import { fault } from "./fault.ts";
import type { Pauses } from "./pauses.ts";

/** It lives inside one step and is used up there. `pauses`: null where the step is made at once. */
export type Work = { left: number; used: number; hasSpare: boolean; readonly pauses: Pauses | null };

/** What things cost that are no plain operator of a rule. Measured: bench/step shows what they take. */
export const workOf = {
  /** Calendars and zones are looked up in tables. */
  date: 100,
  /** Some days looked through for an occurrence, where the zone's clocks are not moved in them, and where they are. */
  calendarLook: 200,
  clockChange: 1_200,
  pathName: 2,
  /** From an iteration outwards: all that lies around it is put in a row. */
  pathClimb: 8,
  /** A name looked at in a list of names, or copied. */
  name: 2,
  templateStep: 4,
  microstep: 30,
  /** An active state among all others, once a microstep. */
  stateFound: 10,
  /** So many pairs of transitions and states are compared for one unit. */
  pairsPerUnit: 8,
  /** A token that reaches a node of a journey, and so many marks that are copied for one unit. */
  token: 10,
  marksPerUnit: 2,
  /** A guard asked, with all that a rule sees put together. */
  guard: 4,
} as const;

/** Bytes that are looked at, joined or put out for one unit. */
export const BYTES_PER_UNIT = 8;

export function openWork(pauses: Pauses | null = null): Work {
  if (pauses === null) return { left: STEP_WORK_MAX, used: 0, hasSpare: true, pauses };
  pauses.work ??= openWork();
  return Object.assign(pauses.work, { left: STEP_WORK_MAX, used: 0, hasSpare: true, pauses });
}

/** Throws once more is used than there is. `where`: the place, if nobody further out knows it. */
export function spend(work: Work, cost: number, where = ""): void {
  if (cost > 0) {
    work.left -= cost;
    work.used += cost;
    if (work.pauses !== null) work.pauses.units += cost;
  }
  if (!isSpent(work)) return;
  const at = where === "" ? "" : `${where}: `;
  throw fault("work_exceeded", `${at}the step takes more than ${STEP_WORK_MAX} units of work (STEP_WORK_MAX)`);
}

/** Work that takes time and that no budget counts: it says when a pause is due, and changes no result. */
export function weigh({ pauses }: Work, units: number): void {
  if (pauses !== null) pauses.units += units;
}

export function isSpent({ left }: Work): boolean {
  return left < 0;
}

/** Enough for what has to follow a failure. False where that was given already. */
export function takeSpare(work: Work): boolean {
  if (!work.hasSpare) return false;
  work.hasSpare = false;
  work.left = STEP_WORK_SPARE;
  return true;
}
