// Thousands that are sent again faster than their connection lets through: nobody bursts through, nobody starves. They
// come back up to a quarter of a second after they were told to.
import { describe, expect, test } from "vitest";
import { paceOf } from "#kernel/operation.ts";
import { quietRate, takeTurn } from "#kernel/rate.ts";
import type { RateTerms } from "#schema/gate.ts";

const COUNT = 5_000;
const LIMIT = 20;
const LATE_MS = 250;
const IDEAL_MS = (COUNT / LIMIT) * 1_000;
const T = 1_000_000;

type Comer = { readonly n: number; readonly promised: number | null; readonly holds: number };

/** `share`: how much of what the connection allows is used. A turn that nobody takes up in time is lost, if none is saved up. */
describe.each([
  { perSecond: 20, burst: 1, share: 0.6, holdsMax: 30 },
  { perSecond: 100, burst: 1, share: 0.6, holdsMax: 30 },
  { perSecond: 500, burst: 1, share: 0.6, holdsMax: 30 },
  { perSecond: 20, burst: 5, share: 0.97, holdsMax: 5 },
  { perSecond: 100, burst: 5, share: 0.97, holdsMax: 5 },
  { perSecond: 500, burst: 5, share: 0.97, holdsMax: 5 },
])(
  "five thousand at $perSecond a second, before twenty with a burst of $burst",
  ({ perSecond, burst, share, holdsMax }) => {
    const { went, holds, waits } = play(perSecond, { calls: LIMIT, perMs: 1_000, burst });

    test("all go, as fast as that and no faster", () => {
      expect(went).toHaveLength(COUNT);
      expect((went.at(-1) ?? 0) - (went[0] ?? 0)).toBeLessThan(IDEAL_MS / share);
      const tooSoon = went.filter((at, n) => (went[n + LIMIT + burst] ?? Infinity) - at <= 1_000);
      expect(tooSoon).toEqual([]);
    });

    test("none is held for ever", () => {
      expect(Math.max(...holds)).toBeLessThanOrEqual(holdsMax);
      expect(Math.max(...waits)).toBeLessThan(IDEAL_MS / share);
    });
  },
);

/** Plays the operation's slices and the connection's line, millisecond by millisecond. */
function play(perSecond: number, terms: RateTerms) {
  const { size, everyMs } = paceOf(perSecond);
  const due = new Map<number, Comer[]>();
  const come = (at: number, comer: Comer): void => void due.set(at, [...(due.get(at) ?? []), comer]);
  const releasedAt = (n: number): number => T + Math.floor(n / size) * everyMs;
  const late = (n: number, holds: number): number => ((n + 1) * (holds + 7) * 7_919) % LATE_MS;
  for (let n = 0; n < COUNT; n++) come(releasedAt(n) + late(n, 0), { n, promised: null, holds: 0 });
  const [went, holds, waits]: [number[], number[], number[]] = [[], [], []];
  let rate = quietRate;
  for (let now = T; went.length < COUNT && now < 2 * T; now++) {
    for (const comer of due.get(now) ?? []) {
      const turned = takeTurn(rate, terms, comer.promised, now);
      rate = turned.rate;
      if (turned.until === null) {
        went.push(now);
        holds.push(comer.holds);
        waits.push(now - releasedAt(comer.n));
      } else {
        const again = { ...comer, promised: turned.until, holds: comer.holds + 1 };
        come(turned.until + late(comer.n, again.holds), again);
      }
    }
    due.delete(now);
  }
  return { went, holds, waits };
}
