// Tests how figures are grouped, and which hours a query reads.
import { describe, expect, it, test } from "vitest";
import { figureRanges } from "#policy/metrics/figure-range.ts";
import { groupFigures, type CountedRow } from "#policy/metrics/group-figures.ts";
import { HOUR_MS } from "#schema/limits/upkeep/statistics.ts";

const rows: readonly CountedRow[] = [
  {
    at: 0,
    definition: "order",
    version: 1,
    groups: {
      "": { started: 3, completed: 2, "lasted/15": 2, "lasted/sum": 4 },
      "webhook/pay/": { ok: 4, failed: 1 },
      "email/mail/smtp": { ok: 2 },
    },
  },
  {
    at: HOUR_MS,
    definition: "order",
    version: 2,
    groups: { "webhook/pay/": { ok: 1 }, "": { started: 1, failed: 1 } },
  },
  { at: HOUR_MS, definition: "mail", version: 1, groups: { "email/mail/smtp": { ok: 20 }, "": { canceled: 1 } } },
];
const query = { groupBy: [], filters: {}, groupsMax: 10 } as const;

describe("groups of figures", () => {
  test("without dimensions are one, with a point per hour", () => {
    const { groups, other } = groupFigures(rows, query);
    expect(other).toBeNull();
    expect(groups).toMatchObject([
      {
        key: {},
        figures: { total: 28, outcomes: { ok: 27, failed: 1 } },
        executions: { started: 4, completed: 2, failed: 1, canceled: 1, duration: { count: 2, average: 2 } },
        points: [
          { at: 0, figures: { total: 7 } },
          { at: HOUR_MS, figures: { total: 21 } },
        ],
      },
    ]);
  });

  test("by definition and version have the executions of each; the largest is first", () => {
    const { groups } = groupFigures(rows, { ...query, groupBy: ["definition", "version"] });
    expect(groups.map(({ key, figures, executions }) => [key, figures.total, executions?.started])).toEqual([
      [{ definition: "mail", version: 1 }, 20, 0],
      [{ definition: "order", version: 1 }, 7, 3],
      [{ definition: "order", version: 2 }, 1, 1],
    ]);
  });

  it.each([
    ["type", [{ type: "email" }, { type: "webhook" }]],
    ["action", [{ action: "mail" }, { action: "pay" }]],
    ["connection", [{ connection: "smtp" }, { connection: null }]],
  ] as const)("by %s have no executions", (dimension, keys) => {
    const { groups } = groupFigures(rows, { ...query, groupBy: [dimension] });
    expect(groups.map(({ key }) => key)).toEqual(keys);
    expect(groups.map(({ executions }) => executions)).toEqual([null, null]);
  });

  test("by outcome have the number of runs", () => {
    const { groups } = groupFigures(rows, { ...query, groupBy: ["definition", "outcome"] });
    expect(groups.map(({ key, figures }) => [key, figures.total])).toEqual([
      [{ definition: "mail", outcome: "ok" }, 20],
      [{ definition: "order", outcome: "ok" }, 7],
      [{ definition: "order", outcome: "failed" }, 1],
    ]);
  });

  it.each([
    [{ definition: "mail" }, 20, 0],
    [{ version: 2 }, 1, 1],
    [{ type: "email" }, 22, undefined],
    [{ action: "pay" }, 6, undefined],
    [{ connection: "smtp", definition: "order" }, 2, undefined],
    [{ connection: null }, 6, undefined],
  ])("match the filter %j", (filters, total, started) => {
    const [group] = groupFigures(rows, { ...query, filters }).groups;
    expect([group?.figures.total, group?.executions?.started]).toEqual([total, started]);
  });

  test("beyond the maximum are added up", () => {
    const { groups, other } = groupFigures(rows, { ...query, groupBy: ["definition", "version"], groupsMax: 1 });
    expect(groups).toHaveLength(1);
    expect(other).toMatchObject({ groups: 2, figures: { total: 8, outcomes: { ok: 7, failed: 1 } } });
    expect(groupFigures([], query)).toEqual({ groups: [], other: null });
  });
});

describe("the range of a query", () => {
  const day = 24 * HOUR_MS;
  const now = 100 * day + 13.5 * HOUR_MS;
  const asked = { now, from: null, to: null, span: "none", isCompared: false } as const;
  const hour = (of: number, n: number) => of * 24 + n;

  test("is the last 24 hours by default", () => {
    expect(figureRanges(asked)).toEqual({
      range: { step: "hour", fromHour: hour(99, 13), toHour: hour(100, 13) },
      before: null,
    });
  });

  test("that consists of days reads days, also if today has not ended", () => {
    const range = (from: number, to: number) => figureRanges({ ...asked, from: from * day, to: to * day })?.range;
    expect(range(98, 100)).toEqual({ step: "day", fromHour: hour(98, 0), toHour: hour(99, 23) });
    expect(figureRanges({ ...asked, from: 98 * day })?.range).toMatchObject({ step: "day", toHour: hour(100, 23) });
    expect(figureRanges({ ...asked, from: 98 * day, to: 99 * day + 1 })?.range.step).toBe("hour");
  });

  test("that is older than the hours reads whole days", () => {
    const old = { ...asked, from: 20 * day + 5, to: 21 * day + 5 };
    expect(figureRanges(old)?.range).toEqual({ step: "day", fromHour: hour(20, 0), toHour: hour(21, 23) });
    expect(figureRanges({ ...old, span: "hour" })).toBeNull();
    expect(figureRanges({ ...asked, from: now - 2 * HOUR_MS, span: "day" })?.range).toMatchObject({ step: "day" });
  });

  test("is compared with the range before, of the same length", () => {
    const compared = figureRanges({ ...asked, from: now - 2 * HOUR_MS, span: "hour", isCompared: true });
    expect(compared).toEqual({
      range: { step: "hour", fromHour: hour(100, 11), toHour: hour(100, 13) },
      before: { step: "hour", fromHour: hour(100, 8), toHour: hour(100, 10) },
    });
    const whole = { ...asked, from: now - 7 * day, isCompared: true };
    expect(figureRanges(whole)?.range.step).toBe("day");
    expect(figureRanges({ ...whole, span: "hour" })).toBeNull();
    expect(figureRanges({ ...whole, span: "hour", isCompared: false })?.range.step).toBe("hour");
  });

  test("must not be empty", () => {
    expect(figureRanges({ ...asked, from: now, to: now })).toBeNull();
  });
});
