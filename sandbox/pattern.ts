// Path patterns: one path (`/sink/a`), or all paths below a prefix (`/sink/a/*`). Scripts and filters use them. Pure.

/** Accepts printable ASCII without `?` and `#`, and without `*` except at the end: the form of a path in a URL. */
export const isPattern = (text: string) =>
  /^\/((?![?#*])[!-~])*$/.test(text.replace(/\/\*$/, "/")) && !/^\/(quick|_control)(\/|$)/.test(text);

export function matches(pattern: string, path: string): boolean {
  const { low, high } = rangeOf(pattern);
  return low <= path && path <= high;
}

/** Returns the pattern as a text range, so that SQL can use an index with BETWEEN. */
export function rangeOf(pattern = "/*"): { low: string; high: string } {
  if (!pattern.endsWith("*")) return { low: pattern, high: pattern };
  const prefix = pattern.slice(0, -1);
  // A request's path is percent-encoded ASCII, so no path below the prefix sorts after this.
  return { low: prefix, high: `${prefix}\u{ffff}` };
}
