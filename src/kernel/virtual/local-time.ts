// What the clocks of a zone show at an instant, and whether a change of the clocks touches that reading. A calendar asks
// for very many instants of few zones: offsets are remembered by stretches in which no clock is moved.
import {
  changeBetween,
  CHANGES_APART_MS,
  offsetAt,
  offsetText,
  OFFSETS_SPAN_MS,
  type Touch,
} from "../calendar/zone.ts";

export type LocalTime = {
  /** 2026-03-29T03:30:00 */
  readonly local: string;
  readonly utcOffset: string;
  /** gap: the reading may be of an hour that was jumped over, and so is shifted. fold: it comes twice. */
  readonly dst: Touch;
};

/** With what lies around it no longer than clocks are left alone. */
const STRETCH_MS = CHANGES_APART_MS - 2 * OFFSETS_SPAN_MS;
/** Zones times stretches that are remembered; a year of a zone is some sixty. */
const STRETCHES_MAX = 20_000;

export type Clocks = (at: number, timezone: string) => LocalTime;

/** What it remembers lasts as long as whoever asks for it keeps it. */
export function openClocks(stretchesMax = STRETCHES_MAX): Clocks {
  // The offset all through a stretch; null where the clocks are moved in it, or near its ends.
  const known = new Map<string, number | null>();
  return (at, timezone) => {
    const stretch = Math.floor(at / STRETCH_MS);
    const key = `${timezone}/${stretch}`;
    let steady = known.get(key);
    if (steady === undefined) {
      const start = stretch * STRETCH_MS;
      const before = offsetAt(timezone, start - OFFSETS_SPAN_MS);
      const isSteady = before === offsetAt(timezone, start + STRETCH_MS + OFFSETS_SPAN_MS);
      steady = isSteady ? before : null;
      if (known.size < stretchesMax) known.set(key, steady);
    }
    return steady === null ? closely(at, timezone) : shown(at, steady, "none");
  };
}

function closely(at: number, timezone: string): LocalTime {
  const offset = offsetAt(timezone, at);
  return shown(at, offset, touchOf(at, timezone, offset));
}

function touchOf(at: number, timezone: string, offset: number): Touch {
  const [start, end] = [at - OFFSETS_SPAN_MS, at + OFFSETS_SPAN_MS];
  const [old, anew] = [offsetAt(timezone, start), offsetAt(timezone, end)];
  if (old === anew) return "none";
  const change = changeBetween(timezone, start, end, old);
  const isNear = at >= change - Math.max(0, old - anew) && at < change + Math.abs(old - anew);
  if (!isNear) return "none";
  if (old < anew) return "gap";
  return offset === old ? "fold_first" : "fold_second";
}

function shown(at: number, offset: number, dst: Touch): LocalTime {
  return { local: new Date(at + offset).toISOString().slice(0, 19), utcOffset: offsetText(offset), dst };
}
