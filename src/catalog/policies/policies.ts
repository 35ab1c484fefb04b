// Reads policies. `named.ts` stores, finds and deletes them.
import { sql } from "drizzle-orm";
import type { Named } from "../named.ts";
import { policies } from "../tables/policies.ts";

export type StoredPolicy = typeof policies.$inferSelect;
export const policyRows: Named<StoredPolicy> = policies;

/** Selects all policies of a tenant as JSON. The query has no limit, because a quota limits the policies. */
export function policiesOf(tenant: string) {
  return sql<string>`(SELECT json_group_array(json_object('name', name, 'kind', kind, 'updatedAt', updated_at,
    'types', json(settings -> '$.types'), 'window', json(settings -> '$.window')))
    FROM policies INDEXED BY policies_name WHERE tenant = ${tenant} AND deleted_at IS NULL)`;
}
