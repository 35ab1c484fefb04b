// Sent runs: finds the runs that callbacks name. A cell has the current facts about a run. The catalog has some of them
// for runs whose history was deleted.
import { findRunRows } from "#catalog/reports/reported-runs.ts";
import type { SentRun } from "#policy/inbound/callbacks/owned-message.ts";
import { lastTry, type Run } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { CALLBACK_EXECUTIONS_AT_ONCE } from "#schema/limits/inbound/callbacks.ts";
import { textAt } from "#schema/provider/json-pointer.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { inSlices } from "../cells/in-slices.ts";
import { readState } from "../cells/read-state.ts";
import type { Deps } from "../deps.ts";

export type NamedRun = { readonly execution: string; readonly run: string };
/** The result of a lookup: null if the tenant has no such run; a refusal if its execution cannot be read now. */
export type FoundRun = Result<SentRun | null>;

export function runName({ execution, run }: NamedRun): string {
  return `${execution} ${run}`;
}

/** Finds the runs of one tenant, by `runName`. Throws if the catalog does not answer. */
export async function findSentRuns(
  deps: Pick<Deps, "cell" | "db">,
  tenant: string,
  named: readonly NamedRun[],
): Promise<ReadonlyMap<string, FoundRun>> {
  const byExecution = Map.groupBy(named, ({ execution }) => execution);
  const found = new Map<string, FoundRun>();
  const open = new Set<string>();
  await inSlices([...byExecution], CALLBACK_EXECUTIONS_AT_ONCE, async ([execution, runs]) => {
    const state = await readState(deps, { tenant }, { execution });
    if (state.ok && !isFinalStatus(state.value.status)) open.add(execution);
    for (const each of runs) found.set(runName(each), foundIn(state, each.run));
  });
  const missing = named.filter((each) => isMissing(found.get(runName(each))));
  for (const row of await findRunRows(deps.db, tenant, missing)) {
    const { execution, id: run, type, action, definition, attempt, incarnation } = row;
    const facts = { type, action, definition, attempt, incarnation, isEnded: !open.has(execution) };
    const unknown = { connection: null, provider: null, messageId: null } as const;
    found.set(runName({ execution, run }), accept({ ...facts, ...unknown }));
  }
  return found;
}

function foundIn(state: Result<ExecutionState>, id: string): FoundRun {
  if (!state.ok) return state.refusal.code === "not_found" ? accept(null) : state;
  const run = state.value.runs.find((each) => each.id === id);
  return accept(run === undefined ? null : sentRun(state.value, run));
}

function isMissing(found: FoundRun | undefined): boolean {
  return found?.ok === true && found.value === null;
}

function sentRun({ definition, createdAt, status }: ExecutionState, run: Run): SentRun {
  const { action, type, config, result } = run;
  return {
    action,
    type,
    definition: definition.name,
    incarnation: createdAt,
    attempt: lastTry(run),
    connection: textAt(config, "/connection"),
    provider: textAt(result, "/provider"),
    messageId: textAt(result, "/messageId") ?? textAt(result, "/envelopeId"),
    isEnded: isFinalStatus(status),
  };
}
