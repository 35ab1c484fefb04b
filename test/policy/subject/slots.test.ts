// Tests the caps of a subject: how many runs pass, when the next slot opens, and that a run counts once.
import { describe, expect, test } from "vitest";
import { releaseCapSlot, isExpired, takeSlot, viewCap } from "#policy/subject/slots.ts";
import { CAP_MAX } from "#schema/limits/subjects/subject-rows.ts";
import type { CapRow, CapWindow, SlotRequest } from "#schema/subject/cap.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const T0 = Date.UTC(2026, 0, 5, 9);
const week: CapWindow = { kind: "rolling", ms: 7 * DAY };
const zurich: CapWindow = { kind: "day", timezone: "Europe/Zurich" };

const ask = (key: string, more: Partial<SlotRequest> = {}): SlotRequest => ({
  cap: "gentle",
  max: 3,
  window: week,
  key,
  ...more,
});

function taken(asks: readonly (readonly [SlotRequest, number])[]): CapRow | null {
  return asks.reduce<CapRow | null>((row, [each, at]) => takeSlot(row, each, at).row ?? row, null);
}

const full = taken([
  [ask("a"), T0],
  [ask("b"), T0 + DAY],
  [ask("c"), T0 + 2 * DAY],
]);

describe("a rolling window", () => {
  test("admits as many runs as the cap allows, and names when the next may start", () => {
    expect(full?.taken).toHaveLength(3);
    expect(takeSlot(full, ask("d"), T0 + 3 * DAY)).toEqual({ row: null, answer: { ok: false, opensAt: T0 + 7 * DAY } });
  });

  test("opens when the earliest run leaves it, to the millisecond", () => {
    expect(takeSlot(full, ask("d"), T0 + 7 * DAY - 1).answer.ok).toBe(false);
    const { row, answer } = takeSlot(full, ask("d"), T0 + 7 * DAY);
    expect(answer).toEqual({ ok: true, isNew: true });
    expect(row?.taken.map(({ key }) => key)).toEqual(["b", "c", "d"]);
  });

  test("counts a run once, from its latest attempt", () => {
    const { row, answer } = takeSlot(full, ask("a"), T0 + 3 * DAY);
    expect(answer).toEqual({ ok: true, isNew: false });
    expect(row?.taken).toEqual([
      { key: "b", at: T0 + DAY, times: 1 },
      { key: "c", at: T0 + 2 * DAY, times: 1 },
      { key: "a", at: T0 + 3 * DAY, times: 2 },
    ]);
  });

  test("with a lowered cap waits until enough runs have left", () => {
    expect(takeSlot(full, ask("d", { max: 1 }), T0 + 3 * DAY).answer).toEqual({ ok: false, opensAt: T0 + 9 * DAY });
  });

  test("shorter than another keeps slots that the longer one counts", () => {
    const short = ask("d", { window: { kind: "rolling", ms: HOUR }, max: 1 });
    const row = takeSlot(full, short, T0 + 3 * DAY).row;
    expect(row?.taken).toHaveLength(4);
    expect(takeSlot(row, ask("e"), T0 + 3 * DAY).answer.ok).toBe(false);
  });

  test("without counted slots can be deleted", () => {
    expect(takeSlot(full, ask("d"), T0 + 30 * DAY).row?.taken).toEqual([{ key: "d", at: T0 + 30 * DAY, times: 1 }]);
    expect(isExpired({ ...(full as CapRow) }, T0 + 8 * DAY)).toBe(false); // a row exists, because three slots were taken
    expect(isExpired({ ...(full as CapRow) }, T0 + 9 * DAY)).toBe(true); // a row exists, because three slots were taken
  });

  test("is bounded, whatever happens", () => {
    const many = Array.from({ length: CAP_MAX + 5 }, (_, n) => [ask(`${n}`, { max: CAP_MAX + 10 }), T0 + n] as const);
    expect(taken(many)?.taken).toHaveLength(CAP_MAX);
  });
});

describe("a day window", () => {
  test.each([
    ["opens at the next midnight of its time zone", Date.UTC(2026, 0, 5, 9), Date.UTC(2026, 0, 5, 23)],
    ["is 23 hours long when clocks go forward", Date.UTC(2026, 2, 28, 23, 30), Date.UTC(2026, 2, 29, 22)],
    ["is 25 hours long when clocks go back", Date.UTC(2026, 9, 24, 22, 30), Date.UTC(2026, 9, 25, 23)],
  ])("%s", (_name, now, opensAt) => {
    const row = taken([[ask("a", { window: zurich, max: 1 }), now]]);
    const other = ask("b", { window: zurich, max: 1 });
    expect(takeSlot(row, other, now + HOUR).answer).toEqual({ ok: false, opensAt });
    expect(takeSlot(row, other, opensAt - 1).answer.ok).toBe(false);
    expect(takeSlot(row, other, opensAt).answer.ok).toBe(true);
  });

  test("whose midnight is skipped starts at the first instant after it", () => {
    const now = Date.UTC(2026, 8, 5, 20);
    const santiago: CapWindow = { kind: "day", timezone: "America/Santiago" };
    const row = taken([[ask("a", { window: santiago, max: 1 }), now]]);
    const { answer } = takeSlot(row, ask("b", { window: santiago, max: 1 }), now);
    expect(answer).toEqual({ ok: false, opensAt: Date.UTC(2026, 8, 6, 4) });
  });
});

describe("a released slot", () => {
  test("is free for another run", () => {
    const row = releaseCapSlot(full, "b");
    expect(takeSlot(row, ask("d"), T0 + 3 * DAY).answer.ok).toBe(true);
  });

  test("of a slow attempt stays if a later attempt has used it", () => {
    const again = takeSlot(full, ask("b"), T0 + 3 * DAY).row;
    expect(releaseCapSlot(again, "b")).toBeNull();
  });

  test("released twice, or unknown, changes nothing", () => {
    expect(releaseCapSlot(releaseCapSlot(full, "b"), "b")).toBeNull();
    expect(releaseCapSlot(null, "b")).toBeNull();
  });
});

test("the use of a cap shows when the next slot opens", () => {
  const row = full as CapRow; // a row exists, because three slots were taken
  const shown = { cap: "gentle", max: 3, window: week };
  expect(viewCap(row, T0 + 3 * DAY)).toEqual({ ...shown, used: 3, opensAt: T0 + 7 * DAY });
  expect(viewCap(row, T0 + 7 * DAY)).toEqual({ ...shown, used: 2, opensAt: null });
});
