// Zones by rule: the instants of delays, schedules and windows, and what a change of the zone's variable moves.
import { describe, expect, test } from "vitest";
import { explain } from "#kernel/explain/explain.ts";
import { action, ask, day, drive, hour, minute, T0, type Drive, type machine } from "#test/support/drive.ts";
import { go } from "../../programs/journey/drive-journey.ts";
import { evening, mailing, variable } from "./windows.ts";

const zone = variable("zone");
/** A rule that breaks when the variable `odd` is set. */
const breakable = { if: [variable("odd"), { throw: "odd" }, zone] };
type Part = Parameters<typeof machine>[0];

/** T0 is 09:00 UTC: 10:00 in Zurich, 18:00 in Tokyo, 04:00 in New York. */
const ten = { offset: "P1D", at: "10:00" };
const inZurich = day;
const inTokyo = day - 8 * hour;
const inNewYork = day + 6 * hour;

function timed(delay: NonNullable<Part["delays"]>[string], more: Partial<Part> = {}) {
  const set = { assign: { zone: { var: "message.payload" } } };
  const states = { a: { on: { set }, after: { due: "b" } }, b: { on: { x: {} } } };
  return drive({ delays: { due: delay }, states, ...more });
}

describe("a timer at ten o'clock", () => {
  test.each<[string, Partial<Part>, string | null, number]>([
    ["in the definition's zone by rule", { timezone: zone }, "Asia/Tokyo", inTokyo],
    ["in the zone of another execution", { timezone: zone }, "America/New_York", inNewYork],
    ["in the fallback", { timezone: { rule: zone, fallback: "Europe/Zurich" } }, null, inZurich],
    ["in UTC without a fallback", { timezone: zone }, null, day + hour],
  ])("%s", (_what, more, name, at) => {
    expect(timed(ten, more).start({ zone: name }).timers()).toEqual({ "a/after/due": at });
  });

  test("takes the delay's own zone before the definition's", () => {
    const t = timed({ ...ten, timezone: zone }, { timezone: "Asia/Tokyo" });
    expect(t.start({ zone: "Europe/Zurich" }).timers()).toEqual({ "a/after/due": inZurich });
  });

  test("writes an unknown zone into the journal, once per arming", () => {
    const t = timed(ten, { timezone: zone }).start({ zone: "Moon/Base" });
    expect(t.newLines()).toContain('timezone_unknown a/after/due: "Moon/Base", so UTC');
    expect(t.patch({ other: 1 }).newLines()).not.toContain('timezone_unknown a/after/due: "Moon/Base", so UTC');
  });

  test("is refused where its zone's rule breaks", () => {
    const t = timed(ten, { timezone: { "+": [zone, 1] } });
    expect(t.refused(ask.start({ zone: { a: 1 } })).code).toBe("invalid_input");
  });
});

