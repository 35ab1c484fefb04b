// Tests the host, with a controller that calls the Worker once for each wanted unit.
import { describe, expect, test } from "vitest";
import { hosted } from "#objects/host/hosted-object.ts";
import { OBJECT_UNREADABLE_RETRY_MS } from "#schema/limits/alarms.ts";
import { GUARD_MS, never, NOTIFY_AGAIN_MS, T0, world } from "./counting-world.ts";

describe("a run", () => {
  test("carries out what is due, notifies once, and sets the alarm to exactly the next instant", async () => {
    const { live, calls, notified, disk, hooks } = world();
    const object = live();
    object.want(2);
    hooks.call = async () => {
      if (calls.count === 2) object.want(2, T0 + 90_000);
    };
    await object.host.run();
    expect([calls.count, notified, disk.alarm]).toEqual([2, [2], T0 + 90_000]);
  });

  test("without work sets no alarm, and stores nothing", async () => {
    const { live, disk, calls } = world();
    await live().host.run();
    expect([disk.state, disk.alarm, calls.alarmsSet]).toEqual([null, null, 0]);
  });

  test("stops after so many plans: the alarm continues at once", async () => {
    const { live, calls, disk, fire } = world();
    const object = live();
    object.want(7);
    await object.host.run();
    expect([calls.count, disk.alarm]).toEqual([5, T0 + 1]);
    await fire(object, T0 + 1);
    expect([calls.count, object.done()]).toEqual([7, 7]);
  });

  test("that is only started leaves notification and alarm to the guard", async () => {
    const { live, calls, notified, disk } = world();
    const object = live();
    object.want(1);
    await object.host.start();
    expect([calls.count, calls.tidied, notified, disk.alarm]).toEqual([1, 0, [], T0 + GUARD_MS]);
  });

  test("waits for the one before it, and finds what was stored meanwhile", async () => {
    const { live, calls, hooks } = world();
    const object = live();
    object.want(1);
    let release = (): void => {};
    hooks.call = () => new Promise((resolve) => (release = resolve));
    const first = object.host.run();
    await Promise.resolve();
    object.want(2);
    hooks.call = async () => {};
    const second = object.host.run();
    expect(calls.count).toBe(1);
    release();
    await Promise.all([first, second]);
    expect([calls.count, object.done()]).toEqual([2, 2]);
  });

  test("that forgets deletes all, and sets no alarm again", async () => {
    const { live, disk, fire } = world();
    const object = live();
    object.want(-1);
    await object.host.run();
    expect([disk.state, disk.alarm, object.done()]).toEqual([null, null, null]);
    await fire(object, T0 + 1);
    expect(disk.alarm).toBeNull();
  });

  test("deleted during a call: the call is not applied, and nothing is set again", async () => {
    const { live, disk, hooks } = world();
    const object = live();
    object.want(1);
    hooks.call = () => object.host.forget();
    await object.host.run();
    expect([disk.state, disk.alarm]).toEqual([null, null]);
  });
});

describe("a commit", () => {
  test("sets the alarm with the rows: the guard where the call runs, at once where the alarm does", () => {
    for (const [startedBy, at] of [
      ["call", T0 + GUARD_MS],
      ["alarm", T0 + 1],
    ] as const) {
      const { live, disk } = world({ startedBy });
      live().want(1);
      expect(disk.alarm).toBe(at);
    }
  });

  test("moves the alarm earlier only", () => {
    const { live, disk, calls } = world();
    const object = live();
    object.want(1, T0 + 50_000);
    object.want(1, T0 + 60_000);
    expect([disk.alarm, calls.alarmsSet]).toEqual([T0 + 50_000, 1]);
    object.want(1, T0 + 40_000);
    expect(disk.alarm).toBe(T0 + 40_000);
  });

  test("that fails leaves rows, memory and alarm as they were, and the next one sets the alarm", () => {
    const { live, disk } = world();
    const object = live();
    object.want(1, T0 + 50_000);
    disk.isFull = true;
    expect(() => object.want(3, T0 + 10_000)).toThrow("full");
    expect(disk).toMatchObject({ state: { wanted: 1 }, alarm: T0 + 50_000 });
    disk.isFull = false;
    object.want(1, T0 + 10_000);
    expect(disk.alarm).toBe(T0 + 10_000);
  });
});

