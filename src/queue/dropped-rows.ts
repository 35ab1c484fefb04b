// Dropped rows: rows that D1 refuses because of their content, which is a bug of the engine. Each dropped row is
// replaced by a log line and an audit row.
import { applyProjections } from "#catalog/projections/projections.ts";
import { DROPPED_NAME_CHARS_MAX } from "#schema/limits/queues/message-sizes.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import type { Deps } from "#services/deps.ts";
import type { RefusedPart } from "./write-projections.ts";

/**
 * Drops rows that D1 refuses. Returns false if the audit rows could not be written; the caller then retries the refused
 * rows.
 */
export async function dropRows(
  deps: Pick<Deps, "db" | "log" | "now">,
  refused: readonly RefusedPart[],
): Promise<boolean> {
  if (refused.length === 0) return true;
  try {
    const audit = refused.flatMap((each) => noticeOf(each, deps.now()));
    await applyProjections(deps.db, [{ v: 1, executions: [], runs: [], audit }]);
  } catch (cause) {
    deps.log({ level: "error", message: "projections not written", count: refused.length, error: String(cause) });
    return false;
  }
  for (const { body, fault } of refused) {
    deps.log({ level: "error", event: "projection_row_refused", dropped: 1, row: body, message: String(fault) });
  }
  return true;
}

function noticeOf(
  { body: { executions, runs, audit, quarantined = [] }, fault }: RefusedPart,
  at: number,
): readonly AuditRow[] {
  const rows = [
    ...executions.map(({ tenant, id, seq }) => ({ kind: "execution", tenant, target: id, name: `${id}@${seq}` })),
    ...runs.map(({ tenant, execution, id, seq }) => ({
      kind: "run",
      tenant,
      target: execution,
      name: `${execution}/${id}@${seq}`,
    })),
    ...audit.map(({ tenant, target, id }) => ({ kind: "audit", tenant, target, name: id })),
    ...quarantined.map(({ tenant, id, at }) => ({ kind: "quarantine", tenant, target: id, name: `${id}@${at}` })),
  ];
  return rows.map(({ kind, tenant, target, name }) => ({
    tenant,
    id: `dropped/${kind}/${name.slice(0, DROPPED_NAME_CHARS_MAX)}`,
    at: Math.trunc(at),
    actor: "engine:projections",
    verb: "catalog.row_dropped",
    target: target.slice(0, DROPPED_NAME_CHARS_MAX),
    reason: `the catalog refused the row: ${String(fault).slice(0, DROPPED_NAME_CHARS_MAX)}`,
    details: null,
  }));
}
