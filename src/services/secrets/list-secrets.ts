// Lists what secrets a tenant has, by name: that they are there, and since when; never what they are.
import { listSecrets as list, type SecretSummary } from "#catalog/secrets.ts";
import type { Page } from "#catalog/page.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type ListSecrets = { readonly cursor: string | null; readonly limit: number };

export async function listSecrets(
  deps: Deps,
  caller: TenantCaller,
  input: ListSecrets,
): Promise<Result<Page<SecretSummary>>> {
  return list(deps.db, caller.tenant, input.cursor, input.limit);
}
