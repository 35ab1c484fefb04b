// The rows that the catalog writes of very many executions as it is told of them: of each its own, those of its runs, and of
// each index in which a row stands, for an update writes its entries anew. Messages are written a batch at a time, whoever sent
// them: what is told twice in one batch is written once, and how runs end is one row of their tenant's day a batch.
import { nextWake } from "#kernel/execution/clock.ts";
import { isUnresolved } from "#kernel/execution/retries/redrive.ts";
import { isFinalRun, waitsForPerson, type Run } from "#schema/engine/run.ts";
import { nextUp } from "#schema/engine/next-up.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { CATALOG_BATCH_MAX, CATALOG_BATCH_MS } from "#schema/limits/platform-costs.ts";

/** What one execution says in a message. `of`: by it, its messages are known. */
export type Told = {
  readonly of: object;
  readonly rows: number;
  /** Those of which something is new. */
  readonly runs: readonly RunTold[];
};
type RunTold = {
  readonly id: string;
  readonly rows: number;
  readonly ended: string | null;
  readonly failed: string | null;
};
type Message = { readonly at: number; readonly told: readonly Told[] };
type Batch = { readonly from: number; readonly messages: Message[] };

export type CatalogMeter = {
  readonly write: (message: Message) => void;
  /** Once all are over. */
  readonly rows: () => number;
};

/** For one execution: what its next message would say. */
export function openTelling(): (state: ExecutionState, at: number, hasSlept: boolean) => Told {
  const of = {};
  let known: ReadonlySet<string> = new Set();
  return (state, at, hasSlept) => {
    const runs = state.runs.filter(({ id }) => hasSlept || !known.has(id)).map(runTold);
    known = knownAfter(state);
    return { of, rows: 1 + indexEntries(state, at), runs };
  };
}

/** `weight`: how many each message stands for. */
export function openCatalogMeter(weight: number): CatalogMeter {
  const sent: Message[] = [];
  return {
    write: (message) => void sent.push(message),
    rows: () => {
      const ended = new Map<object, Set<string>>();
      const batches = inBatches(sent, CATALOG_BATCH_MAX / weight);
      return batches.reduce((sum, { from, messages }, n) => {
        const told = messages.flatMap((message) => message.told);
        const gapMs = (batches[n + 1]?.from ?? from) - from;
        return sum + rowsOf(told) * weight + endsRows(told, ended) * partsOf(messages.length, weight, gapMs);
      }, 0);
    },
  };
}

/** Those that messages stand for are in more batches than one: where they fill several, and where they come between it and the next. */
function partsOf(count: number, weight: number, gapMs: number): number {
  return Math.max(1, (count * weight) / CATALOG_BATCH_MAX, Math.min(weight, gapMs / CATALOG_BATCH_MS));
}

/** The runs that it does not tell again (durable-objects/execution/projections/told-runs.ts). */
function knownAfter(state: ExecutionState): ReadonlySet<string> {
  if (state.finishedAt !== null && !isUnresolved(state)) return new Set();
  return new Set(state.runs.filter(({ status }) => isFinalRun(status)).map(({ id }) => id));
}

function runTold(run: Run): RunTold {
  const { id, type, status, deadLetter } = run;
  return {
    id,
    rows: 1 + (deadLetter ? 1 : 0) + (waitsForPerson(run) ? 1 : 0),
    ended: status === "ok" || status === "failed" ? `${id} ${status}` : null,
    failed: status === "failed" ? type : null,
  };
}

/** A batch is over with the message that makes it full, or so long after its first one. */
function inBatches(sent: readonly Message[], countMax: number): readonly Batch[] {
  const batches: Batch[] = [];
  for (const message of sent.toSorted((a, b) => a.at - b.at)) {
    const last = batches.at(-1);
    const isOpen = last !== undefined && message.at - last.from < CATALOG_BATCH_MS && last.messages.length < countMax;
    if (isOpen) last.messages.push(message);
    else batches.push({ from: message.at, messages: [message] });
  }
  return batches;
}

/** The last of each in the batch. */
function rowsOf(messages: readonly Told[]): number {
  const latest = new Map<object, number>();
  const runs = new Map<object, Map<string, number>>();
  for (const { of, rows, runs: told } of messages) {
    latest.set(of, rows);
    const own = runs.get(of) ?? new Map<string, number>();
    runs.set(of, own);
    for (const run of told) own.set(run.id, run.rows);
  }
  const all = [...latest.values(), ...[...runs.values()].flatMap((own) => [...own.values()])];
  return all.reduce((sum, rows) => sum + rows, 0);
}

/** Of their tenant's day, and of each type of which some failed. */
function endsRows(messages: readonly Told[], ended: Map<object, Set<string>>): number {
  const failed = new Set<string>();
  let ends = 0;
  for (const { of, runs } of messages) {
    const before = ended.get(of) ?? new Set();
    ended.set(of, before);
    for (const run of runs) {
      if (run.ended === null || before.has(run.ended)) continue;
      before.add(run.ended);
      ends += 1;
      if (run.failed !== null) failed.add(run.failed);
    }
  }
  return ends === 0 ? 0 : 1 + failed.size;
}

/** As the indexes of `executions` are partial (migrations/). */
function indexEntries(state: ExecutionState, at: number): number {
  const isOver = isFinalStatus(state.status);
  const isListed = state.status !== "completed";
  const wakes = !isOver && nextWake(state, at) !== null;
  const isAbout = state.subject !== undefined;
  const isNext = isAbout && nextUp(state) !== null;
  return [isListed, wakes, isAbout, isNext, state.parent !== undefined, state.startedBy !== undefined].filter(Boolean)
    .length;
}
