// Searches: comparisons with search variables, as a query writes them and as the catalog evaluates them.
export const comparisons = ["eq", "gt", "gte", "lt", "lte"] as const;
export type Comparison = (typeof comparisons)[number];

/** A comparison with a search variable. Dates are epoch milliseconds. */
export type VariableFilter = {
  readonly name: string;
  readonly comparison: Comparison;
  readonly value: string | number;
};

/** A comparison as a query writes it: `var.total.gte=100`. `parameter`: the name of the query parameter. */
export type WrittenFilter = {
  readonly parameter: string;
  readonly name: string;
  readonly comparison: Comparison;
  readonly text: string;
};

const WRITTEN = /^var\.([A-Za-z_][A-Za-z0-9_]*)(?:\.(gt|gte|lt|lte))?$/;

/** Reads the name of a query parameter; null if it is no comparison with a search variable. */
export function readParameter(parameter: string): Pick<WrittenFilter, "name" | "comparison"> | null {
  const [, name, comparison] = WRITTEN.exec(parameter) ?? [];
  if (name === undefined) return null;
  return { name, comparison: comparisons.find((each) => each === comparison) ?? "eq" };
}
