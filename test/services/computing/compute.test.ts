// Long computations of requests: run slice by slice, with a limit on their cost and on how many run at once.
import { expect, test } from "vitest";
import type { Computation } from "#kernel/computing/computation.ts";
import { openComputationSlots } from "#policy/computing/computation-slots.ts";
import { compute, openComputing, type ComputingDeps } from "#services/computing/compute.ts";
import {
  COMPUTATIONS_PER_TENANT_MAX,
  COMPUTATION_PART_UNITS,
  COMPUTATION_SLICE_UNITS,
  COMPUTATION_UNITS_MAX,
} from "#schema/limits/isolates/computations.ts";

function world() {
  const breaths: (() => void)[] = [];
  const deps: ComputingDeps = {
    now: () => 0,
    computations: openComputationSlots(),
    yieldToOthers: () => new Promise((resolve) => void breaths.push(resolve)),
  };
  return { deps, breaths };
}

function* parts(count: number, units = COMPUTATION_PART_UNITS): Computation<string> {
  for (let n = 0; n < count; n++) yield units;
  return "done";
}

/** Until nothing is left to do in this turn. */
async function settled(): Promise<void> {
  for (let n = 0; n < 20; n++) await Promise.resolve();
}

const SLICE_PARTS = COMPUTATION_SLICE_UNITS / COMPUTATION_PART_UNITS;
const atOnce = (deps: ComputingDeps): ComputingDeps => ({ ...deps, yieldToOthers: async () => {} });

test("a computation done within a slice does not yield, and takes no slot", async () => {
  const { deps, breaths } = world();
  const running = compute(deps, "acme", parts(SLICE_PARTS - 1));
  expect([breaths.length, deps.computations.held.size]).toEqual([0, 0]);
  expect(await running).toEqual({ ok: true, value: "done" });
});

test("other work runs after each slice", async () => {
  const { deps, breaths } = world();
  const running = compute(deps, "acme", parts(2 * SLICE_PARTS));
  expect([breaths.length, deps.computations.held.size]).toEqual([1, 1]);
  breaths.shift()?.();
  await settled();
  expect(breaths.length).toBe(1);
  breaths.shift()?.();
  expect(await running).toEqual({ ok: true, value: "done" });
  expect(deps.computations.held.size).toBe(0);
});

test("concurrent computations take turns, one slice in each turn of the event loop", async () => {
  const { deps, breaths } = world();
  const ran: string[] = [];
  function* named(name: string): Computation<null> {
    for (let n = 0; n < 6; n++) {
      yield COMPUTATION_SLICE_UNITS;
      ran.push(name);
    }
    return null;
  }
  const running = ["a", "b", "c"].map((tenant) => compute(deps, tenant, named(tenant)));
  const turns: number[] = [];
  while (breaths.length > 0) {
    const before = ran.length;
    for (const breath of breaths.splice(0)) breath();
    await settled();
    turns.push(ran.length - before);
  }
  await Promise.all(running);
  expect(ran).toEqual(Array.from({ length: 6 }, () => ["a", "b", "c"]).flat());
  expect(Math.max(...turns)).toBe(1);
});

test("a computation that costs too much is refused with the limit, the used units and a hint", async () => {
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
  expect(deps.computations.held.size).toBe(0);
});

test("the stages of one computation are counted together", async () => {
  const { deps } = world();
  const { run, end } = openComputing(atOnce(deps), "acme");
  const count = COMPUTATION_UNITS_MAX / COMPUTATION_SLICE_UNITS;
  expect((await run(parts(count, COMPUTATION_SLICE_UNITS))).ok).toBe(true);
  expect(deps.computations.held.size).toBe(1);
  expect((await run(parts(1))).ok).toBe(false);
  end();
  expect(deps.computations.held.size).toBe(0);
});

test("too many concurrent computations are refused with a Retry-After", async () => {
  const { deps } = world();
  for (let n = 0; n < COMPUTATIONS_PER_TENANT_MAX; n++) void compute(deps, "acme", parts(1_000));
  expect(await compute(deps, "acme", parts(1_000))).toMatchObject({
    ok: false,
    refusal: { code: "computations_full", details: { limit: "COMPUTATIONS_PER_TENANT_MAX" }, retryAfterS: 2 },
  });
  expect(deps.computations.held.size).toBe(COMPUTATIONS_PER_TENANT_MAX);
  expect((await compute(deps, "acme", parts(1))).ok).toBe(true);
});

test("a check takes turns with the others, and is never refused as one too many", async () => {
  const { deps } = world();
  for (let n = 0; n < COMPUTATIONS_PER_TENANT_MAX; n++) void compute(deps, "acme", parts(1_000));
  const { held } = deps.computations;
  const check = compute({ ...deps, yieldToOthers: async () => void held.clear() }, null, parts(3 * SLICE_PARTS));
  expect(await check).toEqual({ ok: true, value: "done" });
  expect(held.size).toBe(0);
});

test("a computation that throws releases its slot", async () => {
  const { deps } = world();
  function* broken(): Computation<never> {
    yield COMPUTATION_SLICE_UNITS;
    throw new Error("broken");
  }
  await expect(compute(atOnce(deps), "acme", broken())).rejects.toThrow("broken");
  expect(deps.computations.held.size).toBe(0);
});
