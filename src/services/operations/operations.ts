// Operations: gets, lists, aborts, purges and presents them.
import {
  type StoredOperation,
  findOperation,
  listOperations as list,
  type OperationFilters,
  purgeOperations as purge,
  storeOperation,
} from "#catalog/operations.ts";
import type { Page } from "#catalog/page.ts";
import type { DeadLetterFilters } from "#schema/dead-letter-filter.ts";
import type { Actor } from "#schema/engine/input.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import type { ExecutionFilter } from "#schema/engine/execution-command.ts";
import { auditId } from "#schema/ids.ts";
import { OPERATIONS_QUERIED_MAX } from "#schema/limits/upkeep/bulk-operations.ts";
import type { OperationRequest, OperationView } from "#schema/operation.ts";
import { type Refusal, accept, refuse, type Result } from "#schema/refusal.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type OperationDetails = Omit<StoredOperation, "tenant"> & Pick<OperationView, "estimatedEndAt" | "trouble">;

export function viewFromObject(view: OperationView): OperationDetails {
  const { tenant: _tenant, ...row } = rowOf(view);
  return { ...row, estimatedEndAt: view.estimatedEndAt, trouble: view.trouble };
}

export function viewFromRow({ tenant: _tenant, ...row }: StoredOperation): OperationDetails {
  return { ...row, estimatedEndAt: null, trouble: null };
}

export function rowOf(view: OperationView): StoredOperation {
  const { tenant, id, verb, filter, perSecond, reason, createdAt, finishedAt, status, steer, stopAt, ifState } = view;
  const counts = { ...view.counts, matched: view.matched, remaining: view.remaining };
  const actor = actorText(view.actor);
  const options = { ...(stopAt === undefined ? {} : { stopAt }), ...(ifState === undefined ? {} : { ifState }) };
  const asked = steer === undefined ? null : { steer, ...options };
  const stopped = view.stopped ?? null;
  return { tenant, id, verb, filter, perSecond, reason, actor, createdAt, finishedAt, status, counts, asked, stopped };
}

/**
 * Builds the operation's audit entries. Their ids are derived from the operation's id, so that a repeat writes the same
 * rows again.
 */
export function auditsOf({ tenant, id: target, ...view }: OperationView): readonly AuditRow[] {
  const common = { tenant, target, details: null };
  const { actor, createdAt: at, reason } = view;
  const begun = { ...common, id: auditId(target), at, verb: auditVerb(view), actor: actorText(actor), reason };
  if (view.stopped && view.finishedAt !== null) {
    const reason = `${view.stopped.failed} of ${view.stopped.of} ${view.stopped.why}`;
    const ending = { actor: "engine:engine", reason };
    return [
      begun,
      { ...common, ...ending, id: `${auditId(target)}_stop`, at: view.finishedAt, verb: "operation.stop" },
    ];
  }
  if (view.aborted === null || view.finishedAt === null) return [begun];
  const ending = { actor: actorText(view.aborted.actor), reason: view.aborted.reason };
  return [
    begun,
    { ...common, ...ending, id: `${auditId(target)}_abort`, at: view.finishedAt, verb: "operation.abort" },
  ];
}

function auditVerb({ verb, steer }: Pick<OperationRequest, "verb" | "steer">): string {
  if (verb === "enroll") return "definition.enroll_all";
  return steer === undefined ? `dead_letters.${verb}_all` : `executions.${steer.verb}_all`;
}

/**
 * Returns the filter for the operation's dead letters. Failures after the operation's start are excluded. Handled dead
 * letters are excluded too, unless the client's filter includes them.
 */
export function deadLettersOf({
  filter,
  createdAt,
}: Pick<OperationRequest, "filter" | "createdAt">): DeadLetterFilters {
  return {
    ...filter,
    handled: filter.handled ?? false,
    failedBefore: Math.min(filter.failedBefore ?? createdAt, createdAt),
  };
}

