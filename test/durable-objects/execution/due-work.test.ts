// Tests the slices of due work: their size follows the pace, and no slice waits for another's direct calls.
import { describe, expect, test } from "vitest";
import { openDueWork } from "#objects/execution/due-work.ts";
import { ALARM_EARLY_MS_MAX } from "#schema/limits/alarms.ts";
import {
  DUE_SLICE_CHARS_MAX,
  DUE_SLICE_EXECUTIONS,
  DUE_SLICE_EXECUTIONS_MAX,
  DUE_SLICE_MS,
  DUE_SLOT_WAIT_MS_MAX,
} from "#schema/limits/due-work.ts";

/** A mock of a cell. A tick takes a slot until `land` frees it. Without a free slot, the execution stays due. */
function opened(count: number, places: number) {
  const due = Array.from({ length: count }, (_, n) => `exe_${n}`);
  const slices: number[] = [];
  const paused: number[] = [];
  const clock = { now: 1_000 };
  let free = places;
  let landed: ((yes: boolean) => void) | null = null;
  let waited = 0;
  /** Executions whose wake was deferred. */
  const aside = new Set<string>();
  const logged: unknown[] = [];
  const takes = {
    places: true,
    dueAt: 1_000,
    suspendedAt: null as number | null,
    learns: null as number | null,
    armings: 0,
    breaks: false,
    eachMs: 0,
    characters: 0,
    /** If true, the test runs the timers itself. */
    defers: false,
  };
  const deferred: (() => void)[] = [];
  const read: string[] = [];
  const heads = {
    due: (now: number, most: number) => {
      if (takes.breaks) throw new Error("a mistake of ours");
      return now < takes.dueAt ? [] : due.filter((execution) => !aside.has(execution)).slice(0, most);
    },
    earliest: () => (due.length > 0 ? takes.dueAt : null),
    loadDue: () => false,
    updateWake: (execution: string) => void due.splice(due.indexOf(execution), 1),
    deferWake: (execution: string) => void aside.add(execution),
    charactersOf: (execution: string) => {
      read.push(execution);
      return takes.characters;
    },
  };
  const work = openDueWork({
    ports: {
      now: () => clock.now,
      log: ({ event }) => void logged.push(event),
      suspendedAt: () => takes.suspendedAt,
      refreshSuspension: async () => void (takes.suspendedAt = takes.learns),
      runAfter: (ms, go) => {
        paused.push(ms);
        if (takes.defers) return void deferred.push(go);
        clock.now += ms;
        go();
      },
    },
    heads: heads as never, // these are all heads that due work reads
    alarm: { arm: () => void (takes.armings += 1) },
    submit: (items) => {
      clock.now += takes.eachMs * items.length;
      const stepped = items.map(({ waitsForSlot }) => {
        if (!takes.places) return true;
        if (waitsForSlot && free <= 0) return false;
        free -= 1;
        return true;
      });
      slices.push(stepped.filter(Boolean).length);
      return stepped.map(async (is) => ({ ok: true, value: is ? {} : { waitsForSlot: true } }) as never);
    },
    freeSlots: () => free,
    deferred: { all: () => [] },
    directCalls: {
      nextCompletion: (withinMs) => {
        waited = withinMs;
        return new Promise((resolve) => (landed = resolve));
      },
    },
  });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    due,
    work,
    slices,
    paused,
    clock,
    takes,
    settled,
    logged,
    deferred,
    read,
    waited: () => waited,
    land: async (yes: boolean, freed = 0): Promise<void> => {
      free += freed;
      if (!yes) clock.now += waited;
      landed?.(yes);
      await settled();
    },
  };
}

describe("more executions are due than slots are free", () => {
  test("as many are stepped as slots are free, and the next when calls complete", async () => {
    const { work, slices, land, settled } = opened(30, 24);
    const done = work.run();
    await settled();
    expect(slices).toEqual([24]);
    await land(true, 2);
    expect(slices).toEqual([24, 2]);
    await land(true, 24);
    await done;
    expect(slices).toEqual([24, 2, 4]);
  });

  test("without a completed call in time, the rest uses the queue", async () => {
    const { work, slices, land, settled, waited } = opened(224, 24);
    const done = work.run();
    await settled();
    expect([slices, waited()]).toEqual([[24, 0], DUE_SLOT_WAIT_MS_MAX]);
    await land(false);
    await done;
    expect(slices).toEqual([24, 0, 200]);
  });

  test("an execution that needs no slot does not wait", async () => {
    const { work, slices, takes } = opened(DUE_SLICE_EXECUTIONS, 0);
    takes.places = false;
    await work.run();
    expect(slices).toEqual([DUE_SLICE_EXECUTIONS]);
  });
});

