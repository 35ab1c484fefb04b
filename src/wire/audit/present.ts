// Audit entries as the wire sees them.
import type { Json } from "#schema/json.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import type { ApiAuditEntry } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

export function presentAudit({ details, ...row }: AuditRow): ApiAuditEntry {
  const { id, at, actor, verb, target, reason } = row;
  return { id, at: toInstant(at), actor, verb, target, reason, details: details === null ? null : parse(details) };
}

/** Details are JSON where the engine writes them; whatever else there is, is text. */
function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json; // JSON.parse gives JSON
  } catch {
    return text;
  }
}
