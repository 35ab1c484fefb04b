// Collects the attempts of an execution and their results from its journal, page by page. An entry may lack fields of
// its run that earlier entries contained, so `AttemptCollection` keeps these fields between pages.
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Json, JsonObject } from "#schema/json.ts";

export type AttemptRecord = {
  readonly run: string;
  readonly attempt: number;
  readonly error: ActionError | null;
  readonly result: Json;
  /** How long the runner took, in milliseconds; null if unknown. */
  readonly tookMs: number | null;
  /** When the journal recorded the attempt's end, in epoch ms. */
  readonly at: number;
  /**
   * The rendered config of the attempt; null if it was never rendered, or if the pages read so far do not contain it.
   */
  readonly config: JsonObject | null;
};

/** The fields of a run that the entries read so far contain. */
type RunFields = { readonly action?: string; readonly config?: JsonObject; readonly attempt?: number };
export type AttemptCollection = {
  readonly runs: Map<string, RunFields>;
  /**
   * The attempts whose outcome is already collected, as `<seq>/<run>`. Further entries of the same run with the same
   * seq describe the same outcome.
   */
  readonly settled: Set<string>;
};

export function openAttemptCollection(): AttemptCollection {
  return { runs: new Map(), settled: new Set() };
}

/** Returns the attempts that end in these entries. Adds the fields of their runs to `collection`. */
export function attemptsIn(entries: readonly JournalEntry[], collection: AttemptCollection): readonly AttemptRecord[] {
  return entries.flatMap((entry) => {
    switch (entry.kind) {
      case "run_created":
        addFields(collection, entry.run, { action: entry.action });
        return [];
      case "run_claimed":
        addFields(collection, entry.run, {
          attempt: entry.attempt,
          ...(entry.config === null ? {} : { config: entry.config }),
        });
        return [];
      case "run_settled": {
        collection.settled.add(`${entry.seq}/${entry.run}`);
        const { outcome, run, attempt, at } = entry;
        const end = outcome.ok ? { error: null, result: outcome.result } : { error: outcome.error, result: null };
        return [
          { run, attempt, at, ...end, tookMs: outcome.endedAt - outcome.startedAt, config: configOf(collection, run) },
        ];
      }
      case "run_retry":
        return unsettledAttempt(collection, entry, entry.attempt);
      case "run_failed":
        addFields(collection, entry.run, { action: entry.action });
        return unsettledAttempt(collection, entry, collection.runs.get(entry.run)?.attempt ?? 0);
    }
    return [];
  });
}

type EndEntry = Extract<JournalEntry, { kind: "run_retry" | "run_failed" }>;

/**
 * Returns an attempt that ended without an outcome: its deadline passed, its message was undeliverable, or its config
 * could not be rendered.
 */
function unsettledAttempt(
  collection: AttemptCollection,
  { seq, run, at, error }: EndEntry,
  attempt: number,
): readonly AttemptRecord[] {
  if (collection.settled.has(`${seq}/${run}`)) return [];
  return [{ run, attempt, at, error, result: null, tookMs: null, config: configOf(collection, run) }];
}

function addFields({ runs }: AttemptCollection, run: string, fields: RunFields): void {
  runs.set(run, { ...runs.get(run), ...fields });
}

function configOf({ runs }: AttemptCollection, run: string): JsonObject | null {
  return runs.get(run)?.config ?? null;
}
