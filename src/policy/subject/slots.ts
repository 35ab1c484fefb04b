// Decides whether the caps of a subject allow another action now, and if not, when. A slot belongs to a run and not to
// an attempt. A run therefore uses one slot, however often it is attempted.
import { Temporal } from "temporal-polyfill";
import { CAP_DAY_KEPT_MS, CAP_MAX } from "#schema/limits/subjects/subject-rows.ts";
import type { CapRow, CapUse, CapWindow, Slot, SlotRequest } from "#schema/subject/cap.ts";

export type SlotResult = {
  /** The row to store; null if it has not changed. */
  readonly row: CapRow | null;
  readonly answer: Slot;
};

/** Assigns a slot to the run of the request. If no slot is free, returns when the cap allows another action. */
export function takeSlot(stored: CapRow | null, ask: SlotRequest, now: number): SlotResult {
  const { cap, max, window, key } = ask;
  // Two definitions may count the same cap over different periods. The row therefore keeps its slots for the longest of
  // these periods.
  const keepMs = Math.max(stored?.keepMs ?? 0, keepMsOf(window));
  const before = (stored?.taken ?? []).filter(({ at }) => at > now - keepMs);
  const others = before.filter((each) => each.key !== key);
  const own = before.find((each) => each.key === key);
  const isNew = own === undefined;
  const counted = countedIn(window, before, now);
  // A run that already has a slot keeps it, even if the cap is full. Its slot then counts for the latest attempt.
  if (isNew && counted.length >= max)
    return { row: null, answer: { ok: false, opensAt: opensAt(window, counted, max, now) } };
  const taken = [...others, { key, at: now, times: isNew ? 1 : own.times + 1 }].slice(-CAP_MAX);
  return { row: { v: 1, cap, max, window, keepMs, taken }, answer: { ok: true, isNew } };
}

/**
 * Returns the row without the run's slot. null if the run has no slot. Also null if a later attempt uses the slot,
 * because that attempt may have sent its message.
 */
export function releaseCapSlot(row: CapRow | null, key: string): CapRow | null {
  if (row === null || !row.taken.some((each) => each.key === key && each.times === 1)) return null;
  return { ...row, taken: row.taken.filter((each) => each.key !== key) };
}

/** Returns the use of the cap, for API responses. */
export function viewCap({ cap, max, window, taken }: CapRow, now: number): CapUse {
  const counted = countedIn(window, taken, now);
  const isFull = counted.length >= max;
  return { cap, max, window, used: counted.length, opensAt: isFull ? opensAt(window, counted, max, now) : null };
}

/** Returns whether none of the slots in the row counts any more. */
export function isExpired({ taken, keepMs }: CapRow, now: number): boolean {
  return taken.every(({ at }) => at <= now - keepMs);
}

function keepMsOf(window: CapWindow): number {
  switch (window.kind) {
    case "rolling":
      return window.ms;
    case "day":
      return CAP_DAY_KEPT_MS;
  }
}

function countedIn(window: CapWindow, taken: CapRow["taken"], now: number): CapRow["taken"] {
  switch (window.kind) {
    case "rolling":
      return taken.filter(({ at }) => at > now - window.ms);
    case "day": {
      const from = midnight(window.timezone, now, 0);
      return taken.filter(({ at }) => at >= from);
    }
  }
}

/**
 * Returns the instant in epoch ms at which the window allows another action. Enough of the oldest slots have then
 * expired.
 */
function opensAt(window: CapWindow, counted: CapRow["taken"], max: number, now: number): number {
  switch (window.kind) {
    case "rolling":
      return Math.min(...counted.slice(-max).map(({ at }) => at)) + window.ms;
    case "day":
      return midnight(window.timezone, now, 1);
  }
}

/**
 * Returns the start of a day, in epoch ms. If a clock change skips midnight, the day starts at the first instant after
 * the change.
 */
function midnight(timezone: string, now: number, daysOn: number): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate();
  return today.add({ days: daysOn }).toZonedDateTime(timezone).epochMilliseconds;
}
