// An operation as it is told of, from its object or from the catalog's row, and the row and the audit entries it leaves.
import { auditId } from "#schema/ids.ts";
import type { DeadLetterFilters } from "#schema/dead-letter.ts";
import type { StoredOperation } from "#catalog/operations.ts";
import type { Actor } from "#schema/engine/input.ts";
import type { OperationTerms, OperationView } from "#schema/operation.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import type { Refusal } from "#schema/refusal.ts";
import type { MeantExecutions } from "#schema/engine/steering.ts";

export type ShownOperation = Omit<StoredOperation, "tenant"> & Pick<OperationView, "estimatedEndAt" | "trouble">;

export function shownFromObject(view: OperationView): ShownOperation {
  const { tenant: _tenant, ...row } = rowOf(view);
  return { ...row, estimatedEndAt: view.estimatedEndAt, trouble: view.trouble };
}

export function shownFromRow({ tenant: _tenant, ...row }: StoredOperation): ShownOperation {
  return { ...row, estimatedEndAt: null, trouble: null };
}

export function rowOf(view: OperationView): StoredOperation {
  const { tenant, id, verb, filter, perSecond, reason, createdAt, finishedAt, status, steer, stopAt, ifState } = view;
  const counts = { ...view.counts, matched: view.matched, remaining: view.remaining };
  const actor = named(view.actor);
  const more = { ...(stopAt === undefined ? {} : { stopAt }), ...(ifState === undefined ? {} : { ifState }) };
  const asked = steer === undefined ? null : { steer, ...more };
  const stopped = view.stopped ?? null;
  return {
    ...{ tenant, id, verb, filter, perSecond, reason, actor, createdAt, finishedAt, status, counts, asked, stopped },
  };
}

/** Their ids follow from the operation's, so that telling again is the same row. */
export function auditsOf({ tenant, id: target, ...view }: OperationView): readonly AuditRow[] {
  const base = { tenant, target, details: null };
  const { actor, createdAt: at, reason } = view;
  const begun = {
    ...base,
    id: auditId(target),
    at,
    verb: auditVerb(view),
    actor: named(actor),
    reason,
  };
  if (view.stopped && view.finishedAt !== null) {
    const reason = `${view.stopped.failed} of ${view.stopped.of} ${view.stopped.why}`;
    const by = { actor: "engine:engine", reason };
    return [begun, { ...base, ...by, id: `${auditId(target)}_stop`, at: view.finishedAt, verb: "operation.stop" }];
  }
  if (view.aborted === null || view.finishedAt === null) return [begun];
  const by = { actor: named(view.aborted.actor), reason: view.aborted.reason };
  return [begun, { ...base, ...by, id: `${auditId(target)}_abort`, at: view.finishedAt, verb: "operation.abort" }];
}

function auditVerb({ verb, steer }: Pick<OperationTerms, "verb" | "steer">): string {
  if (verb === "enroll") return "definition.enroll_all";
  return steer === undefined ? `dead_letters.${verb}_all` : `executions.${steer.verb}_all`;
}

/** What fails from the operation's beginning on is not meant by it, nor, unless it says so, what waits for nobody. */
export function meantBy({ filter, createdAt }: Pick<OperationTerms, "filter" | "createdAt">): DeadLetterFilters {
  return {
    ...filter,
    handled: filter.handled ?? false,
    failedBefore: Math.min(filter.failedBefore ?? createdAt, createdAt),
  };
}

/** Whoever was created from the operation's beginning on is not meant by it. */
export function steeredBy({ filter, createdAt }: Pick<OperationTerms, "filter" | "createdAt">): MeantExecutions {
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

/** Who asks it of each execution: as whoever began it, and by this operation. */
export function actorOf({ id: operation, actor }: Pick<OperationTerms, "id" | "actor">): Actor {
  return { ...actor, operation };
}

export function noOperation(id: string): Refusal {
  return { code: "not_found", message: `There is no operation ${id}.` };
}

function named({ kind, id }: Actor): string {
  return `${kind}:${id}`;
}
