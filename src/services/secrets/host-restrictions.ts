// Host restrictions: returns those of the named secrets that may be sent only to certain hosts, with these hosts. No
// value is read.
import { findSecretHosts } from "#catalog/secrets.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { Deps } from "../deps.ts";

export async function hostRestrictionsOf(
  { db }: Pick<Deps, "db">,
  tenant: string,
  names: readonly string[],
): Promise<readonly BoundSecret[]> {
  if (names.length === 0) return [];
  const set = await findSecretHosts(db, tenant, names);
  return [...set].flatMap(([secret, hosts]) => (hosts === null ? [] : [{ secret, hosts }]));
}
