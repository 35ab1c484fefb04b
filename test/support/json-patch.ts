// A JSON Patch (RFC 6902) done to a copy: as much of it as warnings use.
import type { Change } from "#schema/refusal.ts";

/** Whatever the path leads through. */
type Holder = { [name: string]: Holder };

export function patched<T>(document: T, changes: readonly Change[]): T {
  const copy = structuredClone(document);
  for (const change of changes) {
    const names = change.path
      .split("/")
      .slice(1)
      .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = names.pop() ?? "";
    const holder = names.reduce<Holder | undefined>((at, name) => at?.[name], copy as Holder);
    if (holder === undefined || (change.op !== "add" && !(last in holder)))
      throw new Error(`nothing at ${change.path}`);
    if (Array.isArray(holder)) {
      const added = change.op === "remove" ? [] : [change.value as never];
      holder.splice(last === "-" ? holder.length : Number(last), change.op === "add" ? 0 : 1, ...added);
    } else if (change.op === "remove") delete holder[last];
    else holder[last] = change.value as never;
  }
  return copy;
}
