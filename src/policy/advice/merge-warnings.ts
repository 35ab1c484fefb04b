// Merged warnings: the same warning at several places is listed once, with all its places.
import type { Change, Warning } from "#schema/refusal.ts";

/** Merges warnings that differ only in place and patch. The merged patch changes all places. */
export function mergeWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const groups = Map.groupBy(warnings, keyOf);
  return [...groups.values()].flatMap((group) => group.slice(0, 1).map((first) => merged(first, group)));
}

/**
 * Returns the same key for warnings that may be merged. A patch that adds or removes parts stays separate, because the
 * positions in a list change when it is applied.
 */
function keyOf({ pointer, severity, code, message, fix, patch = [] }: Warning): string {
  const isMergeable = patch.every(({ op }) => op === "replace");
  return JSON.stringify([severity, code, message, fix, patch.length > 0, isMergeable ? null : [pointer, patch]]);
}

function merged(first: Warning, group: readonly Warning[]): Warning {
  const places = [...new Set(group.map(({ pointer }) => pointer))];
  const patch = uniqueChanges(group.flatMap((each) => each.patch ?? []));
  return { ...first, ...(places.length === 1 ? {} : { places }), ...(first.patch === undefined ? {} : { patch }) };
}

function uniqueChanges(changes: readonly Change[]): readonly Change[] {
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
