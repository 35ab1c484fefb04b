// Completion estimate: estimates how many actions ended in each second, although only some are followed. A followed
// action represents the actions of its scenario that were accepted in the same second. Pure functions.

/** Counts of one second by scenario: accepted actions, and those that are followed. */
export type Accepted = {
  readonly accepted: { readonly [scenario: string]: number };
  readonly followed: { readonly [scenario: string]: number };
};
/** A followed action that ended. Times are in milliseconds since the beginning of the load. */
export type Ended = {
  readonly scenario: string;
  readonly acceptedAt: number;
  readonly endedAt: number;
  /** Whether the action had a delay of its own. Such an action says nothing about throughput. */
  readonly isDelayed: boolean;
};

export type Finished = {
  readonly bySecond: readonly number[];
  /** Actions that ended during the load, by scenario. */
  readonly byScenario: { readonly [scenario: string]: number };
};

export function estimateFinished(seconds: readonly Accepted[], ended: readonly Ended[], loadMs: number): Finished {
  const names = new Set(ended.map(({ scenario }) => scenario));
  const weights = new Map(Array.from(names, (name) => [name, weightsOf(seconds, name)]));
  const bySecond: number[] = seconds.map(() => 0);
  const byScenario: { [scenario: string]: number } = {};
  for (const { scenario, acceptedAt, endedAt, isDelayed } of ended) {
    const weight = weights.get(scenario)?.[secondOf(acceptedAt)] ?? 1;
    if (endedAt > loadMs) continue;
    byScenario[scenario] = (byScenario[scenario] ?? 0) + weight;
    const second = secondOf(endedAt);
    if (!isDelayed && second < bySecond.length) bySecond[second] = (bySecond[second] ?? 0) + weight;
  }
  return { bySecond, byScenario };
}

/**
 * Returns how many accepted actions one followed action represents, by second. Seconds without followed actions are
 * added to the next second that has some.
 */
function weightsOf(seconds: readonly Accepted[], name: string): number[] {
  let waiting = 0;
  return seconds.map(({ accepted, followed }) => {
    waiting += accepted[name] ?? 0;
    const share = followed[name] ?? 0;
    if (share === 0) return 0;
    const weight = waiting / share;
    waiting = 0;
    return weight;
  });
}

function secondOf(ms: number): number {
  return Math.max(0, Math.floor(ms / 1_000));
}
