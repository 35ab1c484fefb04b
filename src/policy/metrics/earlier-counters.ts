// Reads the counters by action type that an earlier version has stored with its days, such as `webhook/ok`.
import { OTHER, type CounterGroups } from "#schema/metrics/counter-names.ts";

/** Converts the counters to groups. Days of this version have none. */
export function earlierCounters(byType: { readonly [name: string]: number }): CounterGroups {
  const groups: { [group: string]: { [name: string]: number } } = {};
  for (const [name, n] of Object.entries(byType)) {
    const type = name.slice(0, name.indexOf("/"));
    const counter = name.slice(type.length + 1);
    const group = (groups[`${type}/${OTHER}/${OTHER}`] ??= {});
    for (const [to, sign] of RENAMED[counter] ?? []) group[to] = (group[to] ?? 0) + sign * n;
    // A bucket n ended where the bucket n - 1 ends now.
    if (counter.startsWith("took/")) group[`took/${Number(counter.slice(5)) - 1}`] = n;
  }
  return groups;
}

/** `runs` counted all ends, and the failures are what remains without successes and refusals. */
const RENAMED: { readonly [name: string]: readonly (readonly [string, 1 | -1])[] } = {
  runs: [
    ["failed", 1],
    ["tried", 1],
  ],
  ok: [
    ["ok", 1],
    ["failed", -1],
  ],
  refused: [
    ["refused", 1],
    ["failed", -1],
  ],
  retried: [["retried", 1]],
  attempts: [
    ["attempts", 1],
    ["tries", 1],
  ],
  timeouts: [["timeouts", 1]],
  ms: [["took/sum", 1]],
};
