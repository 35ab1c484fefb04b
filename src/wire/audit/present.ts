// What the catalog holds, as the wire sees it: tenants, keys, definitions, audit entries.
import type { Json, JsonObject } from "#schema/json.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import type { ApiAuditEntry } from "./shape.ts";
import type { ApiDefinition, ApiDefinitionSummary } from "../definitions/shape.ts";
import { scope, type ApiKey } from "../keys/shape.ts";
import type { ApiTenant } from "../tenants/shape.ts";
import { toInstant } from "#schema/values.ts";

type Tenant = { id: string; name: string; createdAt: number; retentionDays: number };
type Key = {
  tenant: string;
  id: string;
  prefix: string;
  name: string;
  scopes: readonly string[];
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
};
type Summary = {
  id: string;
  name: string;
  version: number;
  kind: string;
  hash: string;
  createdAt: number;
  archivedAt: number | null;
};

export function presentTenant({ id, name, createdAt, retentionDays }: Tenant): ApiTenant {
  return { id, name, createdAt: toInstant(createdAt), retentionDays };
}

export function presentKey(key: Key): ApiKey {
  return {
    id: key.id,
    tenant: key.tenant,
    name: key.name,
    scopes: scope.options.filter((known) => key.scopes.includes(known)),
    prefix: key.prefix,
    createdAt: toInstant(key.createdAt),
    expiresAt: toInstant(key.expiresAt),
    revokedAt: toInstant(key.revokedAt),
  };
}

export function presentSummary({ id, name, version, kind, hash, ...at }: Summary): ApiDefinitionSummary {
  return { id, name, version, kind, hash, createdAt: toInstant(at.createdAt), archivedAt: toInstant(at.archivedAt) };
}

export function presentDefinition({ body, ...row }: Summary & { body: string }): ApiDefinition {
  return { ...presentSummary(row), body: JSON.parse(body) as JsonObject }; // stored by us, from a checked definition
}

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
