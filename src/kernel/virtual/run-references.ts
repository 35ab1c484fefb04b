// References to runs in tests and assumptions: by action, and for an item of an `each` node also by its index.
import type { Run } from "#schema/engine/run.ts";

/** The index of the run's item in its `each` node; null for a run of another action. */
export function itemOf({ given }: Pick<Run, "given">): number | null {
  const index = given?.["index"];
  return typeof index === "number" ? index : null;
}

/** The references that mean the run, the most exact one first. */
export function referencesOf(action: string, item: number | null): readonly string[] {
  return item === null ? [action] : [`${action}/${item}`, action];
}
