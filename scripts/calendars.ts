// Calendar comparison: compares the engine's calendar with a brute-force oracle around every clock change of every time
// zone. `npm run calendars`; with other years and more expressions per change: `npm run calendars -- 2020 2035 20`.
import { changesOf, zones } from "#test/kernel/calendar/clock-changes.ts";
import { compareCalendars } from "#test/kernel/calendar/compare-calendars.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const [fromYear = 2024, toYear = 2030, each = 4] = process.argv.slice(2).map(Number);
const begun = performance.now();
const done = { changes: 0, expressions: 0, occurrences: 0 };
let seed = fromYear * 1_000_000;

for (const [index, zone] of zones.entries()) {
  for (const { at } of changesOf(zone, fromYear, toYear)) {
    done.changes += 1;
    for (let n = 0; n < each; n += 1) compare(zone, [at - 30 * HOUR, at + 30 * HOUR]);
  }
  // Also compares sixty days at another date of these years, so that rules with weekdays and months are covered.
  const start = Date.UTC(fromYear + (index % (toYear - fromYear)), index % 12, 1 + (index % 28));
  for (let n = 0; n < each; n += 1) compare(zone, [start, start + 60 * DAY]);
}
const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
console.log(`${zones.length} zones, ${fromYear} to ${toYear}: ${done.changes} changes of clocks,`);
console.log(`${done.expressions} expressions, ${done.occurrences} occurrences alike in ${seconds} s`);

function compare(zone: string, span: readonly [number, number]): void {
  done.occurrences += compareCalendars(seed, zone, span);
  done.expressions += 1;
  seed += 1;
}
