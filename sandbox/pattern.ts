// Path patterns: exact (`/sink/a`) or everything below (`/sink/a/*`). Used by scripts and by all filters. Pure.

/** Printable ASCII without `?`, `#` and a `*` other than the last: the form of a path in a URL. */
export const isPattern = (text: string) =>
  /^\/((?![?#*])[!-~])*$/.test(text.replace(/\/\*$/, "/")) && !/^\/(quick|_control)(\/|$)/.test(text);

export function matches(pattern: string, path: string): boolean {
  const { low, high } = rangeOf(pattern);
  return low <= path && path <= high;
}

/** A pattern as a text range, so that SQL can use an index with BETWEEN. */
export function rangeOf(pattern = "/*"): { low: string; high: string } {
  if (!pattern.endsWith("*")) return { low: pattern, high: pattern };
  const prefix = pattern.slice(0, -1);
  // A request path is percent-encoded ASCII, so nothing after the prefix sorts above this.
  return { low: prefix, high: `${prefix}\u{ffff}` };
}
