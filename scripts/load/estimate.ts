// How many actions came to their end, and when, where only some were followed: each stands for those of its scenario
// that were accepted in the same second. Pure.

/** What one second accepted of each scenario, and how many of those were followed. */
export type Accepted = {
  readonly accepted: { readonly [scenario: string]: number };
  readonly followed: { readonly [scenario: string]: number };
};
/** An action that was followed to its end; times in milliseconds since the load began. */
export type Ended = {
  readonly scenario: string;
  readonly acceptedAt: number;
  readonly endedAt: number;
  /** It waited for its own delay, and says nothing about how fast others get through. */
  readonly isDelayed: boolean;
};

export type Finished = {
  readonly bySecond: readonly number[];
  /** While the load went on. */
  readonly byScenario: { readonly [scenario: string]: number };
};

export function finishedOf(seconds: readonly Accepted[], ended: readonly Ended[], loadMs: number): Finished {
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

/** Seconds in which none was followed are stood for by the next in which one was. */
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
