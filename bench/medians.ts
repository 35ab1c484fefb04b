// Medians: combines the rows of several rounds into one row.
import { median } from "./meter.ts";
import type { Row } from "./row.ts";

/** Takes the median of each numeric field. Other fields come from the first row. */
export function mediansOf(found: readonly Row[]): Row {
  const [first] = found;
  if (first === undefined) throw new Error("nothing was measured");
  const merged = Object.entries(first).map(([name, value]) => {
    const values = found.map((row) => row[name as keyof Row]).filter((each) => typeof each === "number");
    return [name, typeof value === "number" ? median(values) : value];
  });
  return Object.fromEntries(merged) as Row; // the fields are those of a Row
}
