// Tests a recurring action's controller over rows in memory: evictions, late alarms, concurrent calls, deletion.
import { describe, expect, test } from "vitest";
import { RECURRING_GUARD_MS, RECURRING_PROJECTION_RETRY_MS } from "#schema/limits/recurring-actions.ts";
import type { DispatchItem, RecurringRequest, RecurringVerb, RecurringWorkPort } from "#schema/recurring/calls.ts";
import type { RecurringSpec } from "#schema/recurring/spec.ts";
import { MemoryRecurring } from "#test/support/recurring.ts";
import { at, specOf } from "#test/support/recurring-trace.ts";

const NAME = "acme/rec_1";
const due = at("2026-11-16T09:00:00Z");
const HOUR_MS = 60 * 60_000;

async function here(spec: RecurringSpec = specOf()) {
  const clock = { now: at("2026-11-16T08:00:00Z") };
  const started: string[] = [];
  const sending: { before: (items: readonly DispatchItem[]) => void | Promise<void>; after: () => void } = {
    before: () => {},
    after: () => {},
  };
  const work: RecurringWorkPort = {
    dispatch: async (_terms, items) => {
      await sending.before(items);
      for (const { id } of items) if (!started.includes(id)) started.push(id);
      sending.after();
      return items.map(({ id }) => ({ id, kind: "taken", execution: `exe_${id}` }));
    },
    checkRunning: async (_tenant, executions) => executions,
    cancel: async () => {},
  };
  const recurring = new MemoryRecurring(
    () => clock.now,
    () => work,
  );
  const terms = { tenant: "acme", id: "rec_1", fingerprint: "f", spec, createdAt: clock.now, enabled: true };
  await recurring.controller(NAME).open(terms);
  const ask = (verb: RecurringVerb, over: Partial<RecurringRequest> = {}) => {
    const audit = { tenant: "acme", id: "aud_1", at: clock.now, actor: "key:k", verb: "x", target: "rec_1" };
    const asked = { inputId: "inp_1", fingerprint: null, reason: null, dryRun: false, ...verb, ...over };
    return recurring
      .controller(NAME)
      .control({ ...asked, audit: { ...audit, reason: null, details: null } } as RecurringRequest); // this is one of the verbs
  };
  const ring = async (instant: number) => {
    clock.now = instant;
    await recurring.ring();
  };
  const outcomes = () => [...recurring.disk(NAME).rows.values()].map(({ outcome }) => outcome);
  return { clock, started, sending, recurring, terms, ask, ring, outcomes, disk: recurring.disk(NAME), work };
}

/** A call that never returns, as if the object was evicted. */
const never = () => new Promise<never>(() => {});

describe("the alarm", () => {
  test("is set for the next occurrence only", async () => {
    const { disk, ring } = await here();
    expect(disk.alarm).toBe(due);
    await ring(due);
    expect(disk.alarm).toBe(due + 24 * HOUR_MS);
  });

  test.each([5_000, 3 * HOUR_MS, 4 * 24 * HOUR_MS + 3 * HOUR_MS])(
    "%d ms late: one outcome, and the next one is armed",
    async (late) => {
      const { disk, ring, outcomes } = await here();
      await ring(due + late);
      expect(outcomes()).toEqual([late < 600_000 ? "dispatched" : "missed"]);
      expect(disk.alarm).toBeGreaterThan(due + late);
    },
  );

  test("that fires early, or twice, changes nothing", async () => {
    const { disk, recurring, started } = await here();
    await recurring.controller(NAME).wake();
    await recurring.controller(NAME).wake();
    expect([started, disk.alarm]).toEqual([[], due]);
  });

  test("never rejects: a fault is logged, and the alarm retries", async () => {
    const { disk, recurring, ring } = await here();
    disk.state = { ...disk.state, pending: null } as never;
    recurring.evict(NAME);
    await ring(due);
    expect(recurring.lines.at(-1)).toMatchObject({ event: "object_failed" });
    expect(disk.alarm).toBe(due + RECURRING_GUARD_MS);
  });

  test("a time zone that has become invalid sets the status to error", async () => {
    const { disk, recurring, ring } = await here();
    if (disk.state !== null) disk.state = { ...disk.state, spec: specOf({ rule: { timezone: "Mars/Olympus" } }) };
    recurring.evict(NAME);
    await ring(due);
    expect(disk.state).toMatchObject({ status: "error", next: null });
  });
});

test("a delete after the commit prevents the dispatch, and leaves no rows", async () => {
  const { disk, recurring, ring, sending, started } = await here();
  sending.before = never;
  void ring(due);
  await Promise.resolve();
  expect(disk.state?.pending).toHaveLength(1);
  recurring.evict(NAME);
  await recurring.controller(NAME).drop();
  await ring(due + HOUR_MS);
  expect(disk).toMatchObject({ state: null, alarm: null });
  expect(started).toEqual([]);
});

test("a delete during a dispatch lets it finish, and stores nothing again", async () => {
  const { disk, recurring, ring, sending, started } = await here();
  sending.after = () => void recurring.controller(NAME).drop();
  await ring(due);
  expect(started).toHaveLength(1);
  expect(disk).toMatchObject({ state: null, alarm: null });
  await recurring.controller(NAME).wake();
  expect(disk).toMatchObject({ state: null, alarm: null });
});

