// Heads kept parsed, the ones lately in use: a sleeping execution beyond these costs only its place in the index.
import { HEADS_CACHED_MAX } from "#schema/limits/objects.ts";
import type { Head } from "../storage.ts";

export type HeadCache = {
  readonly get: (execution: string) => Head | undefined;
  readonly keep: (head: Head) => void;
  readonly forget: (execution: string) => void;
};

export function openHeadCache(): HeadCache {
  const heads = new Map<string, Head>();
  return {
    get: (execution) => heads.get(execution),
    keep: (head) => {
      heads.delete(head.state.id);
      heads.set(head.state.id, head);
      if (heads.size > HEADS_CACHED_MAX) heads.delete(heads.keys().next().value ?? head.state.id);
    },
    forget: (execution) => void heads.delete(execution),
  };
}
