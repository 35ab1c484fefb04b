// Outcomes in hand on their way home: tried again until their deadline, in the name of whoever claimed.
import { describe, expect, it } from "vitest";
import { CONSUMER_SLOTS, SUB_BATCHES } from "#schema/limits/queues/consumers.ts";
import { SETTLE_GRACE_MS } from "#schema/limits/run-attempts.ts";
import { message, settled, world } from "./world.ts";

const lost = async (): Promise<void> => {
  throw new Error("the object was reset");
};

describe("a settlement that is not answered", () => {
  it("is sent again for as long as its attempt has, and then its message comes again", async () => {
    const here = world({ onSettle: lost, timeoutMs: 30_000 });
    await here.consume([message()]);
    expect(here.settled.length).toBeGreaterThan(8);
    expect(here.settled.length).toBeLessThan(20);
    expect(here.ran).toEqual(["1.0"]);
    expect(here.ends).toEqual(["again m1 after 2 s"]);
    expect(here.now()).toBeGreaterThan(30_000);
    expect(here.now()).toBeLessThanOrEqual(30_000 + SETTLE_GRACE_MS + 10);
  });

  it("goes on until somebody does, the same each time, and the run is carried out once", async () => {
    let calls = 0;
    const here = world({ onSettle: async () => void ((calls += 1) < 7 && (await lost())), next: { "1.0": "2.0" } });
    await here.consume([message()]);
    const [first, ...again] = here.settled.filter(({ run }) => run === "1.0");
    expect(again).toHaveLength(6);
    for (const each of again) expect(each).toEqual(first);
    expect(here.ran).toEqual(["1.0", "2.0"]);
    expect(here.ends).toEqual(["done m1"]);
  });

  it("waits without its place: what others have to do goes on", async () => {
    const here = world({
      onSettle: async (items) => void (items.some(({ run }) => run.startsWith("stuck")) && (await lost())),
    });
    const places = CONSUMER_SLOTS * SUB_BATCHES;
    const stuck = Array.from({ length: places }, (_, at) =>
      message({ id: `s${at}`, execution: `exe_s${at}`, run: `stuck.${at}` }),
    );
    await here.consume([...stuck, ...["1.0", "2.0"].map((run) => message({ id: run, execution: `exe_${run}`, run }))]);
    expect(settled(here).slice(places)).toEqual(expect.arrayContaining(["1.0", "2.0"]));
    expect(here.begun.slice(-2)).toEqual([
      expect.stringMatching(/^1\.0 at \d{1,2}$/),
      expect.stringMatching(/^2\.0 at \d{1,2}$/),
    ]);
    expect(here.sentBack).toEqual([]);
  });
});

it("settlements of one cell that end together share a call", async () => {
  const calls: number[] = [];
  const here = world({ onSettle: async (items) => void calls.push(items.length) });
  await here.consume(Array.from({ length: 6 }, (_, at) => message({ id: `m${at}`, run: `${at}.0` })));
  expect(calls).toEqual([6]);
});
