// Dry-run results: the journal entries and effects that an input would cause. Both lists are cut at the largest size of
// an answer. Credentials in entries are redacted as in the journal.
import type { Reply } from "#schema/engine/cell.ts";
import type { Effect } from "#schema/engine/effect.ts";
import { DRY_RUN_BYTES_MAX } from "#schema/limits/planning/explanation-sizes.ts";
import { presentEntry } from "./present-entry.ts";
import type { ApiEffect, ApiEntry, ApiWould } from "./shape.ts";

/**
 * Presents the entries and effects of a dry run. Returns an empty object if the reply is not of a dry run. `entries`
 * repeats `would.entries` for older clients.
 */
export function presentWould({ entries, effects = [], state }: Reply): {
  readonly entries?: ApiEntry[];
  readonly would?: ApiWould;
} {
  if (entries === undefined) return {};
  const told = withinBytes(entries.map(presentEntry));
  const done = withinBytes(effects.map((effect) => presentEffect(state, effect)));
  const leftOut = { entries: entries.length - told.length, effects: effects.length - done.length };
  return { entries: told, would: { entries: told, effects: done, leftOut } };
}

/** Presents an effect. If the effect concerns a run, the result contains the run's action. */
function presentEffect({ runs }: Reply["state"], effect: Effect): ApiEffect {
  const run = "run" in effect ? runs.find(({ id }) => id === effect.run) : undefined;
  return { ...effect, ...(run === undefined ? {} : { action: run.action, type: run.type }) };
}

/** Returns the first items, as many as fit into an answer together. */
function withinBytes<Item>(items: readonly Item[]): Item[] {
  let left = DRY_RUN_BYTES_MAX;
  const over = items.findIndex((item) => (left -= bytesOf(item)) < 0);
  return over < 0 ? [...items] : items.slice(0, over);
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength;
}
