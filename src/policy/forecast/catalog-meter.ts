// The rows that the catalog writes of very many executions as it is told of them: of each its own, those of its runs, and of
// each index in which a row stands, for an update writes its entries anew. Messages are written a batch at a time, whoever sent
// them: what is told twice in one batch is written once, and how runs end is one row of their tenant's day a batch.
import { nextWake } from "#kernel/execution/clock.ts";
import { isUnresolved } from "#kernel/execution/retries/redrive.ts";
import { isFinalRun, waitsForPerson, type Run } from "#schema/engine/run.ts";
import { nextUp } from "#schema/engine/next-up.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { CATALOG_BATCH_MAX, CATALOG_BATCH_MS } from "#schema/limits/platform-costs.ts";

/** One execution's messages. `hasSlept`: it no longer knows what it has told before. */
export type CatalogTeller = (state: ExecutionState, at: number, hasSlept: boolean) => void;
export type CatalogMeter = {
  readonly begin: () => CatalogTeller;
  /** Once all are over. */
  readonly rows: () => number;
};

/** `of`: by it messages of one execution are known. */
type Message = { readonly at: number; readonly of: object; readonly rows: number; readonly runs: readonly RunTold[] };
type RunTold = {
  readonly id: string;
  readonly rows: number;
  readonly ended: string | null;
  readonly failed: string | null;
};
type Batch = { readonly until: number; readonly messages: Message[] };

/** `weight`: how many each execution stands for. */
export function openCatalogMeter(weight: number): CatalogMeter {
  const sent: Message[] = [];
  return {
    begin: () => {
      const of = {};
      let known: ReadonlySet<string> = new Set();
      return (state, at, hasSlept) => {
        const runs = state.runs.filter(({ id }) => hasSlept || !known.has(id)).map(runTold);
        sent.push({ at, of, rows: 1 + indexEntries(state, at), runs });
        known = knownAfter(state);
      };
    },
    rows: () => {
      const ended = new Map<object, Set<string>>();
      const batches = inBatches(sent, CATALOG_BATCH_MAX / weight);
      return batches.reduce((sum, { messages }) => {
        const rows = messagesRows(messages) * weight;
        // Where each stands for more than a batch may hold, it is in several.
        return sum + rows + endsRows(messages, ended) * Math.max(1, (messages.length * weight) / CATALOG_BATCH_MAX);
      }, 0);
    },
  };
}

/** The runs that it does not tell again (durable-objects/execution/projections/pending-projections.ts). */
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
    if (last !== undefined && message.at < last.until && last.messages.length < countMax) last.messages.push(message);
    else batches.push({ until: message.at + CATALOG_BATCH_MS, messages: [message] });
  }
  return batches;
}

/** The last of each in the batch. */
function messagesRows(messages: readonly Message[]): number {
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
function endsRows(messages: readonly Message[], ended: Map<object, Set<string>>): number {
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