describe("a change of the zone", () => {
  test("moves a timer, which counts from its arming", () => {
    const t = timed(ten, { timezone: zone }).start({ zone: "Europe/Zurich" });
    t.clock(hour).patch({ zone: "Asia/Tokyo" });
    expect([t.timers(), t.moves]).toEqual([
      { "a/after/due": inTokyo },
      [{ timer: "a/after/due", from: T0 + inZurich, to: T0 + inTokyo }],
    ]);
    t.event("set", "America/New_York");
    expect(t.timers()).toEqual({ "a/after/due": inNewYork });
    expect(t.tickAt(inNewYork).at).toBe("b");
  });

  test("to an unknown zone moves it to the next zone, with a journal entry", () => {
    const t = timed(ten, { timezone: { rule: zone, fallback: "Asia/Tokyo" } }).start({ zone: "Europe/Zurich" });
    t.newLines();
    expect(t.patch({ zone: "x" }).timers()).toEqual({ "a/after/due": inTokyo });
    expect(t.newLines()).toContain('timezone_unknown a/after/due: "x", so Asia/Tokyo');
  });

  test("keeps a timer with onMove: keep, and reports it", () => {
    const t = timed({ ...ten, onMove: "keep" }, { timezone: zone }).start({ zone: "Europe/Zurich" });
    t.clock(hour).patch({ zone: "Asia/Tokyo" });
    expect([t.timers(), t.beside.notMoved]).toMatchObject([
      { "a/after/due": inZurich },
      [{ kind: "timer", id: "a/after/due", reason: "keeps" }],
    ]);
  });

  test("skips a timer whose instant is then past, and arms it again", () => {
    const t = timed({ offset: "PT0S", at: "16:00", ifPast: "skip" }, { timezone: zone });
    t.start({ zone: "Europe/Zurich" }).clock(hour);
    expect(t.timers()).toEqual({ "a/after/due": 6 * hour });
    expect(t.patch({ zone: "Asia/Tokyo" }).timers()).toEqual({});
    expect(t.patch({ zone: "Europe/Zurich" }).timers()).toEqual({ "a/after/due": 6 * hour });
  });

  test("moves a timer and a run that count from the instant of the node before, not from its late end", () => {
    const t = go({
      timezone: zone,
      initial: ["wait", "other"],
      nodes: {
        wait: { type: "delay", for: "PT1H", next: "due" },
        due: { type: "delay", until: ten },
        other: { type: "delay", for: "PT1H", next: "mail" },
        mail: { type: "webhook", config: { url: "https://example.com" }, delay: ten },
      },
    });
    // In New York the late instant is on the next day.
    t.start({ zone: "America/Los_Angeles" }).tickAt(20 * hour);
    expect(t.state.timers).toMatchObject([{ countsFrom: T0 + hour }]);
    t.patch({ zone: "America/New_York" });
    expect([Object.values(t.timers()), t.run("mail").dueAt]).toEqual([[inNewYork], T0 + inNewYork]);
  });

  test("leaves an exact length of time alone", () => {
    const t = timed({ offset: "PT24H" }, { timezone: { "+": [zone, 1] } }).start({ zone: { a: 1 } });
    expect(t.patch({ zone: "Asia/Tokyo" }).timers()).toEqual({ "a/after/due": day });
  });

  test("moves a series that counts from its first arming", () => {
    const t = timed({ offset: "P1D", at: "10:00", from: "first" }, { timezone: zone });
    t.start({ zone: "Europe/Zurich" }).clock(hour);
    expect(t.patch({ zone: "Asia/Tokyo" }).timers()).toEqual({ "a/after/due": inTokyo });
  });

  const mail = (more: Parameters<typeof action>[1] = {}, part: Partial<Part> = {}) =>
    drive({
      actions: [action("mail", { triggerState: "a", delay: ten, ...more })],
      states: { a: { on: { x: {} } } },
      ...part,
    });

  test.each<[string, ReturnType<typeof mail>]>([
    ["the definition's", mail({}, { timezone: zone })],
    ["the action's", mail({ timezone: zone }, { timezone: "UTC" })],
    ["the delay's", mail({ delay: { ...ten, timezone: zone }, timezone: "UTC" })],
  ])("moves a waiting run: %s", (_what, t) => {
    t.start({ zone: "Europe/Zurich" });
    expect(t.run("mail").dueAt).toBe(T0 + inZurich);
    t.clock(hour).patch({ zone: "Asia/Tokyo" });
    expect(t.run("mail")).toMatchObject({ dueAt: T0 + inTokyo, firstDueAt: T0 + inTokyo });
  });

  test("notes an unknown zone of a run once", () => {
    const t = mail({}, { timezone: zone }).start({ zone: "x" });
    expect(t.newLines()).toContain('timezone_unknown 1.0 mail: "x", so UTC');
    t.patch({ zone: "Asia/Tokyo" }).newLines();
    expect(t.patch({ zone: "y" }).newLines()).not.toContain('timezone_unknown 1.0 mail: "y", so UTC');
    expect(t.run("mail").dueAt).toBe(T0 + day + hour);
  });

  test("does not move a run that has started, keeps one that says so, and reports both", () => {
    const started = mail({ delay: { ...ten, offset: "PT0S" } }, { timezone: zone }).start({ zone: "Europe/Zurich" });
    started.clock(hour).patch({ zone: "Asia/Tokyo" });
    expect(started.beside.notMoved).toMatchObject([{ kind: "run", reason: "in_progress" }]);
    const kept = mail({ delay: { ...ten, onMove: "keep" } }, { timezone: zone }).start({ zone: "Europe/Zurich" });
    kept.clock(hour).patch({ zone: "Asia/Tokyo" });
    expect([kept.run("mail").dueAt, kept.beside.notMoved]).toMatchObject([T0 + inZurich, [{ reason: "keeps" }]]);
    const done = mail({ delay: { ...ten, offset: "PT0S" } }, { timezone: zone }).start({ zone: "Europe/Zurich" });
    done.ok("mail").clock(hour).patch({ zone: "America/New_York" });
    expect([done.runs(), done.beside.notMoved]).toEqual([["mail ok"], []]);
  });

  test("reactivates a skipped run whose date is then in the future", () => {
    const anchored = { anchor: "2026-01-05", at: "09:30", ifPast: "skip" } as const;
    const t = mail({ delay: anchored, timezone: zone }).start({ zone: "Asia/Tokyo" });
    expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "already_past" });
    t.patch({ zone: "America/New_York" });
    expect(t.run("mail")).toMatchObject({ status: "scheduled", dueAt: T0 + 5 * hour + 30 * minute });
  });
});

