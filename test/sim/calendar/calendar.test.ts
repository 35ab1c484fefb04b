// A preview equals the real run, row by row: random couples in many zones, whose day is moved, removed and set again.
// COUPLES=5000 compares more of them, COUPLE=17 only one.
import { describe, expect, it } from "vitest";
import { coupleOf, foretold, lived, type Calendar, type Couple, type Row } from "./calendar-world.ts";

const { COUPLES = "120", COUPLE } = (globalThis as unknown as { process: { env: Record<string, string> } }).process.env;
const seeds = COUPLE === undefined ? Array.from({ length: Number(COUPLES) }, (_, n) => n + 1) : [Number(COUPLE)];
const PATIENCE_MS = 30_000 + seeds.length * 500;

/** A busy cell collects inputs for a millisecond; several actions may follow each other so. */
const TURNS_MS = 10;

/** Work that is due repeatedly at one instant counts as a spinning alarm, which gets a minute's delay each time. */
const CAUGHT_UP_MS = 5 * 60_000;

describe("the calendar that is foretold", () => {
  it(
    "is the one that is lived, row for row",
    async () => {
      let rows = 0;
      for (const seed of seeds) {
        const couple = coupleOf(seed);
        const told = foretold(couple);
        const was = await lived(couple);
        rows += told.rows.length;
        const shown = `COUPLE=${seed} ${JSON.stringify(couple)}\n${table(told)}\n\n${table(was)}`;
        expect({ ...was, rows: was.rows.map(nameOf) }, shown).toEqual({ ...told, rows: told.rows.map(nameOf) });
        told.rows.forEach(({ at }, n) => {
          const apart = Math.abs(at - Number(was.rows[n]?.at));
          expect(apart, shown).toBeLessThan(isCatchingUp(couple, at) ? CAUGHT_UP_MS : TURNS_MS);
        });
      }
      expect(rows).toBeGreaterThan(seeds.length);
    },
    PATIENCE_MS,
  );
});

/** Whether several repeats came due while the execution was paused. */
function isCatchingUp({ given }: Couple, at: number): boolean {
  return given.some((each) => each.resume && at >= Date.parse(each.at) && at < Date.parse(each.at) + CAUGHT_UP_MS);
}

function nameOf({ action }: Row): string {
  return action;
}

function table({ rows, end }: Calendar): string {
  return [...rows.map(({ at, action }) => `${new Date(at).toISOString()} ${action}`), end].join("\n");
}
