// Checks of a world that has come to rest.
import { auditRows, executionRow, runRow } from "#objects/execution/projections/catalog-rows.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import { ownTaskRun } from "#schema/task.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Catalog } from "../catalog.ts";
import { startId, type Asked } from "../clients.ts";
import type { Seen } from "../oracle.ts";
import type { Delivery } from "../provider.ts";

/** How an execution ended, without the parts that may differ: attempts, instants, ids. */
export function endingOf({ status, position, variables, runs, error }: ExecutionState): string {
  const byAction: { [action: string]: string[] } = {};
  for (const { action, status: run } of runs) (byAction[action] ??= []).push(run);
  const actions = Object.fromEntries(Object.entries(byAction).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify({ status, states: position.states, variables, actions, failed: error !== null });
}

/** Checks that every accepted input is in the journal exactly once. */
export function inputProblems(seen: ReadonlyMap<string, Seen>, accepted: readonly Asked[]): readonly string[] {
  // An observation appears in the journal only if it changed something.
  const known = new Set(accepted.filter(({ kind }) => kind !== "observe").map(({ inputId }) => inputId));
  const counts = new Map<string, number>();
  for (const { state, life, entries } of seen.values()) {
    for (const entry of entries) {
      const id = inputIdOf(startId(state.id, life), entry);
      if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return [
    ...[...known].filter((id) => !counts.has(id)).map((id) => `input ${id} was accepted and is not in the journal`),
    ...[...counts]
      .filter(([, count]) => count > 1)
      .map(([id, count]) => `input ${id} is in the journal ${count} times`),
  ];
}

function inputIdOf(start: string, entry: JournalEntry): string | null {
  switch (entry.kind) {
    case "started":
      return start;
    case "event_received":
    case "event_buffered":
      // A task's event is unique in its execution, and sim/asking/asking.ts counts it there.
      return ownTaskRun(entry.event) === null ? entry.event.id : null;
    case "patched":
    case "paused":
    case "resumed":
    case "canceled":
    case "desired":
    case "ending":
    case "run_brought_forward":
    case "skipped_by_operator":
    case "action_canceled":
    case "rescheduled":
    case "held_by_operator":
    case "released":
    case "completed_by_operator":
    case "run_redriven":
    case "dead_letter_archived":
      return entry.actor.kind === "engine" ? null : entry.reason;
    default:
      return null;
  }
}

export function deliveryProblems(seen: ReadonlyMap<string, Seen>, deliveries: readonly Delivery[]): readonly string[] {
  const done = new Set(deliveries.filter(({ ok }) => ok).map(({ execution, run }) => `${execution}/${run}`));
  return [...seen.values()].flatMap(({ state }) =>
    state.runs
      .filter(({ id, status }) => status === "ok" && !done.has(`${state.id}/${id}`))
      .map(({ id }) => `run ${state.id}/${id} is ok, though the provider never did it`),
  );
}

/** Checks that the catalog has the final state of every execution. */
export function catalogProblems(seen: ReadonlyMap<string, Seen>, catalog: Catalog): readonly string[] {
  return [...seen.values()].flatMap((each) => {
    // A message lost with the process cannot be sent again by an object that is gone.
    if (each.purged && catalog.forgotten.executions.has(each.state.id)) return [];
    return [...executionProblems(each, catalog), ...runProblems(each, catalog), ...auditProblems(each, catalog)];
  });
}

/** Checks that deleting the rows of an id's earlier incarnations deletes none of its latest. */
export function purgeProblems(seen: ReadonlyMap<string, Seen>, catalog: Catalog): readonly string[] {
  const latest = new Map([...seen].filter(([name, { state }]) => name === state.id));
  for (const row of catalog.lists.executions()) {
    if (row.createdAt < (latest.get(row.id)?.state.createdAt ?? 0)) catalog.lists.purge(row);
  }
  return catalogProblems(latest, catalog).map((problem) => `after the purge of earlier lives ${problem}`);
}

function executionProblems({ state, purged }: Seen, catalog: Catalog): readonly string[] {
  const row = catalog.lists.execution(state.id, state.createdAt);
  if (!row) return [`the catalog knows nothing of ${state.id}`];
  // A purge is a separate step, which leaves no state.
  if (purged ? row.seq < state.seq : row.seq !== state.seq) {
    return [`the catalog heard of ${state.id} up to seq ${row.seq}, it is at ${state.seq}`];
  }
  // These fields depend on the moment of projection. `search` and `waits` also need the program.
  const moment = { wakeAt: null, updatedAt: 0, seq: 0, search: undefined, waits: undefined };
  return differs(state.id, { ...row, ...moment }, { ...executionRow(state, state.updatedAt), ...moment });
}

function runProblems({ state }: Seen, catalog: Catalog): readonly string[] {
  return state.runs.flatMap((run) => {
    const row = catalog.lists.run(state.id, run.id);
    // A later incarnation has a run of that name.
    if (row && row.incarnation > state.createdAt) return [];
    if (!row) return [`the catalog knows nothing of run ${state.id}/${run.id}`];
    return differs(
      `${state.id}/${run.id}`,
      { ...row, seq: 0, tags: undefined },
      { ...runRow(state, run), seq: 0, tags: undefined },
    );
  });
}

function auditProblems({ state, entries }: Seen, catalog: Catalog): readonly string[] {
  return auditRows(state, entries)
    .filter(({ id }) => !catalog.lists.hasAudit(id) && !catalog.forgotten.audit.has(id))
    .map(({ id, verb }) => `${verb} ${id} is not in the audit table`);
}

function differs(what: string, told: unknown, truth: unknown): readonly string[] {
  const [said, is] = [JSON.stringify(told), JSON.stringify(truth)];
  return said === is ? [] : [`the catalog says of ${what} ${said}, it is ${is}`];
}
