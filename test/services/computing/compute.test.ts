// Long computations of requests: slice by slice, bounded in all, and so many at once.
import { expect, test } from "vitest";
import type { Computation } from "#kernel/computing/computation.ts";
import { compute, openComputing, type ComputingDeps } from "#services/computing/compute.ts";
import {
  COMPUTATION_PART_UNITS,
  COMPUTATION_SLICE_UNITS,
  COMPUTATION_UNITS_MAX,
  COMPUTATIONS_PER_TENANT_MAX,
} from "#schema/limits/isolates.ts";

function world() {
  const breaths: (() => void)[] = [];
  const deps: ComputingDeps = {
    now: () => 0,
    computations: new Map(),
    breathe: () => new Promise((resolve) => void breaths.push(resolve)),
  };
  return { deps, breaths };
}

function* parts(count: number, units = COMPUTATION_PART_UNITS): Computation<string> {
  for (let n = 0; n < count; n++) yield units;
  return "done";
}

const SLICE_PARTS = COMPUTATION_SLICE_UNITS / COMPUTATION_PART_UNITS;
const atOnce = (deps: ComputingDeps): ComputingDeps => ({ ...deps, breathe: async () => {} });

test("one that is done within a slice lets nobody else go first, and takes no slot", async () => {
  const { deps, breaths } = world();
  const running = compute(deps, "acme", parts(SLICE_PARTS - 1));
  expect([breaths.length, deps.computations.size]).toEqual([0, 0]);
  expect(await running).toEqual({ ok: true, value: "done" });
});

test("others go first after each slice", async () => {
  const { deps, breaths } = world();
  const running = compute(deps, "acme", parts(2 * SLICE_PARTS));
  expect([breaths.length, deps.computations.size]).toEqual([1, 1]);
  breaths.shift()?.();
  await Promise.resolve();
  expect(breaths.length).toBe(1);
  breaths.shift()?.();
  expect(await running).toEqual({ ok: true, value: "done" });
  expect(deps.computations.size).toBe(0);
});

test("those that run at once share a slice", async () => {
  const { deps, breaths } = world();
  const counted = { parts: 0 };
  function* counting(): Computation<null> {
    for (let n = 0; n < 100; n++, counted.parts += 1) yield COMPUTATION_PART_UNITS;
    return null;
  }
  void compute(deps, "acme", parts(1_000));
  void compute(deps, "other", parts(1_000));
  void compute(deps, "third", counting());
  expect(breaths.length).toBe(3);
  expect(counted.parts).toBeLessThan(SLICE_PARTS);
});

test("one that costs too much is refused with the limit, what it used and what to do", async () => {
  const { deps } = world();
  const count = COMPUTATION_UNITS_MAX / COMPUTATION_SLICE_UNITS;
  const bounded = await compute(atOnce(deps), "acme", parts(count, COMPUTATION_SLICE_UNITS));
  expect(bounded.ok).toBe(true);
  const refused = await compute(atOnce(deps), "acme", parts(count + 1, COMPUTATION_SLICE_UNITS));
  expect(refused).toMatchObject({
    ok: false,
    refusal: {
      code: "limit_exceeded",
      details: {
        limit: "COMPUTATION_UNITS_MAX",
        max: COMPUTATION_UNITS_MAX,
        used: COMPUTATION_UNITS_MAX + COMPUTATION_SLICE_UNITS,
      },
    },
  });
  expect(deps.computations.size).toBe(0);
});

test("stages of one are counted together", async () => {
  const { deps } = world();
  const { run, end } = openComputing(atOnce(deps), "acme");
  const count = COMPUTATION_UNITS_MAX / COMPUTATION_SLICE_UNITS;
  expect((await run(parts(count, COMPUTATION_SLICE_UNITS))).ok).toBe(true);
  expect(deps.computations.size).toBe(1);
  expect((await run(parts(1))).ok).toBe(false);
  end();
  expect(deps.computations.size).toBe(0);
});

test("too many at once are refused, and say when to come back", async () => {
  const { deps } = world();
  for (let n = 0; n < COMPUTATIONS_PER_TENANT_MAX; n++) void compute(deps, "acme", parts(1_000));
  expect(await compute(deps, "acme", parts(1_000))).toMatchObject({
    ok: false,
    refusal: { code: "computations_full", details: { limit: "COMPUTATIONS_PER_TENANT_MAX" }, retryAfterS: 2 },
  });
  expect(deps.computations.size).toBe(COMPUTATIONS_PER_TENANT_MAX);
  expect((await compute(deps, "acme", parts(1))).ok).toBe(true);
});

test("one that breaks gives its slot back", async () => {
  const { deps } = world();
  function* broken(): Computation<never> {
    yield COMPUTATION_SLICE_UNITS;
    throw new Error("broken");
  }
  await expect(compute(atOnce(deps), "acme", broken())).rejects.toThrow("broken");
  expect(deps.computations.size).toBe(0);
});
