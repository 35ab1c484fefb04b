// Of these secrets, those that may go to certain hosts only, and which. No value is looked at.
import { secretsSet } from "#catalog/secrets.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { Deps } from "../deps.ts";

export async function boundsOf(
  { db }: Pick<Deps, "db">,
  tenant: string,
  names: readonly string[],
): Promise<readonly BoundSecret[]> {
  if (names.length === 0) return [];
  const set = await secretsSet(db, tenant, names);
  return [...set].flatMap(([secret, hosts]) => (hosts === null ? [] : [{ secret, hosts }]));
}
