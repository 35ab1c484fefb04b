// Limits by key as API objects.
import type { KeyUse } from "#schema/key-limits/calls.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiReleasedLimit, ApiLimitUse } from "./shape.ts";

type View = {
  readonly name: string;
  readonly key: string;
  readonly of: "runs" | "starts";
  readonly use: KeyUse | null;
};

/** A key that is not stored has no use. */
export function presentLimitUse({ name, key, of, use }: View): ApiLimitUse {
  if (use === null) {
    const none = { concurrency: null, inUse: [], waiting: 0, next: [], counted: null, debouncing: null, nextAt: null };
    return { name, key, of, ...none };
  }
  const { terms, inUse, waiting, next, counted, debouncing, nextAt } = use;
  return {
    name,
    key,
    of,
    concurrency: terms.singleton === undefined ? (terms.concurrency ?? null) : 1,
    inUse: inUse.map(presentRun),
    waiting,
    next: next.map(presentRun),
    counted,
    debouncing: debouncing && { ...runIn(debouncing.run), until: toInstant(debouncing.until) },
    nextAt: toInstant(nextAt),
  };
}

export function presentReleased({ dryRun, ...view }: View & { readonly dryRun: boolean }): ApiReleasedLimit {
  return { dryRun, released: presentLimitUse(view) };
}

function presentRun({ run, since, until }: KeyUse["inUse"][number]) {
  return { ...runIn(run), since: toInstant(since), until: toInstant(until) };
}

/** A run is stored by its idempotency key, `<execution>/<run>`. A start is stored by the id of its execution. */
function runIn(key: string): { readonly execution: string; readonly run: string | null } {
  const [execution = "", run = null] = key.split("/");
  return { execution, run };
}
