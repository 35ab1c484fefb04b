// The faults of a world. A seed enables about half of the kinds, some often, some rarely, and only until the calm
// phase.
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
  /** For choosing how severe a fault is. */
  readonly chance: Chance;
  readonly calmAt: number;
};

const RATES = [0.01, 0.04, 0.15] as const;
/** Each of these faults ends an incarnation or costs minutes: if they were more frequent, no work would complete. */
const RARE: ReadonlySet<FaultKind> = new Set([
  "killedBeforeCommit",
  "killedAfterCommit",
  "commitFails",
  "itemBreaks",
  "flightLost",
]);
const MINUTE_MS = 60_000;

export function openFaults(chance: Chance, timeline: Timeline, wanted: boolean): Faults {
  // Each kind has its own random stream, so that a new kind does not change the worlds of old seeds.
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
