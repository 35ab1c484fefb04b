// Actions that were slow lately, in the queue of short ones: they leave it before they are claimed.
import { expect, it } from "vitest";
import { SLOW_ABOVE_MS } from "#schema/limits/run-attempts.ts";
import { message, world } from "./world.ts";

const lately = { slowLately: ["crawl"] };

it("one that was slow lately goes to the queue of slow ones, unclaimed, and the others of its batch are carried out", async () => {
  const here = world(lately);
  await here.consume([
    message({ id: "m1", run: "1.0", action: "crawl" }),
    message({ id: "m2", run: "2.0", action: "greet" }),
    message({ id: "m3", run: "3.0" }),
  ]);
  expect(here.ran.toSorted()).toEqual(["2.0", "3.0"]);
  expect(here.claims.flat().map(({ run }) => run)).not.toContain("1.0");
  expect(here.sentBack).toMatchObject([{ queue: "slow", body: { run: "1.0", timeoutMs: SLOW_ABOVE_MS } }]);
  expect(here.ends.toSorted()).toEqual(["done m1", "done m2", "done m3"]);
});

it("in the queue of slow ones it is carried out", async () => {
  const here = world(lately);
  await here.consume([message({ action: "crawl", timeoutMs: SLOW_ABOVE_MS })]);
  expect([here.ran, here.sentBack]).toEqual([["1.0"], []]);
});

it("a message that comes again stays: only it gets what its last delivery had claimed", async () => {
  const here = world(lately);
  await here.consume([message({ action: "crawl", delivery: 2 })]);
  expect([here.ran, here.sentBack]).toEqual([["1.0"], []]);
});

it("one that the other queue does not take comes again", async () => {
  const here = world({ ...lately, sendBackFails: true });
  await here.consume([message({ action: "crawl" })]);
  expect([here.ran, here.ends]).toEqual([[], ["again m1 after 2 s"]]);
});

it("99 of a neighbour's slow ones take no slot from an action that comes with them", async () => {
  const here = world({ ...lately, takesMs: ({ run }) => (run === "own" ? 1 : 49_000) });
  const slow = Array.from({ length: 99 }, (_, n) => message({ id: `m${n}`, run: `${n}.0`, action: "crawl" }));
  await here.consume([...slow, message({ id: "own", run: "own", tenant: "other", action: "greet" })]);
  expect(here.ran).toEqual(["own"]);
  expect(here.sentBack.map(({ queue }) => queue)).toEqual(Array(99).fill("slow"));
  expect(here.now()).toBeLessThan(100);
});
