// Audit entries as API objects.
import type { Json } from "#schema/json.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import type { ApiAuditEntry } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

export function presentAudit({ details, ...row }: AuditRow): ApiAuditEntry {
  const { id, at, actor, person = null, verb, target, reason } = row;
  return {
    id,
    at: toInstant(at),
    actor,
    person,
    verb,
    target,
    reason,
    details: details === null ? null : parse(details),
  };
}

/** Parses the details of an audit entry. The engine writes details as JSON; any other text is returned unchanged. */
function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json; // JSON.parse returns JSON.
  } catch {
    return text;
  }
}
