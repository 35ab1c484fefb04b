// Local times of a zone: the clock reading at an instant, and whether a clock change affects the reading. A calendar
// needs thousands of instants of few zones. Offsets are therefore cached by stretches without a clock change.
import {
  changeBetween,
  offsetAt,
  offsetText,
  OFFSETS_SPAN_MS,
  steadyOffset,
  type ClockChange,
} from "../calendar/zone.ts";

export type LocalTime = {
  /** The clock reading as ISO 8601 without an offset: 2026-03-29T03:30:00. */
  readonly local: string;
  readonly utcOffset: string;
  /** gap: the reading may be shifted, because the clock skipped its hour. fold: the reading occurs twice. */
  readonly dst: ClockChange;
};

export type Clocks = (at: number, timezone: string) => LocalTime;

/** The local time at an instant. If no clock change is near, the offset is usually cached. */
export const clocks: Clocks = (at, timezone) => {
  const steady = steadyOffset(timezone, at);
  return steady === null ? exactLocalTime(at, timezone) : localTimeOf(at, steady, "none");
};

/** The local time at an instant, computed exactly. Near a clock change the result is exact too. */
export function exactLocalTime(at: number, timezone: string): LocalTime {
  const offset = offsetAt(timezone, at);
  return localTimeOf(at, offset, clockChangeAt(at, timezone, offset));
}

function clockChangeAt(at: number, timezone: string, offset: number): ClockChange {
  const [start, end] = [at - OFFSETS_SPAN_MS, at + OFFSETS_SPAN_MS];
  const [old, anew] = [offsetAt(timezone, start), offsetAt(timezone, end)];
  if (old === anew) return "none";
  const change = changeBetween(timezone, start, end, old);
  const isNear = at >= change - Math.max(0, old - anew) && at < change + Math.abs(old - anew);
  if (!isNear) return "none";
  if (old < anew) return "gap";
  return offset === old ? "fold_first" : "fold_second";
}

function localTimeOf(at: number, offset: number, dst: ClockChange): LocalTime {
  return { local: new Date(at + offset).toISOString().slice(0, 19), utcOffset: offsetText(offset), dst };
}