function waitOf({ program, state, entries: recent }: Drive) {
  return explain({ program, state, now: T0, suspended: false, recent, quarantined: null }).waits[0];
}

describe("a schedule", () => {
  const daily = (more: Parameters<typeof action>[1] = {}, part: Partial<Part> = {}) =>
    drive({
      timezone: zone,
      actions: [action("mail", { triggerState: "a", schedule: "0 10 * * *", ...more })],
      states: { a: {} },
      ...part,
    });
  const id = "a/schedule/mail";

  test("fires at its zone's time, and moves with the zone", () => {
    const t = daily().start({ zone: "Asia/Tokyo" });
    expect(t.timers()).toEqual({ [id]: inTokyo });
    t.patch({ other: 1 });
    expect(t.moves).toEqual([]);
    t.patch({ zone: "America/New_York" });
    expect([t.timers(), t.moves]).toEqual([{ [id]: 6 * hour }, [{ timer: id, from: T0 + inTokyo, to: T0 + 6 * hour }]]);
    t.tickAt(6 * hour);
    expect([t.runs(), t.timers()]).toEqual([["mail queued"], { [id]: inNewYork }]);
  });

  test("notes an unknown zone, and is refused where the rule breaks", () => {
    const t = daily().start({ zone: "x" });
    expect(t.newLines()).toContain(`timezone_unknown ${id}: "x", so UTC`);
    expect(t.patch({ zone: "Asia/Tokyo" }).patch({ zone: "y" }).newLines()).toContain(
      `timezone_unknown ${id}: "y", so UTC`,
    );
    const broken = { "+": [zone, 1] };
    const refused = daily({}, { timezone: broken }).refused(ask.start({ zone: { a: 1 } }));
    expect(refused.code).toBe("invalid_input");
  });

  test("keeps an instant that an operator has set", () => {
    const t = daily().start({ zone: "Asia/Tokyo" });
    t.verb({ kind: "reschedule", target: { timer: id }, at: T0 + hour }).patch({ zone: "America/New_York" });
    expect(t.timers()).toEqual({ [id]: hour });
  });

  test("refuses a change that breaks its zone's rule", () => {
    const t = daily({}, { timezone: breakable }).start({ zone: "Asia/Tokyo" });
    expect(t.refused(ask.patch({ odd: true })).code).toBe("invalid_input");
    expect(t.timers()).toEqual({ [id]: inTokyo });
  });

  test("refuses a change after which the search for the next occurrences exceeds the budget", () => {
    // At this time of each year, Zurich skips the hour. The search therefore looks at many years.
    const schedule = { cron: "30 2 * 3 0L", gap: "skip" as const };
    const actions = Array.from({ length: 40 }, (_, n) => action(`mail${n}`, { triggerState: "a", schedule }));
    const t = daily({}, { actions }).start({ zone: "Asia/Tokyo" });
    expect(t.refused(ask.patch({ zone: "Europe/Zurich" })).code).toBe("invalid_input");
  });

  test("shows no zone while its rule breaks, and fails the execution at its next occurrence", () => {
    const t = daily({}, { timezone: breakable }).start({ zone: "Asia/Tokyo" });
    expect(waitOf(t)).toMatchObject({ for: "timer", timer: id, timezone: "Asia/Tokyo" });
    t.verb({ kind: "reschedule", target: { timer: id }, at: T0 + hour }).patch({ odd: true });
    expect(waitOf(t)).toMatchObject({ for: "timer", timer: id });
    expect(waitOf(t)).not.toHaveProperty("timezone");
    expect(t.tickAt(hour)).toMatchObject({ status: "failed" });
    expect(t.runs()).toEqual([]);
  });

  test("ends if the new zone never shows the time", () => {
    const once = { cron: "0 30 2 29 3 * 2026", gap: "skip" as const };
    const t = daily({ schedule: once }).start({ zone: "Asia/Tokyo" });
    expect(Object.keys(t.timers())).toEqual([id]);
    expect([t.patch({ zone: "Europe/Zurich" }).timers(), t.newLines()]).toEqual([
      {},
      expect.arrayContaining([`timer_disarmed ${id}: no_further_occurrence`]),
    ]);
  });
});