describe("a slice", () => {
  const many = DUE_SLICE_EXECUTIONS + DUE_SLICE_EXECUTIONS_MAX;

  test("is as large as the pace of the previous slice allows, also in the next run", async () => {
    const { work, slices, takes } = opened(many, many);
    takes.eachMs = 0.5;
    await work.run();
    expect(slices.slice(0, 3)).toEqual([DUE_SLICE_EXECUTIONS, DUE_SLICE_MS * 2, DUE_SLICE_MS * 2]);
  });

  test("contains all due executions if ticks are fast", async () => {
    const { work, slices, paused } = opened(many, many);
    await work.run();
    // Between two slices, the object can handle other events.
    expect([slices, paused]).toEqual([[DUE_SLICE_EXECUTIONS, DUE_SLICE_EXECUTIONS_MAX], [0]]);
  });

  test("without a pause after it does not change the pace, because the clock is frozen", async () => {
    const { due, work, slices } = opened(DUE_SLICE_EXECUTIONS, many);
    await work.run();
    due.push(...Array.from({ length: 2 * DUE_SLICE_EXECUTIONS }, (_, n) => `exe_later_${n}`));
    await work.run();
    expect(slices).toEqual([DUE_SLICE_EXECUTIONS, DUE_SLICE_EXECUTIONS, DUE_SLICE_EXECUTIONS]);
  });

  test("has at most as many executions as fit in memory, and at least one", async () => {
    const { work, slices, takes } = opened(5, 24);
    takes.characters = DUE_SLICE_CHARS_MAX / 2;
    await work.run();
    expect(slices).toEqual([2, 2, 1]);
    const large = opened(2, 24);
    large.takes.characters = DUE_SLICE_CHARS_MAX + 1;
    await large.work.run();
    expect(large.slices).toEqual([1, 1]);
  });
});

test("concurrent callers wait for the same run", async () => {
  const { work, slices } = opened(3, 24);
  const first = work.run();
  expect(work.isRunning()).toBe(true);
  await Promise.all([first, work.run()]);
  expect([slices, work.isRunning()]).toEqual([[3], false]);
});

test.each([
  ["by some milliseconds waits for what it is for", ALARM_EARLY_MS_MAX, [1]],
  ["by more is armed again", ALARM_EARLY_MS_MAX + 1, []],
] as const)("an alarm that goes off too early %s", async (_what, earlyMs, slices) => {
  const world = opened(1, 24);
  world.takes.dueAt = world.clock.now + earlyMs;
  await world.work.run();
  expect(world.slices).toEqual(slices);
});

test("an early alarm loads its executions, and steps them at their instant", async () => {
  const { work, slices, takes, clock, deferred, read, settled } = opened(3, 24);
  takes.defers = true;
  takes.dueAt = clock.now + 50;
  const done = work.run();
  await settled();
  expect([slices, read.length, work.isRunning()]).toEqual([[], 3, false]);
  clock.now += 50;
  deferred[0]?.();
  await done;
  expect(slices).toEqual([3]);
});

test("an execution that is due does not wait for an early alarm", async () => {
  const { work, slices, takes, clock, settled } = opened(3, 24);
  takes.defers = true;
  takes.dueAt = clock.now + 50;
  void work.run();
  await settled();
  takes.dueAt = clock.now;
  await work.run();
  expect(slices).toEqual([3]);
});

test("due work of a suspended tenant stays due", async () => {
  const { work, slices, takes } = opened(3, 24);
  takes.suspendedAt = 500;
  await work.run();
  expect(slices).toEqual([]);
});

describe("due work of an in-memory timer", () => {
  test("is run, and the alarm is set for the next wake", async () => {
    const { work, slices, takes } = opened(3, 24);
    await work.runFromTimer();
    expect([slices, takes.armings]).toEqual([[3], 1]);
  });

  test("queries the suspension first, so a suspended tenant's timers do not fire", async () => {
    const { work, slices, takes } = opened(3, 24);
    takes.learns = 500;
    await work.runFromTimer();
    expect([slices, takes.armings]).toEqual([[], 1]);
  });

  test("that was done already queries nothing", async () => {
    const { work, takes } = opened(0, 24);
    takes.learns = 500;
    await work.runFromTimer();
    expect([takes.suspendedAt, takes.armings]).toEqual([null, 1]);
  });

  test("that fails is left to the fallback alarm", async () => {
    const { work, takes, logged } = opened(3, 24);
    takes.breaks = true;
    await work.runFromTimer();
    expect([logged, takes.armings, work.isRunning()]).toEqual([["near_wake_failed"], 0, false]);
  });
});