describe("an alarm", () => {
  test("that meets a fault does not throw: it is logged, and the guard repeats it", async () => {
    const { live, disk, hooks, lines, fire, calls } = world();
    const object = live();
    object.want(1);
    hooks.plan = () => {
      throw new Error("a bug");
    };
    await fire(object, T0 + GUARD_MS);
    expect([lines, disk.alarm]).toEqual([["object_failed"], T0 + 2 * GUARD_MS]);
    hooks.plan = () => {};
    await fire(object, T0 + 2 * GUARD_MS);
    expect([calls.count, object.done()]).toEqual([1, 1]);
  });

  test("whose call fails stores when to retry", async () => {
    const { live, disk, hooks, lines, fire } = world();
    const object = live();
    object.want(1);
    hooks.call = async () => {
      throw new Error("unreachable");
    };
    await fire(object, T0);
    expect([lines, disk.alarm, disk.state?.retryAt]).toEqual([["object_plan_failed"], T0 + 1_000, T0 + 1_000]);
  });

  test("whose failure cannot be stored either is repeated by the guard", async () => {
    const { live, disk, hooks, fire } = world();
    const object = live();
    object.want(1);
    hooks.call = async () => {
      disk.isFull = true;
      throw new Error("unreachable");
    };
    await fire(object, T0);
    expect([disk.state, disk.alarm]).toEqual([{ wanted: 1, done: 0, retryAt: 0 }, T0 + GUARD_MS]);
  });

  test("that fires twice, or early, carries out once", async () => {
    const { live, calls, fire, disk } = world();
    const object = live();
    object.want(1);
    await Promise.all([fire(object, T0), object.host.wake()]);
    expect(calls.count).toBe(1);
    object.want(1, T0 + 60_000);
    await fire(object, T0 + 5_000);
    expect([calls.count, disk.alarm]).toEqual([1, T0 + 60_000]);
  });

  test("resumes a plan whose object was evicted before it was carried out", async () => {
    const { live, hooks, disk, calls, fire } = world();
    const evicted = live();
    evicted.want(1);
    hooks.call = never;
    void fire(evicted, T0);
    await Promise.resolve();
    expect([calls.count, disk.alarm]).toEqual([1, T0 + GUARD_MS]);
    hooks.call = async () => {};
    const object = live();
    await fire(object, T0 + GUARD_MS);
    expect([calls.count, object.done(), disk.alarm]).toEqual([2, 1, T0 + 2 * GUARD_MS]);
  });

  test("tidies and notifies, even if nothing was due", async () => {
    const { live, calls, notified, fire } = world();
    const object = live();
    object.want(1, T0 + 60_000);
    await fire(object, T0);
    expect([calls.tidied, notified]).toEqual([1, [0]]);
  });
});

test("a notification that cannot be sent is sent again, also if nothing else is to come", async () => {
  const { live, disk, hooks, notified, lines, fire } = world();
  const object = live();
  object.want(1);
  hooks.notify = () => {
    throw new Error("the queue is full");
  };
  await object.host.run();
  expect([lines, disk.alarm]).toEqual([["object_not_notified"], T0 + NOTIFY_AGAIN_MS]);
  hooks.notify = () => {};
  await fire(object, T0 + NOTIFY_AGAIN_MS);
  expect([notified, disk.alarm]).toEqual([[1], null]);
});

test("rows that cannot be read fail calls, and an alarm tries again until they can", async () => {
  const { platform, disk, lines } = world();
  let isUnreadable = true;
  let woken = 0;
  const object = hosted(platform, () => {
    if (isUnreadable) throw new Error("an unknown version");
    return { wake: async () => void (woken += 1) };
  });
  await object.alarm();
  expect(() => object.controller()).toThrow("an unknown version");
  expect([woken, lines, disk.alarm]).toEqual([0, ["object_unreadable"], T0 + OBJECT_UNREADABLE_RETRY_MS]);
  isUnreadable = false;
  await object.alarm();
  expect(woken).toBe(1);
});
