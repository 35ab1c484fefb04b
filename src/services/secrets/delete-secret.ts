// Deletes a secret for good. Runs that name it fail from then on, in other isolates within half a minute.
import { deleteSecret as remove, findSecret, type SecretSummary } from "#catalog/secrets.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../upkeep/audit.ts";
import type { Caller, Deps } from "../deps.ts";
import { forgetSecret } from "./open-secrets.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type DeleteSecret = { readonly name: string; readonly reason: string | null; readonly dryRun: boolean };

export async function deleteSecret(
  deps: Deps,
  caller: Caller,
  { name, reason, dryRun }: DeleteSecret,
): Promise<Result<SecretSummary>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const held = await findSecret(deps.db, tenant.value, name);
  if (held === null) return refuse({ code: "not_found", message: `There is no secret "${name}".` });
  if (!dryRun) {
    const audit = auditRow(deps, { ...caller, tenant: tenant.value }, "secret.delete", name, reason);
    await remove(deps.db, tenant.value, name, audit);
    forgetSecret(tenant.value, name);
  }
  const { version, createdAt, updatedAt } = held;
  return accept({ name, version, createdAt, updatedAt });
}