test("a delete during a notification sets no alarm again", async () => {
  const { disk, recurring, ask } = await here();
  const told = recurring.news.push.bind(recurring.news);
  recurring.news.push = (...news) => {
    void recurring.controller(NAME).drop();
    return told(...news);
  };
  await ask({ verb: "pause" });
  await ask({ verb: "resume", catchUp: "none" });
  expect(disk).toMatchObject({ state: null, alarm: null });
});

test("after an eviction between commit and dispatch, the alarm dispatches once", async () => {
  const { disk, recurring, ring, sending, started, outcomes } = await here();
  sending.before = never;
  void ring(due);
  await Promise.resolve();
  recurring.evict(NAME);
  sending.before = () => {};
  expect(disk.alarm).toBe(due + RECURRING_GUARD_MS);
  await ring(disk.alarm ?? 0);
  expect([started.length, outcomes()]).toEqual([1, ["dispatched"]]);
  expect(disk.alarm).toBe(due + 24 * HOUR_MS);
});

test("a lost answer after the effect starts nothing twice", async () => {
  const { ring, sending, started, outcomes } = await here();
  sending.after = () => {
    throw new Error("the answer was lost");
  };
  await ring(due);
  sending.after = () => {};
  await ring(due + 2_000);
  expect([started.length, outcomes()]).toEqual([1, ["dispatched"]]);
});

test("a pause during a dispatch lets it finish, and starts no other", async () => {
  const { ask, disk, ring, sending, started } = await here();
  let asking: Promise<unknown> = Promise.resolve();
  sending.before = () => void (asking = ask({ verb: "pause" }));
  await ring(due);
  await asking;
  await ring(due + 48 * HOUR_MS);
  expect([started.length, disk.state?.status, disk.state?.count]).toEqual([1, "paused", 1]);
});

test("a change during a dispatch counts that one, and the next uses the new expression", async () => {
  const { ask, disk, ring, sending } = await here();
  const change = { rule: specOf({ rule: { cron: "0 12 * * *" } }).rule };
  let asking: Promise<unknown> = Promise.resolve();
  sending.before = () => {
    const asOf = disk.state?.updatedAt ?? 0;
    asking = ask({ verb: "update", change, enabled: null, asOf });
  };
  await ring(due);
  await asking;
  expect(disk.state).toMatchObject({ count: 1, next: { nominal: due + 3 * HOUR_MS } });
});

describe("a repeated request", () => {
  const keyed = { inputId: "key-1", fingerprint: "f" };

  test("with the same body gets the first answer; with another body it is refused", async () => {
    const { ask, started } = await here();
    const first = await ask({ verb: "trigger" }, keyed);
    const again = await ask({ verb: "trigger" }, keyed);
    expect(first).toMatchObject({
      ok: true,
      value: { repeated: false, occurrence: { execution: "exe_trigger/key-1" } },
    });
    expect(again).toMatchObject({
      ok: true,
      value: { repeated: true, occurrence: { execution: "exe_trigger/key-1" } },
    });
    expect(started).toHaveLength(1);
    const other = await ask({ verb: "trigger" }, { ...keyed, fingerprint: "g" });
    expect(other).toMatchObject({ ok: false, refusal: { code: "idempotency_conflict" } });
  });

  test("to open returns the same action, or is refused for another body", async () => {
    const { recurring, terms } = await here();
    const controller = recurring.controller(NAME);
    expect(await controller.open(terms)).toMatchObject({ ok: true, value: { repeated: true } });
    expect(await controller.open({ ...terms, fingerprint: "g" })).toMatchObject({ ok: false });
  });
});

describe("a recurring action whose rows are lost", () => {
  test("is opened again from the catalog's row, and continues its counts", async () => {
    const { recurring, terms, disk } = await here();
    await recurring.controller(NAME).drop();
    const known = { seq: 41, count: 7, failed: 1, lastExecutedAt: due };
    expect(await recurring.controller(NAME).poke({ ...terms, known })).toMatchObject({ count: 7, failed: 1, seq: 42 });
    expect(disk.alarm).toBe(due);
  });

  test("answers not_found", async () => {
    const { recurring, ask } = await here();
    await recurring.controller(NAME).drop();
    expect(await ask({ verb: "pause" })).toMatchObject({ ok: false, refusal: { code: "not_found" } });
    expect([await recurring.controller(NAME).read(), await recurring.controller(NAME).history(5, null)]).toEqual([
      null,
      null,
    ]);
  });
});

test("a poke sets a lost alarm again", async () => {
  const { recurring, terms, disk } = await here();
  disk.alarm = null;
  await recurring.controller(NAME).poke(terms);
  expect(disk.alarm).toBe(due);
});

test("a failed notification of the catalog is repeated", async () => {
  const { recurring, disk, ring } = await here();
  const push = recurring.news.push.bind(recurring.news);
  recurring.news.push = () => {
    throw new Error("the queue is full");
  };
  await ring(due);
  expect(disk.alarm).toBe(due + RECURRING_PROJECTION_RETRY_MS);
  recurring.news.push = push;
  await ring(due + RECURRING_PROJECTION_RETRY_MS);
  expect([recurring.news.at(-1)?.row.seq, disk.alarm]).toEqual([disk.state?.seq, due + 24 * HOUR_MS]);
});
