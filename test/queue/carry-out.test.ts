// Calls that get no answer: they are made again, in the same name, and nothing is carried out twice for it.
import { describe, expect, it } from "vitest";
import { message, world } from "./world.ts";

/** Throws the first so many times. */
function failing(times: number) {
  let left = times;
  return async (): Promise<void> => {
    left -= 1;
    if (left >= 0) throw new Error("the object was reset");
  };
}

describe("a claim that is not answered", () => {
  it("is asked again by the same claimant, and costs no delivery", async () => {
    const here = world({ onClaim: failing(2) });
    await here.consume([message({ id: "m7", delivery: 2 })]);
    const by = { message: "m7", delivery: 2, arrival: expect.any(String) };
    expect(here.claims.flat()).toMatchObject([{ by }, { by }, { by }]);
    expect(new Set(here.claims.flat().map(({ by: who }) => who?.arrival)).size).toBe(1);
    expect(here.ran).toEqual(["1.0"]);
    expect(here.ends).toEqual(["done m7"]);
  });

  it("by anybody brings its message again a while later, and is not sent anew: it may have been made", async () => {
    const here = world({ onClaim: failing(3) });
    await here.consume([message({ delivery: 3 })]);
    expect(here.ends).toEqual(["again m1 after 8 s"]);
    expect([here.ran, here.sentBack]).toEqual([[], []]);
  });

  it("at all does not hold its place for ever", async () => {
    const here = world({ onClaim: () => new Promise(() => {}) });
    await here.consume([message()]);
    expect(here.ends).toEqual(["again m1 after 2 s"]);
    expect(here.now()).toBeLessThan(31_000);
  });
});

it("a message that comes again is gone on with where the delivery before it was: with a later run", async () => {
  const here = world({ carried: { "1.0": "2.0" }, next: { "2.0": "3.0" } });
  await here.consume([message({ delivery: 2 })]);
  expect(here.ran).toEqual(["2.0", "3.0"]);
  expect(here.settled.map(({ run }) => run)).toEqual(["2.0", "3.0"]);
  expect(here.ends).toEqual(["done m1"]);
});

it("a message that a queue delivers twice in one batch is claimed by two", async () => {
  const here = world();
  await here.consume([message(), message()]);
  const arrivals = here.claims.flat().map(({ by }) => by?.arrival);
  expect(new Set(arrivals).size).toBe(2);
});
