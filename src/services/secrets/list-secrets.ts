// Lists what secrets a tenant has, by name: that they are there, and since when; never what they are.
import { listSecrets as list, type SecretSummary } from "#catalog/secrets.ts";
import type { Page } from "#catalog/page.ts";
import type { Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "../deps.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type ListSecrets = { readonly cursor: string | null; readonly limit: number };

export async function listSecrets(
  deps: Deps,
  caller: Caller,
  input: ListSecrets,
): Promise<Result<Page<SecretSummary>>> {
  const tenant = tenantOf(caller);
  return tenant.ok ? list(deps.db, tenant.value, input.cursor, input.limit) : tenant;
}
