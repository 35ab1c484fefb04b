// Projection rows: puts rows for the catalog into messages. A row that can never be sent is dropped, and a log line and
// an audit row replace it.
import { DROPPED_NAME_CHARS_MAX, PROJECTION_REFUSALS_MAX } from "#schema/limits/queues/message-sizes.ts";
import type { AuditRow, ExecutionRow, ProjectionMessage, QuarantineRow, RunRow } from "#schema/engine/projection.ts";
import type { Ports } from "../ports.ts";
import { bytesOf, type SendResult } from "../queue-sends.ts";

export type ProjectionRow =
  | { readonly kind: "execution"; readonly row: ExecutionRow }
  | { readonly kind: "run"; readonly row: RunRow }
  | { readonly kind: "audit"; readonly row: AuditRow }
  | { readonly kind: "quarantine"; readonly row: QuarantineRow };

export function messageOf(rows: readonly ProjectionRow[]): ProjectionMessage {
  const message = { v: 1 as const, executions: [] as ExecutionRow[], runs: [] as RunRow[], audit: [] as AuditRow[] };
  const quarantined: QuarantineRow[] = [];
  for (const each of rows) {
    switch (each.kind) {
      case "execution":
        message.executions.push(each.row);
        break;
      case "run":
        message.runs.push(each.row);
        break;
      case "audit":
        message.audit.push(each.row);
        break;
      case "quarantine":
        quarantined.push(each.row);
    }
  }
  return quarantined.length > 0 ? { ...message, quarantined } : message;
}

/**
 * Returns a function that handles the rows which the queue did not accept. It drops rows that can never be sent, and
 * returns the other rows, which the caller sends again.
 */
export function openRowDropper(ports: Pick<Ports, "log">, addAuditRow: (row: AuditRow) => void) {
  /** By a row's name: how many consecutive times the queue has refused the row, even when the row was sent alone. */
  let refusals = new Map<string, number>();

  const drop = (row: ProjectionRow, reason: string): void => {
    const bytes = bytesOf(row.row);
    const auditRow = auditRowOfDropped(row, bytes, reason);
    const dropped = { queue: "projections", dropped: 1, row: row.kind, what: auditRow.target, bytes };
    ports.log({ level: "error", event: "message_dropped", ...dropped, message: reason });
    const isAuditRowOfDropped = row.kind === "audit" && row.row.verb === auditRow.verb;
    if (!isAuditRowOfDropped) addAuditRow(auditRow);
  };

  return ({ impossible, refused, fault }: SendResult<ProjectionRow>): readonly ProjectionRow[] => {
    const counted = refused.map((row) => ({ row, times: (refusals.get(nameOf(row)) ?? 0) + 1 }));
    refusals = new Map(counted.map(({ row, times }) => [nameOf(row), times]));
    for (const row of impossible) drop(row, "larger than the queue's message limit");
    for (const { row, times } of counted)
      if (times >= PROJECTION_REFUSALS_MAX) drop(row, `the queue refused the row ${times} times: ${String(fault)}`);
    return counted.filter(({ times }) => times < PROJECTION_REFUSALS_MAX).map(({ row }) => row);
  };
}

function executionOf({ kind, row }: ProjectionRow): string {
  switch (kind) {
    case "execution":
    case "quarantine":
      return row.id;
    case "run":
      return row.execution;
    case "audit":
      return row.target;
  }
}

/** Returns the same name each time the row is sent. */
function nameOf(each: ProjectionRow): string {
  return each.kind === "run" ? `${each.row.execution}/${each.row.id}` : each.row.id;
}

/**
 * The audit row's id is derived from the dropped row, so the catalog stores it once, even if the row is dropped several
 * times.
 */
function auditRowOfDropped(each: ProjectionRow, bytes: number, reason: string): AuditRow {
  const { tenant } = each.row;
  // A long name may be the reason why the row is too large, so the name is cut.
  const name = nameOf(each).slice(0, DROPPED_NAME_CHARS_MAX);
  return {
    tenant,
    id: `dropped/${each.kind}/${name}${"seq" in each.row ? `@${each.row.seq}` : ""}`,
    at: timeOf(each),
    actor: "engine:projections",
    verb: "catalog.row_dropped",
    target: executionOf(each).slice(0, DROPPED_NAME_CHARS_MAX),
    reason,
    details: JSON.stringify({ row: each.kind, name, bytes }),
  };
}

function timeOf({ kind, row }: ProjectionRow): number {
  switch (kind) {
    case "execution":
      return row.updatedAt;
    case "run":
      return row.finishedAt ?? row.createdAt;
    case "audit":
    case "quarantine":
      return row.at;
  }
}
