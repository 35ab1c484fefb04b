// Module history: lists the attempts of an execution's actions from its journal, page by page, the oldest first.
import { compile } from "#kernel/programs/compile.ts";
import {
  attemptsIn,
  openAttemptCollection,
  type AttemptRecord,
  type AttemptCollection,
} from "#policy/advice/attempts-made.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { HISTORY_PAGES_MAX, JOURNAL_PAGE_ENTRIES_MAX } from "#schema/limits/executions.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { readState } from "../cells/read-state.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { definitionOf } from "../executions/definition-of.ts";
import { getJournal, refuseRetired } from "../executions/executions.ts";

export type ReadModuleHistory = { readonly execution: string; readonly cursor: string | null; readonly limit: number };
export type ModuleAttempt = AttemptRecord & {
  readonly execution: string;
  readonly action: string | null;
  readonly type: string | null;
};
export type ModuleHistory = { readonly data: readonly ModuleAttempt[]; readonly nextCursor: string | null };

export async function moduleHistory(
  deps: Deps,
  caller: TenantCaller,
  { execution, cursor, limit }: ReadModuleHistory,
): Promise<Result<ModuleHistory>> {
  const from = positionIn(cursor);
  if (from === null) return refuse(unknownCursor);
  const state = await refuseRetired(deps, caller.tenant, execution, await readState(deps, caller, { execution }));
  if (!state.ok) return state;
  const collection = openFromState(state.value);
  const read = (after: string | null, seq?: number) =>
    getJournal(deps, caller, {
      execution,
      cursor: after,
      limit: JOURNAL_PAGE_ENTRIES_MAX,
      ...(seq === undefined ? {} : { seq }),
    });
  const collected: AttemptRecord[] = [];
  let [after, skip] = [from.after, from.skip];
  for (let pages = 0; pages < HISTORY_PAGES_MAX && collected.length < limit; pages += 1) {
    const page = await read(after);
    if (!page.ok) return page;
    const { entries, nextCursor } = page.value;
    if (pages === 0) await readStartOfStep(entries[0], collection, read);
    const attempts = attemptsIn(entries, collection).slice(skip);
    const roomLeft = limit - collected.length;
    collected.push(...attempts.slice(0, roomLeft));
    if (attempts.length > roomLeft) {
      skip += roomLeft;
      break;
    }
    [after, skip] = [nextCursor, 0];
    if (after === null) break;
  }
  const isMore = after !== null || skip > 0;
  const data = await withActions(deps, state.value, collected, collection, read);
  return accept({ data, nextCursor: isMore ? `${after ?? "1.0"}~${skip}` : null });
}

type Read = (after: string | null, seq?: number) => ReturnType<typeof getJournal>;

/**
 * Opens the collection with the runs of the current state, which are needed to understand earlier entries. The config
 * of an edited or pending run is left out, because the earlier attempts did not send it.
 */
function openFromState({ runs }: ExecutionState): AttemptCollection {
  const collection = openAttemptCollection();
  for (const { id, action, attempt, config, redriven } of runs) {
    const isEdited = redriven?.attemptsBeforeEdit !== undefined;
    collection.runs.set(id, { action, attempt, ...(config === null || isEdited ? {} : { config }) });
  }
  return collection;
}

/** Reads those entries of the first step that were on the previous page. A page may begin in the middle of a step. */
async function readStartOfStep(
  first: JournalEntry | undefined,
  collection: AttemptCollection,
  read: Read,
): Promise<void> {
  if (first === undefined || first.n === 0) return;
  const step = await read(null, first.seq);
  if (step.ok)
    attemptsIn(
      step.value.entries.filter(({ n }) => n < first.n),
      collection,
    );
}

async function withActions(
  deps: Deps,
  state: ExecutionState,
  collected: readonly AttemptRecord[],
  collection: AttemptCollection,
  read: Read,
): Promise<readonly ModuleAttempt[]> {
  const unknown = new Set(
    collected.map(({ run }) => run).filter((run) => collection.runs.get(run)?.action === undefined),
  );
  // A run's id begins with the seq of the step that created the run, and an entry of that step names the action.
  for (const seq of new Set([...unknown].map((run) => Number(run.split(".")[0])))) {
    const step = await read(null, seq);
    if (step.ok)
      attemptsIn(
        step.value.entries.filter(({ kind }) => kind === "run_created"),
        collection,
      );
  }
  const definition = await definitionOf(deps, state);
  const types = new Map(
    [...(definition === null ? [] : compile(definition).actions)].map(([id, { type }]) => [id, type]),
  );
  for (const { action, type } of state.runs) types.set(action, type);
  return collected.map((attempt) => {
    const action = collection.runs.get(attempt.run)?.action ?? null;
    return { ...attempt, execution: state.id, action, type: action === null ? null : (types.get(action) ?? null) };
  });
}

function positionIn(cursor: string | null): { readonly after: string | null; readonly skip: number } | null {
  if (cursor === null) return { after: null, skip: 0 };
  const [, after, skip] = /^(\d{1,9}\.\d{1,9})~(\d{1,6})$/.exec(cursor) ?? [];
  return after === undefined ? null : { after, skip: Number(skip) };
}

const unknownCursor = {
  code: "invalid_input",
  message: "The cursor does not belong to this list.",
  errors: [{ pointer: "?cursor", code: "invalid", message: "is not a cursor of this list" }],
} as const;