/** Returns the filter for the operation's executions. Executions created after the operation's start are excluded. */
export function executionsOf({ filter, createdAt }: Pick<OperationRequest, "filter" | "createdAt">): ExecutionFilter {
  const { definition, version, namespace, correlationId, subject, trigger, status, state, createdAfter } = filter;
  const createdBefore = Math.min(filter.createdBefore ?? createdAt, createdAt);
  return {
    definition,
    version,
    namespace,
    correlationId,
    subject,
    trigger,
    status,
    state,
    createdAfter,
    createdBefore,
  };
}

/** Returns the actor of each command: the client that began the operation, together with the operation's id. */
export function actorOf({ id: operation, actor }: Pick<OperationRequest, "id" | "actor">): Actor {
  return { ...actor, operation };
}

export function noOperation(id: string): Refusal {
  return { code: "not_found", message: `There is no operation ${id}.` };
}

function actorText({ kind, id }: Actor): string {
  return `${kind}:${id}`;
}

export type GetOperation = { readonly operation: string };

export async function getOperation(
  deps: Deps,
  caller: TenantCaller,
  { operation: id }: GetOperation,
): Promise<Result<OperationDetails>> {
  const read = await callWithRetry(() => deps.operation(`${caller.tenant}/${id}`).read(), "operation");
  if (!read.ok) return read;
  if (read.value !== null) return accept(viewFromObject(read.value));
  const row = await findOperation(deps.db, caller.tenant, id);
  return row === null ? refuse(noOperation(id)) : accept(viewFromRow(row));
}

export type ListOperations = {
  readonly filters: OperationFilters;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listOperations(
  deps: Deps,
  caller: TenantCaller,
  { filters, cursor, limit }: ListOperations,
): Promise<Result<Page<OperationDetails>>> {
  const page = await list(deps.db, caller.tenant, filters, cursor, limit);
  if (!page.ok) return page;
  const running = new Set(
    page.value.data.filter(({ status }) => status === "running" || status === "open").slice(0, OPERATIONS_QUERIED_MAX),
  );
  const data = await Promise.all(
    page.value.data.map((row) => (running.has(row) ? readCurrent(deps, row) : viewFromRow(row))),
  );
  return accept({ ...page.value, data });
}

/** Reads a running operation from its object; returns the catalog's row if the object does not answer. */
async function readCurrent(deps: Deps, row: StoredOperation): Promise<OperationDetails> {
  const view = await deps
    .operation(`${row.tenant}/${row.id}`)
    .read()
    .catch(() => null);
  return view === null ? viewFromRow(row) : viewFromObject(view);
}

export type AbortOperation = { readonly operation: string; readonly reason: string | null; readonly dryRun: boolean };
export type AbortedOperation = { readonly operation: OperationDetails; readonly repeated: boolean };

export async function abortOperation(
  deps: Deps,
  caller: TenantCaller,
  { operation: id, reason, dryRun }: AbortOperation,
): Promise<Result<AbortedOperation>> {
  const ask = { actor: caller.actor, reason, dryRun };
  const answered = await callWithRetry(() => deps.operation(`${caller.tenant}/${id}`).abort(ask), "operation");
  const answer = answered.ok ? answered.value : answered;
  if (answer.ok) return accept({ ...answer.value, operation: viewFromObject(answer.value.operation) });
  const { code } = answer.refusal;
  if (code === "not_found")
    return refuse((await findOperation(deps.db, caller.tenant, id)) === null ? noOperation(id) : operationFinal(id));
  return code === "operation_final" ? refuse(operationFinal(id)) : answer;
}

function operationFinal(id: string) {
  const message = `The operation ${id} has ended.`;
  return { code: "operation_final", message, hint: "The operation has no work that could be aborted." } as const;
}

export async function purgeOperations({ db, now }: Pick<Deps, "db" | "now">, rowsMax: number): Promise<number> {
  return purge(db, now(), rowsMax);
}

export async function recordOperationEnd(deps: Pick<Deps, "db">, view: OperationView): Promise<void> {
  await storeOperation(deps.db, rowOf(view), auditsOf(view));
}
