// Dedup keys: finds a cell's actions with the same dedup key. The digest in their ids identifies the key, the time
// after it their order.
import { DEDUP_LATEST_MAX } from "#schema/limits/idempotency-keys.ts";
import { dedupDigest } from "#schema/ids.ts";

export type DedupKeys = {
  readonly add: (execution: string) => void;
  readonly remove: (execution: string) => void;
  /** Executions with the dedup key of this one's id, the latest first. */
  readonly latest: (execution: string) => readonly string[];
};

export function openDedupKeys(executions: Iterable<string>): DedupKeys {
  const byDigest = new Map<string, string[]>();
  const add = (execution: string): void => {
    const digest = dedupDigest(execution);
    if (digest === null) return;
    const others = byDigest.get(digest) ?? [];
    if (others.includes(execution)) return;
    const at = others.findIndex((other) => other < execution);
    others.splice(at < 0 ? others.length : at, 0, execution);
    byDigest.set(digest, others);
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
