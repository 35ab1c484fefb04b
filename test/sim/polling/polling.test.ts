// Some hundred worlds of pollers, and proof that their oracle detects mistakes.
import { describe, expect, it } from "vitest";
import { expectNoticed, expectSound, seedCount, seedsTo } from "../kit/seeds.ts";
import { liveThrough } from "./polling-world.ts";

const SEEDS = seedCount(40, 150);
const CAUGHT_WITHIN = 20;
const PATIENCE_MS = 60_000;

describe("a poller in a rough world", () => {
  it("delivers each item of the list once and in order", () => expectSound(seedsTo(SEEDS), liveThrough), PATIENCE_MS);

  it("is lived through the same way twice", async () => {
    const [first, second] = [await liveThrough(7), await liveThrough(7)];
    expect(second).toEqual(first);
  });
});

describe("the oracle notices", () => {
  it.each([
    ["an item that is read and forgotten", ["DELETE FROM held WHERE n IN (SELECT n FROM held LIMIT 1)"]],
    ["items whose order is another", ["UPDATE held SET rank = -rank"]],
    ["an id that is known and was never read", ["UPDATE seen SET id = 'i' || (substr(id, 2) + 40) WHERE n % 7 = 0"]],
    ["a delivery that was forgotten with its id", ["DELETE FROM seen", "DELETE FROM deliveries WHERE seq = 1"]],
  ])(
    "%s",
    (_mistake, queries) =>
      expectNoticed(CAUGHT_WITHIN, (seed) =>
        liveThrough(seed, (sql) => queries.forEach((query) => attempted(() => sql.exec(query)))),
      ),
    PATIENCE_MS,
  );
});

/** Runs a corruption, if there is something to corrupt. */
function attempted(spoil: () => void): void {
  try {
    spoil();
  } catch {
    // There are no tables before the first write.
  }
}
