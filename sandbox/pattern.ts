// Path patterns: a pattern names one path (`/sink/a`) or all paths below a prefix (`/sink/a/*`). Scripts and request
// filters use patterns. Pure.

/** Accepts the form of a path in a URL: printable ASCII without `?` and `#`, and with `*` only at the end. */
export const isPattern = (text: string) =>
  /^\/((?![?#*])[!-~])*$/.test(text.replace(/\/\*$/, "/")) && !/^\/(quick|_control)(\/|$)/.test(text);

export function matches(pattern: string, path: string): boolean {
  const { low, high } = rangeOf(pattern);
  return low <= path && path <= high;
}

/** Returns the range of paths that the pattern matches, as two texts for BETWEEN, so that SQL can use an index. */
export function rangeOf(pattern = "/*"): { low: string; high: string } {
  if (!pattern.endsWith("*")) return { low: pattern, high: pattern };
  const prefix = pattern.slice(0, -1);
  // The upper end of the range. A request's path is percent-encoded ASCII, so every path below the prefix sorts before
  // this text.
  return { low: prefix, high: `${prefix}\u{ffff}` };
}
