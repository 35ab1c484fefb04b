// Which of a tenant's keys let nobody in any more: revoked, expired, or gone. For those who were let in a while ago.
import { findKey } from "#catalog/keys.ts";
import type { Deps } from "../deps.ts";

export async function endedKeys(
  { db, now }: Pick<Deps, "db" | "now">,
  tenant: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(ids.map((id) => findKey(db, tenant, id)));
  return ids.filter((_id, n) => {
    const key = found[n];
    return !key || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now());
  });
}
