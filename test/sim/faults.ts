// What may go wrong in a world. A seed turns on about half of it, some often, some rarely, and only until the calm.
import type { Chance } from "./kit/chance.ts";
import type { Timeline } from "./kit/timeline.ts";

export const faultKinds = [
  "messageDropped",
  "messageDoubled",
  "messageDelayed",
  "sendFails",
  "consumerCrashes",
  "consumerKilled",
  "projectionDoubled",
  "projectionDelayed",
  "projectionSendFails",
  "catalogDown",
  "killedBeforeCommit",
  "killedAfterCommit",
  "killedIdle",
  "processKilled",
  "commitFails",
  "rowRefused",
  "headUnreadable",
  "itemBreaks",
  "requestLost",
  "requestDoubled",
  "answerLost",
  "answerDelayed",
  "flightLost",
  "providerFails",
  "providerSlow",
  "providerTooLate",
  "alarmLate",
  "alarmEarly",
  "alarmSpurious",
  "clockJumps",
  "clockWavers",
  "clockRunsOn",
  "inputDoubled",
  "sweeperAsleep",
] as const;
export type FaultKind = (typeof faultKinds)[number];

export type Faults = {
  readonly strikes: (kind: FaultKind) => boolean;
  /** For choosing how badly. */
  readonly chance: Chance;
  readonly calmAt: number;
};

const RATES = [0.01, 0.04, 0.15] as const;
/** Each of these ends a life or costs minutes: more often than this, nothing would ever be done. */
const RARE: ReadonlySet<FaultKind> = new Set([
  "killedBeforeCommit",
  "killedAfterCommit",
  "commitFails",
  "itemBreaks",
  "flightLost",
]);
const MINUTE_MS = 60_000;

export function openFaults(chance: Chance, timeline: Timeline, wanted: boolean): Faults {
  // Each kind has chance of its own, so that a new kind leaves the old seeds as they are.
  const kinds = new Map<FaultKind, { readonly rate: number; readonly chance: Chance }>();
  for (const kind of faultKinds) {
    const own = chance.fork(kind);
    if (own.yes(0.5)) kinds.set(kind, { rate: own.pick(RATES) * (RARE.has(kind) ? 0.6 : 1), chance: own });
  }
  const calmAt = timeline.now() + (wanted ? chance.between(1, 40) * MINUTE_MS : 0);
  return {
    chance,
    calmAt,
    strikes: (kind) => {
      const own = kinds.get(kind);
      if (own === undefined || timeline.now() >= calmAt || !own.chance.yes(own.rate)) return false;
      timeline.note(`fault: ${kind}`);
      return true;
    },
  };
}
