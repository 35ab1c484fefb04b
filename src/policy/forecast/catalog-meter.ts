// The rows that the catalog writes of one execution as it is told of it: its own, those of its runs, and of each index that
// says something new. What is told within the time that a batch is waited for is written once.
import { nextWake } from "#kernel/execution/clock.ts";
import { isFinalRun, waitsForPerson } from "#schema/engine/run.ts";
import { nextUp } from "#schema/engine/next-up.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { CATALOG_BATCH_MS } from "#schema/limits/platform-costs.ts";

export type CatalogMeter = {
  readonly told: (state: ExecutionState, at: number) => void;
  /** The rows in all, and when such were written as say how runs ended: those share a row with all of their tenant's. */
  readonly counts: () => { readonly rows: number; readonly endedAt: readonly number[] };
};

type Batch = { readonly at: number; state: ExecutionState };

export function openCatalogMeter(): CatalogMeter {
  let rows = 0;
  let batch: Batch | null = null;
  let entries: ReadonlySet<string> = new Set();
  const ended = new Set<string>();
  const endedAt: number[] = [];

  const write = ({ at, state }: Batch): void => {
    const anew = indexEntries(state, at);
    rows += 1 + [...anew].filter((entry) => !entries.has(entry)).length;
    entries = anew;
    const told = state.runs.filter(({ id }) => !ended.has(id));
    for (const run of told) {
      rows += 1 + (run.deadLetter ? 1 : 0) + (waitsForPerson(run) ? 1 : 0);
      if (isFinalRun(run.status)) ended.add(run.id);
    }
    if (told.some(({ status }) => status === "ok" || status === "failed")) endedAt.push(at);
  };

  return {
    told: (state, at) => {
      if (batch !== null && at - batch.at < CATALOG_BATCH_MS) {
        batch.state = state;
        return;
      }
      if (batch !== null) write(batch);
      batch = { at, state };
    },
    counts: () => {
      if (batch !== null) write(batch);
      batch = null;
      return { rows, endedAt };
    },
  };
}

/** As the indexes of `executions` are partial: by what each entry says (migrations/). */
function indexEntries(state: ExecutionState, at: number): ReadonlySet<string> {
  const entries = new Set<string>();
  const wake = isFinalStatus(state.status) ? null : nextWake(state, at);
  if (state.status !== "completed") entries.add(`status ${state.status}`);
  if (wake !== null) entries.add(`wake ${wake}`);
  if (!state.subject) return entries;
  entries.add("subject");
  const next = nextUp(state);
  if (next !== null) entries.add(`next ${next.at}`);
  return entries;
}