describe("a run that its window holds", () => {
  const window = { from: "09:00", to: "20:00", timezone: zone };
  const held = (more: Parameters<typeof mailing>[0] = {}, name = "UTC") =>
    mailing(more, window).clock(evening).start({ zone: name });

  test("moves to the opening in the new zone", () => {
    const t = held();
    expect(t.run("mail").dueAt).toBe(T0 + day);
    t.patch({ zone: "Asia/Tokyo" });
    expect([t.run("mail"), t.moves]).toMatchObject([
      { dueAt: T0 + 15 * hour, held: { reason: "window", until: T0 + 15 * hour } },
      [{ timer: t.run("mail").id, from: T0 + day, to: T0 + 15 * hour }],
    ]);
    t.patch({ zone: "Asia/Tokyo", other: 1 });
    expect(t.moves).toEqual([]);
  });

  test("is sent if the window is open there, skipped if it opens too late", () => {
    expect(held().patch({ zone: "America/Los_Angeles" }).runs()).toEqual(["mail queued"]);
    const t = held({ validUntil: T0 + 16 * hour }, "Asia/Tokyo").patch({ zone: "UTC" });
    expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "no_window" });
  });

  test("keeps its instant if the rule breaks", () => {
    const broken = { ...window, timezone: { "+": [zone, 1] } };
    const t = mailing({}, { ...window, timezone: { if: [variable("odd"), broken.timezone, zone] } })
      .clock(evening)
      .start({ zone: "UTC" });
    t.patch({ odd: true, zone: { a: 1 } });
    expect([t.run("mail").dueAt, t.tickAt(day).run("mail").status]).toEqual([T0 + day, "failed"]);
  });
});

test("validUntil is a time of the action's zone, and fails where the zone's rule breaks", () => {
  const until = { validUntil: "2026-01-05T10:30:00", timezone: zone };
  const run = (variables: { readonly zone: string | { a: number } }, timezone: object = zone) =>
    drive({
      actions: [action("mail", { triggerState: "a", ...until, timezone: timezone as never })],
      states: { a: {} },
    })
      .start(variables)
      .run("mail");
  expect(run({ zone: "Asia/Tokyo" })).toMatchObject({ status: "skipped", reason: "no_longer_valid" });
  expect(run({ zone: "Europe/Zurich" }).status).toBe("queued");
  expect(run({ zone: { a: 1 } }, { "+": [zone, 1] })).toMatchObject({ status: "failed" });
});
