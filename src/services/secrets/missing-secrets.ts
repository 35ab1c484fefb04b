// Missing secrets: returns the names that are not set. No value is read.
import { findSecretHosts } from "#catalog/secrets.ts";
import type { Deps } from "../deps.ts";

export async function missingSecrets(deps: Deps, tenant: string, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const set = await findSecretHosts(deps.db, tenant, names);
  return names.filter((name) => !set.has(name));
}
