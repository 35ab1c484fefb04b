// Step cost report: prints the curves as a table with a line per dimension.
import { formatColumns } from "../table.ts";
import type { Curve } from "./curves.ts";

export function curveBlock(curves: readonly Curve[]): string {
  const widest = Math.max(...curves.map(({ points }) => points.length));
  const head = ["", ...Array.from({ length: widest }, (_, n) => (n === 0 ? "µs a step" : "")), "power"];
  const lines = curves.map(({ name, points, power }) => {
    const cells = Array.from({ length: widest }, (_, n) => points[n]).map((point) =>
      point === undefined ? "" : `${point.size}: ${point.micros.toFixed(0)}`,
    );
    return [name, ...cells, power.toFixed(1)];
  });
  const about = "step: microseconds of one step of the kernel as one thing grows (power 1 is linear, 2 quadratic)";
  const legend = curves.map(({ name, title }) => `  ${name}: ${title}`);
  return [about, ...formatColumns([head, ...lines]).map((line) => `  ${line}`), "", ...legend].join("\n");
}
