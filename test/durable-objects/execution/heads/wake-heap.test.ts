// Tests the order in which a cell's executions wake.
import { expect, it } from "vitest";
import { openWakeHeap } from "#objects/execution/heads/wake-heap.ts";

type Index = Map<string, { wakeAt: number | null }>;

function scanned(index: Index): number | null {
  const instants = [...index.values()].flatMap(({ wakeAt }) => (wakeAt === null ? [] : [wakeAt]));
  return instants.length === 0 ? null : Math.min(...instants);
}

it("the earliest of thousands of changing wakes equals that of a scan", () => {
  const index: Index = new Map();
  const wakes = openWakeHeap(index);
  let seed = 7;
  const chance = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let step = 0; step < 20_000; step++) {
    const execution = `exe_${chance(300)}`;
    if (chance(10) === 0) index.delete(execution);
    else index.set(execution, { wakeAt: chance(8) === 0 ? null : chance(100_000) });
    wakes.wakeChanged(execution);
    if (step % 7 === 0) expect(wakes.earliest()).toBe(scanned(index));
  }
});

it("wakes that exist at the opening count", () => {
  expect(
    openWakeHeap(
      new Map([
        ["a", { wakeAt: 9 }],
        ["b", { wakeAt: 4 }],
        ["c", { wakeAt: null }],
      ]),
    ).earliest(),
  ).toBe(4);
  expect(openWakeHeap(new Map()).earliest()).toBeNull();
});
