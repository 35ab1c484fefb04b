// Reminders and escalations of an open task, computed from its config.
import { describe, expect, it } from "vitest";
import type { EscalateTo, Reminder } from "#schema/task.ts";
import { taskWatch, type WatchedTask } from "#services/tasks/task-watch.ts";

const MADE = Date.UTC(2026, 0, 5, 9);
const hour = 60 * 60_000;
const day = 24 * hour;
const DUE = MADE + 3 * day;

const watched = (part: Partial<WatchedTask>, now = MADE) =>
  taskWatch({ createdAt: MADE, dueAt: DUE, isEscalated: false, ...part }, now);

describe("the first reminder", () => {
  it.each<[Reminder, number]>([
    [{ after: "P1D" }, MADE + day],
    [{ before: "P1D" }, DUE - day],
    [{ before: "+P1D" }, DUE - day],
    [{ every: "PT8H" }, MADE + 8 * hour],
    [{ after: "PT1H", every: "PT8H" }, MADE + hour],
    [{ before: "PT1H", every: "PT8H" }, DUE - hour],
  ])("%j", (reminder, at) => {
    expect(watched({ reminder }).remind).toMatchObject({ at, given: 0 });
  });

  it("follows the calendar of its zone", () => {
    const createdAt = Date.UTC(2026, 2, 28, 11);
    const { remind } = watched({ reminder: { after: "P1D" }, timezone: "Europe/Zurich", createdAt }, createdAt);
    expect(remind?.at).toBe(createdAt + 23 * hour);
  });

  it.each<[string, Partial<WatchedTask>]>([
    ["without one", {}],
    ["counted back from a due date that was taken away", { reminder: { before: "P1D" }, dueAt: null }],
    ["beyond what the calendar holds", { reminder: { after: "P399Y" }, createdAt: Date.UTC(2400, 0, 1) }],
  ])("there is none %s", (_when, part) => {
    expect(watched(part).remind).toBeNull();
  });
});

describe("reminders", () => {
  it.each<[Reminder, { everyMs: number | null; left: number }]>([
    [{ after: "P1D" }, { everyMs: null, left: 1 }],
    [{ every: "P1D" }, { everyMs: day, left: 3 }],
    [
      { every: "P1D", times: 7 },
      { everyMs: day, left: 7 },
    ],
  ])("%j come as often as it says", (reminder, expected) => {
    expect(watched({ reminder }).remind).toMatchObject(expected);
  });

  it.each<[Reminder, number, object | null]>([
    [{ every: "P1D" }, MADE + day, { at: MADE + 2 * day, given: 1, left: 2 }],
    [{ every: "P1D" }, MADE + 2 * day + 1, { at: MADE + 3 * day, given: 2, left: 1 }],
    [{ every: "P1D" }, MADE + 3 * day, null],
    [{ after: "P1D" }, MADE + day, null],
    [{ before: "P5D", every: "P1D", times: 4 }, MADE, { at: MADE + day, given: 3, left: 1 }],
    [{ before: "P5D" }, MADE, null],
  ])("%j that have passed have passed", (reminder, now, expected) => {
    const { remind } = watched({ reminder }, now);
    if (expected === null) expect(remind).toBeNull();
    else expect(remind).toMatchObject(expected);
  });
});

describe("an escalation", () => {
  it.each<[EscalateTo, number]>([
    [{ assignee: "grace" }, DUE],
    [{ assignee: "grace", after: "PT1H" }, MADE + hour],
  ])("%j", (escalateTo, at) => {
    expect(watched({ escalateTo }).escalateAt).toBe(at);
  });

  it("is absent without a config, without a due date to count from, and after an escalation", () => {
    expect(watched({}).escalateAt).toBeNull();
    expect(watched({ escalateTo: { assignee: "grace" }, dueAt: null }).escalateAt).toBeNull();
    expect(watched({ escalateTo: { assignee: "grace" }, isEscalated: true }).escalateAt).toBeNull();
  });
});
