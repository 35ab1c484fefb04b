// Executions: gets, lists and purges them, with their runs and journal.
import { shownZone } from "#kernel/language/zone-settings.ts";
import { findExecution, removeSubject, nextOfSubject, purgeExecutions as purge } from "#catalog/executions.ts";
import { purgeErased } from "#catalog/projections/erased.ts";
import { nodesOf } from "#policy/advice/nodes.ts";
import { progressSnapshot, type ProgressSnapshot } from "#policy/advice/progress-snapshot.ts";
import type { JournalPage } from "#schema/engine/cell.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { Run, RunStatus } from "#schema/engine/run.ts";
import { programAt } from "#kernel/execution/limits/before-first-move.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { JOURNAL_PAGE_ENTRIES_MAX } from "#schema/limits/executions.ts";
import { SUBJECT_ROWS_ERASED } from "#schema/limits/subjects/subject-rows.ts";
import type { DeliveryStatus } from "#schema/reports/report.ts";
import { refuse, type Refusal, type Result, accept } from "#schema/refusal.ts";
import { createdAround, cellName } from "../cells/ids-and-cells.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import { readState } from "../cells/read-state.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { deliveriesOf } from "../hooks/delivery-status.ts";
import { definitionOf, programOfExecution } from "./definition-of.ts";
import { withDoubtfulAttempts } from "./doubtful-attempts.ts";

export async function retiredRow(deps: Deps, tenant: string, execution: string): Promise<ExecutionRow | null> {
  const row = await findExecution(deps.db, tenant, execution, createdAround(execution));
  // Only ended executions are deleted. So a row whose status is not final is out of date, and is not used.
  return row !== null && isFinalStatus(row.status) ? row : null;
}

/** Replaces the refusal not_found by "the history was deleted" if the execution existed once. */
export async function refuseRetired<T>(
  deps: Deps,
  tenant: string,
  execution: string,
  answer: Result<T>,
): Promise<Result<T>> {
  if (answer.ok || answer.refusal.code !== "not_found") return answer;
  const row = await retiredRow(deps, tenant, execution);
  return row === null ? answer : refuse(historyGone(row));
}

export function historyGone({ id, finishedAt, erasedAt }: ExecutionRow): Refusal {
  if (erasedAt) {
    const message = `${id} was erased at ${new Date(erasedAt).toISOString()}.`;
    return { code: "not_found", message, hint: `GET /v1/audit?target=${id} shows who erased it, and why.` };
  }
  const ended = finishedAt === null ? "" : ` It ended at ${new Date(finishedAt).toISOString()}.`;
  return {
    code: "not_found",
    message: `The history of ${id} was deleted: its retention period is over.${ended}`,
    hint: `GET /v1/executions/${id} still returns a summary from the catalog. "retention" in the definition decides how long a history is kept.`,
  };
}

export function findNextOfSubject(
  { db }: Pick<Deps, "db">,
  tenant: string,
  subject: string,
): Promise<ExecutionRow | null> {
  return nextOfSubject(db, tenant, subject);
}

/** Removes a subject's key from all its catalog rows, in chunks. */
export async function removeSubjectInCatalog({ db }: Pick<Deps, "db">, tenant: string, subject: string): Promise<void> {
  while ((await removeSubject(db, tenant, subject, SUBJECT_ROWS_ERASED)) === SUBJECT_ROWS_ERASED);
}

export type FoundExecution =
  | {
      readonly kind: "live";
      readonly state: ExecutionState;
      /**
       * The event types that the execution accepts. Null if it has ended, or if its definition cannot be looked up now.
       */
      readonly accepts: readonly string[] | null;
      /** The progress of a journey; null for executions of other kinds. */
      readonly standing: ProgressSnapshot | null;
    }
  | { readonly kind: "retired"; readonly row: ExecutionRow };

/** The fields of the answer that are computed only on request. */
type RequestedFields = { readonly [what in "accepts" | "standing"]: boolean };
export type ReadExecution = { readonly execution: string; readonly wanted?: RequestedFields };
const ALL_FIELDS: RequestedFields = { accepts: true, standing: true };

