// Local times of a zone: what the clock shows at an instant, and whether a clock change affects it. A calendar needs
// thousands of instants in few zones. Offsets are therefore cached for spans without a clock change.
import {
  changeBetween,
  offsetAt,
  offsetText,
  OFFSETS_SPAN_MS,
  steadyOffset,
  type ClockChange,
} from "../calendar/zone.ts";

export type LocalTime = {
  /** What the clock shows, as ISO 8601 without an offset: 2026-03-29T03:30:00. */
  readonly local: string;
  readonly utcOffset: string;
  /**
   * gap: the clock skipped the hour before, so this local time may be a shifted one. fold: the clock shows this local
   * time twice.
   */
  readonly dst: ClockChange;
};

export type Clocks = (at: number, timezone: string) => LocalTime;

/** The local time at an instant. The offset usually comes from the cache, unless a clock change is near. */
export const clocks: Clocks = (at, timezone) => {
  const steady = steadyOffset(timezone, at);
  return steady === null ? exactLocalTime(at, timezone) : localTimeOf(at, steady, "none");
};

/** The local time at an instant, computed without the cache, so that it is exact near a clock change. */
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
