// Dedup keys: finds the actions of a cell that have the same dedup key. Their ids contain a digest of the key, and then
// the time of their start.
import { DEDUP_LATEST_MAX } from "#schema/limits/executions.ts";
import { dedupDigest } from "#schema/ids.ts";

export type DedupKeys = {
  readonly add: (execution: string) => void;
  readonly remove: (execution: string) => void;
  /** Returns the executions with the same dedup key as this id, the latest first. */
  readonly latest: (execution: string) => readonly string[];
};

export function openDedupKeys(executions: Iterable<string>): DedupKeys {
  const byDigest = new Map<string, string[]>();
  const add = (execution: string): void => {
    const digest = dedupDigest(execution);
    if (digest === null) return;
    const latestFirst = byDigest.get(digest) ?? [];
    if (latestFirst.includes(execution)) return;
    const firstOlder = latestFirst.findIndex((other) => other < execution);
    latestFirst.splice(firstOlder < 0 ? latestFirst.length : firstOlder, 0, execution);
    byDigest.set(digest, latestFirst);
  };
  for (const execution of executions) add(execution);
  return {
    add,
    remove: (execution) => {
      const digest = dedupDigest(execution);
      if (digest === null) return;
      const others = (byDigest.get(digest) ?? []).filter((other) => other !== execution);
      if (others.length > 0) byDigest.set(digest, others);
      else byDigest.delete(digest);
    },
    latest: (execution) => (byDigest.get(dedupDigest(execution) ?? "") ?? []).slice(0, DEDUP_LATEST_MAX),
  };
}
