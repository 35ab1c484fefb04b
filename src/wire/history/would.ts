// What a dry run shows of what would be done: the entries that the history would gain and what would be sent, as far as an answer
// holds them. What credentials there are in entries are blotted out as in the journal itself.
import type { Reply } from "#schema/engine/cell.ts";
import type { Effect } from "#schema/engine/effect.ts";
import { WOULD_BYTES_MAX } from "#schema/limits/explaining.ts";
import { presentEntry } from "./present-entry.ts";
import type { ApiEffect, ApiEntry, ApiWould } from "./shape.ts";

/** Nothing of an answer that is none of a dry run's. `entries` stood alone before there was `would`. */
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

/** Of what goes out, which action's it is. */
function presentEffect({ runs }: Reply["state"], effect: Effect): ApiEffect {
  const run = "run" in effect ? runs.find(({ id }) => id === effect.run) : undefined;
  return { ...effect, ...(run === undefined ? {} : { action: run.action, type: run.type }) };
}

/** As many from the first on as there is room for. */
function withinBytes<Item>(items: readonly Item[]): Item[] {
  let left = WOULD_BYTES_MAX;
  const over = items.findIndex((item) => (left -= bytesOf(item)) < 0);
  return over < 0 ? [...items] : items.slice(0, over);
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength;
}
