// API keys as API objects: never with the secret.
import { scope, type ApiKey } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

type Key = {
  tenant: string;
  id: string;
  prefix: string;
  name: string;
  scopes: readonly string[];
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Absent in responses that were stored before keys had an actor. */
  actor?: string | null;
};

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
    actor: key.actor ?? null,
  };
}
