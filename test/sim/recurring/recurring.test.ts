// Some hundred worlds of recurring actions, and proof that the oracle detects mistakes.
import { describe, expect, it } from "vitest";
import type { RecurringDisk } from "#test/support/recurring.ts";
import { expectNoticed, expectSound, seedCount, seedsTo, type Report } from "../kit/seeds.ts";
import { findingsOf } from "./recurring-oracle.ts";
import { liveThrough } from "./recurring-world.ts";

const SEEDS = seedCount(40, 150);
const CAUGHT_WITHIN = 40;
const PATIENCE_MS = 60_000;

async function reportOf(seed: number, tamper?: (disk: RecurringDisk) => void): Promise<Report> {
  const world = await liveThrough(seed, tamper);
  return { findings: findingsOf(world), trace: world.trace };
}

describe("a recurring action in a rough world", () => {
  it(
    "gives every occurrence one outcome, and always has the next one armed",
    () => expectSound(seedsTo(SEEDS), reportOf),
    PATIENCE_MS,
  );

  it("is lived through the same way twice", async () => {
    const [first, second] = [await liveThrough(7), await liveThrough(7)];
    expect(second.trace).toEqual(first.trace);
    expect([...second.disk.rows]).toEqual([...first.disk.rows]);
  });
});

describe("the oracle notices", () => {
  const mistakes: { readonly [mistake: string]: (disk: RecurringDisk) => void } = {
    "a row that is gone": ({ rows }) => {
      const [first] = rows.keys();
      if (rows.size > 5 && first !== undefined) rows.delete(first);
    },
    "an alarm that is not armed": (disk) => (disk.alarm = null),
    "what is on its way and forgotten": (disk) => {
      if (disk.state?.pending.length) disk.state = { ...disk.state, pending: [] };
    },
    "an occurrence that is none": (disk) => {
      const { state } = disk;
      if (state?.next && state.next.nominal % 60_000 === 0)
        disk.state = { ...state, next: { nominal: state.next.nominal - 1_000, fireAt: state.next.fireAt } };
    },
  };

  it.each(Object.entries(mistakes))(
    "%s",
    (_mistake, tamper) => expectNoticed(CAUGHT_WITHIN, (seed) => reportOf(seed, tamper)),
    PATIENCE_MS,
  );
});