export async function getExecution(
  deps: Deps,
  caller: TenantCaller,
  input: ReadExecution,
): Promise<Result<FoundExecution>> {
  const read = await readState(deps, caller, input);
  if (read.ok) return accept(await liveExecution(deps, read.value, input.wanted ?? ALL_FIELDS));
  if (read.refusal.code !== "not_found") return read;
  const row = await retiredRow(deps, caller.tenant, input.execution);
  if (row === null) return read;
  return row.erasedAt ? refuse(historyGone(row)) : accept({ kind: "retired", row });
}

/** Adds the accepted events and the progress to a state. An ended execution accepts no events. */
async function liveExecution(deps: Deps, state: ExecutionState, wanted: RequestedFields): Promise<FoundExecution> {
  const program = wanted.accepts && !isFinalStatus(state.status) ? await programOfExecution(deps, state) : null;
  const accepts = program && programAt(program, state).waitsFor(state.position);
  if (!wanted.standing || state.position.kind !== "journey") return { kind: "live", state, accepts, standing: null };
  const definition = program?.definition ?? (await definitionOf(deps, state));
  const moment = { now: deps.now(), timezone: shownZone([definition?.timezone], state.variables) };
  return { kind: "live", state, accepts, standing: progressSnapshot(state, nodesOf(state, definition, []), moment) };
}

export type ListRuns = {
  readonly execution: string;
  readonly status: RunStatus | null;
  /** The id of the last run on the page before. */
  readonly cursor: string | null;
  readonly limit: number;
};
/** `deliveries`: what providers have reported about the runs' messages, in the order of the runs. */
export type RunPage = {
  readonly runs: readonly Run[];
  readonly deliveries: readonly (DeliveryStatus | null)[];
  readonly nextCursor: string | null;
};

export async function listRuns(deps: Deps, caller: TenantCaller, input: ListRuns): Promise<Result<RunPage>> {
  const state = await refuseRetired(deps, caller.tenant, input.execution, await readState(deps, caller, input));
  if (!state.ok) return state;
  const after = input.cursor === null ? null : runOrder(input.cursor);
  if (after !== null && !Number.isFinite(after)) return refuse(unknownCursor);
  const remaining = state.value.runs
    .filter((run) => input.status === null || run.status === input.status)
    .filter((run) => after === null || runOrder(run.id) > after)
    .sort((a, b) => runOrder(a.id) - runOrder(b.id));
  const runs = remaining.slice(0, input.limit).map((run) => withDoubtfulAttempts(deps, run));
  const incarnation = state.value.createdAt;
  const sent = runs.map(({ id, type, status }) => ({ execution: input.execution, run: id, type, status, incarnation }));
  const deliveries = await deliveriesOf(deps, caller.tenant, sent);
  return accept({ runs, deliveries, nextCursor: remaining.length > runs.length ? (runs.at(-1)?.id ?? null) : null });
}

const unknownCursor = {
  code: "invalid_input",
  message: "The cursor does not belong to this list.",
  errors: [{ pointer: "?cursor", code: "invalid", message: "is not a cursor of this list" }],
} as const;

/**
 * Converts a run id `<seq>.<n>` to one number that sorts like the pair (seq, n). This works because n stays far below a
 * million. Returns NaN for any other text.
 */
function runOrder(id: string): number {
  const parts = /^(\d{1,9})\.(\d{1,6})$/.exec(id);
  return parts === null ? Number.NaN : Number(parts[1]) * 1_000_000 + Number(parts[2]);
}

export type GetJournal = {
  readonly execution: string;
  readonly cursor: string | null;
  readonly limit: number;
  /** The seq of an input; only the entries of this input are returned. */
  readonly seq?: number;
};

export async function getJournal(deps: Deps, caller: TenantCaller, input: GetJournal): Promise<Result<JournalPage>> {
  const limit = Math.min(input.limit, JOURNAL_PAGE_ENTRIES_MAX);
  const ofStep = input.seq === undefined ? {} : { seq: input.seq };
  const query = { execution: input.execution, after: input.cursor, limit, ...ofStep };
  const answer = await callWithRetry(() => deps.cell(cellName(caller.tenant, input.execution)).journal(query));
  return refuseRetired(deps, caller.tenant, input.execution, answer.ok ? answer.value : answer);
}

export async function purgeExecutions({ db, now }: Pick<Deps, "db" | "now">, rowsMax: number): Promise<number> {
  const purged = await purge(db, now(), rowsMax);
  return purged >= rowsMax ? purged : purged + (await purgeErased(db, now(), rowsMax - purged));
}
