// Simulates thousands of calls above the rate of their connection: the rate is never exceeded, and every call is
// admitted. A call returns up to a second late; a call with a short wait waits in place.
import { describe, expect, test } from "vitest";
import { paceOf } from "#policy/operations/pace.ts";
import { emptyRate, admitOrDefer } from "#policy/gates/rate.ts";
import type { RateTerms } from "#schema/gate.ts";
import { WAITS_IN_PLACE_MAX, WAIT_IN_PLACE_MS } from "#schema/limits/outgoing/connection-limits.ts";

const COUNT = 5_000;
const LIMIT = 20;
const LATE_MS = 1_000;
const IDEAL_MS = (COUNT / LIMIT) * 1_000;
const T = 1_000_000;

type Comer = { readonly n: number; readonly promised: number | null; readonly holds: number; readonly waits: number };

describe.each([1, 5].flatMap((burst) => [20, 100, 500].map((perSecond) => ({ burst, perSecond }))))(
  "five thousand calls at $perSecond a second against a limit of twenty a second with burst $burst",
  ({ perSecond, burst }) => {
    const { went, holds, waits } = play(perSecond, { calls: LIMIT, perMs: 1_000, burst });

    test("are all admitted, as fast as the limit allows", () => {
      expect(went).toHaveLength(COUNT);
      expect((went.at(-1) ?? 0) - (went[0] ?? 0)).toBeLessThan(IDEAL_MS * 1.03);
      const tooSoon = went.filter((at, n) => (went[n + LIMIT + burst] ?? Infinity) - at <= 1_000);
      expect(tooSoon).toEqual([]);
    });

    test("are held twice on average, and none waits much longer than the queue", () => {
      expect(holds.reduce((sum, each) => sum + each, 0) / COUNT).toBeLessThan(2);
      const lineMs = IDEAL_MS - (COUNT / perSecond) * 1_000;
      expect(Math.max(...waits)).toBeLessThan(lineMs + 0.1 * IDEAL_MS);
    });
  },
);

/** Simulates the operation's slices and the connection's queue, millisecond by millisecond. */
function play(perSecond: number, terms: RateTerms) {
  const { size, everyMs } = paceOf(perSecond);
  const due = new Map<number, Comer[]>();
  const come = (at: number, comer: Comer): void => void due.set(at, [...(due.get(at) ?? []), comer]);
  const releasedAt = (n: number): number => T + Math.floor(n / size) * everyMs;
  const late = (n: number, holds: number): number => ((n + 1) * (holds + 7) * 7_919) % LATE_MS;
  for (let n = 0; n < COUNT; n++) come(releasedAt(n) + late(n, 0), { n, promised: null, holds: 0, waits: 0 });
  const [went, holds, waits]: [number[], number[], number[]] = [[], [], []];
  let rate = emptyRate;
  for (let now = T; went.length < COUNT && now < 2 * T; now++) {
    for (const comer of due.get(now) ?? []) {
      const turned = admitOrDefer(rate, terms, comer.promised, now);
      rate = turned.rate;
      if (turned.until === null) {
        went.push(now);
        holds.push(comer.holds);
        waits.push(now - releasedAt(comer.n));
      } else if (turned.until - now <= WAIT_IN_PLACE_MS && comer.waits < WAITS_IN_PLACE_MAX) {
        come(turned.until, { ...comer, promised: turned.until, waits: comer.waits + 1 });
      } else {
        const again = { ...comer, promised: turned.until, holds: comer.holds + 1, waits: 0 };
        come(turned.until + late(comer.n, again.holds), again);
      }
    }
    due.delete(now);
  }
  return { went, holds, waits };
}
