// The zones of the host's database and their clock changes, computed with Intl only. Shares no code with the tested
// calendar.

const DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

export const zones: readonly string[] = [...Intl.supportedValuesOf("timeZone"), "US/Eastern"];

/** Milliseconds that a zone's clocks are ahead of UTC. */
export function aheadAt(zone: string, at: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    formats.set(zone, format);
  }
  const [, sign, hours, minutes, seconds = "0"] = /GMT([+-])(\d\d):(\d\d):?(\d\d)?$/.exec(format.format(at)) ?? [];
  if (sign === undefined) return 0;
  const ahead = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000;
  return sign === "-" ? -ahead : ahead;
}

export type Change = { readonly zone: string; readonly at: number; readonly old: number; readonly anew: number };

/** All clock changes between two years, to the second. A change that is reversed within `everyMs` is not found. */
export function changesOf(zone: string, fromYear: number, toYear: number, everyMs = DAY): readonly Change[] {
  const changes: Change[] = [];
  let old = aheadAt(zone, Date.UTC(fromYear, 0, 1));
  for (let at = Date.UTC(fromYear, 0, 1); at < Date.UTC(toYear, 0, 1); at += everyMs) {
    const anew = aheadAt(zone, at + everyMs);
    if (anew === old) continue;
    let [low, high] = [at, at + everyMs];
    while (high - low > 1_000) {
      const middle = low + Math.floor((high - low) / 2_000) * 1_000;
      if (aheadAt(zone, middle) === old) low = middle;
      else high = middle;
    }
    changes.push({ zone, at: high, old, anew });
    old = anew;
  }
  return changes;
}
