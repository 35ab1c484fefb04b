import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { admitsFrom, shiftRate, pauseFor, emptyRate, admitOrDefer, type Rate } from "#policy/gates/rate.ts";
import type { RateTerms } from "#schema/gate.ts";

const T = 1_000_000;
const fivePerSecond: RateTerms = { calls: 5, perMs: 1_000, burst: 1 };

/** Columns: arrival, promised return time (if any), and return time; null means admitted. */
function trace(
  terms: RateTerms | null,
  lines: readonly (readonly [number, number | null, number | null])[],
  from: Rate = emptyRate,
) {
  let rate = from;
  const seen = lines.map(([at, promised]) => {
    const turned = admitOrDefer(rate, terms, promised === null ? null : T + promised, T + at);
    rate = turned.rate;
    return [at, promised, turned.until === null ? null : turned.until - T] as const;
  });
  expect(seen).toEqual(lines);
  return rate;
}

describe("five calls a second, evenly spaced", () => {
  test("simultaneous calls get successive return times", () => {
    trace(fivePerSecond, [
      [0, null, null],
      [0, null, 200],
      [0, null, 400],
      [1, null, 600],
    ]);
  });

  test("a call that returns on time is admitted before new calls", () => {
    trace(fivePerSecond, [
      [0, null, null],
      [0, null, 200],
      [0, null, 400],
      [200, null, 600],
      [200, 200, null],
      [400, 400, null],
      [600, 600, null],
      [800, null, null],
    ]);
  });

  test("a call that returns early gets the same return time", () => {
    trace(fivePerSecond, [
      [0, null, null],
      [0, null, 200],
      [150, 200, 200],
      [200, 200, null],
    ]);
  });

  test("a late call delays the next one and waits before the queue", () => {
    trace(fivePerSecond, [
      [0, null, null],
      [0, null, 200],
      [0, null, 400],
      [0, null, 600],
      [390, 200, null],
      [400, 400, 590],
      [590, 400, null],
      [600, 600, 790],
      [601, null, 800],
    ]);
  });

  test("several late calls get different return times", () => {
    trace(fivePerSecond, [
      [0, null, null],
      [900, 200, null],
      [900, 400, 1_100],
      [900, 600, 1_300],
      [900, 800, 1_500],
    ]);
  });

  test("an abandoned queue is dropped", () => {
    const gone = Array.from({ length: 100 }, (_, n) => [0, null, (n + 1) * 200] as const);
    trace(fivePerSecond, [[0, null, null], ...gone, [5_000, null, 20_200], [5_001, null, null], [5_001, null, 5_201]]);
  });
});

test("a burst is admitted at once and refills gradually", () => {
  trace({ calls: 60, perMs: 60_000, burst: 3 }, [
    [0, null, null],
    [0, null, null],
    [0, null, null],
    [0, null, 1_000],
    [1_000, 1_000, null],
    [2_000, null, null],
    [9_000, null, null],
    [9_000, null, null],
    [9_000, null, null],
    [9_000, null, 10_000],
  ]);
});

test("a call that returns early is admitted if the bucket is free", () => {
  const rate = trace({ calls: 1, perMs: 10_000, burst: 1 }, [[0, null, null]]);
  trace({ calls: 1_000, perMs: 1_000, burst: 10 }, [[20_000, 30_000, null]], rate);
});

describe("a pause", () => {
  test("holds all calls, also without a rate, and spreads their return times", () => {
    const paused = pauseFor(emptyRate, 5_000, T);
    trace(
      null,
      [
        [0, null, 5_000],
        [0, null, 5_020],
        [5_000, 5_000, null],
        [5_020, 5_020, null],
        [5_050, null, null],
      ],
      paused,
    );
    trace(
      fivePerSecond,
      [
        [10, null, 5_000],
        [10, null, 5_200],
        [5_000, 5_000, null],
        [5_200, 5_200, null],
      ],
      paused,
    );
  });

  test("has the longest requested length, at most a quarter of an hour", () => {
    const paused = pauseFor(pauseFor(emptyRate, 60_000, T), 1_000, T);
    expect(admitsFrom(paused, null)).toBe(T + 60_000);
    expect(admitsFrom(pauseFor(paused, 86_400_000, T), null)).toBe(T + 15 * 60_000);
  });
});

test("without a rate no call waits", () => {
  trace(null, [
    [0, null, null],
    [0, null, null],
  ]);
});

describe("random arrivals", () => {
  const terms = fc.record({
    calls: fc.integer({ min: 1, max: 50 }),
    perMs: fc.constantFrom(1_000, 60_000),
    burst: fc.integer({ min: 1, max: 20 }),
  });
  const arrivals = fc.array(
    fc.record({ after: fc.integer({ min: 0, max: 3_000 }), late: fc.integer({ min: -50, max: 500 }) }),
    { minLength: 1, maxLength: 60 },
  );

  test("never exceed burst and rate in any span, and each call that returns as promised is admitted in the end", () => {
    fc.assert(
      fc.property(terms, arrivals, (rateTerms, comers) => {
        const went = simulate(rateTerms, comers);
        expect(went).toHaveLength(comers.length);
        for (let from = 0; from < went.length; from++) {
          for (let to = from; to < went.length; to++) {
            const span = (went[to] ?? 0) - (went[from] ?? 0);
            expect(to - from + 1).toBeLessThanOrEqual(
              rateTerms.burst + (span * rateTerms.calls) / rateTerms.perMs + 1e-6,
            );
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test("exactly at the return times are held once at most", () => {
    fc.assert(
      fc.property(terms, fc.integer({ min: 1, max: 200 }), (rateTerms, count) => {
        let asked = 0;
        const comers = Array.from({ length: count }, () => ({ after: 0, late: 0 }));
        simulate(rateTerms, comers, () => (asked += 1));
        expect(asked).toBeLessThanOrEqual(2 * count);
      }),
      { numRuns: 100 },
    );
  });
});

/** Simulates random arrivals; returns the instants of admission. */
function simulate(
  terms: RateTerms,
  comers: readonly { after: number; late: number }[],
  onAsk: () => void = () => {},
): number[] {
  let at = T;
  const crowd = comers.map(({ after, late }) => ({ at: (at += after), promised: null as number | null, late }));
  let rate = emptyRate;
  const went: number[] = [];
  for (let asked = 0; crowd.length > 0 && asked < 100_000; asked++) {
    crowd.sort((a, b) => a.at - b.at);
    const [first] = crowd;
    if (first === undefined) break;
    onAsk();
    const turned = admitOrDefer(rate, terms, first.promised, first.at);
    rate = turned.rate;
    if (turned.until === null) {
      went.push(first.at);
      crowd.shift();
    } else {
      expect(turned.until).toBeGreaterThan(first.at);
      first.promised = turned.until;
      first.at = Math.max(first.at + 1, turned.until + first.late);
    }
  }
  return went;
}

test("shifting the clock shifts all instants", () => {
  const rate = { fullAt: 60, lineAt: 50, frontAt: 40, wentAt: 30, pausedUntil: 20 };
  const moved = { fullAt: 50, lineAt: 40, frontAt: 30, wentAt: 20, pausedUntil: 10 };
  expect(shiftRate(rate, -10)).toEqual(moved);
  expect(shiftRate({ ...rate, hereAt: 15 }, -10)).toEqual({ ...moved, hereAt: 5 });
});
