// Deletes a secret for good. Runs that name it fail from then on, in other isolates within half a minute.
import { deleteSecret as remove, findSecret, type SecretSummary } from "#catalog/secrets.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { forgetSecret } from "./open-secrets.ts";

export type DeleteSecret = { readonly name: string; readonly reason: string | null; readonly dryRun: boolean };

export async function deleteSecret(
  deps: Deps,
  caller: TenantCaller,
  { name, reason, dryRun }: DeleteSecret,
): Promise<Result<SecretSummary>> {
  const held = await findSecret(deps.db, caller.tenant, name);
  if (held === null) return refuse({ code: "not_found", message: `There is no secret "${name}".` });
  if (!dryRun) {
    const audit = auditRow(deps, caller, "secret.delete", name, reason);
    await remove(deps.db, caller.tenant, name, audit);
    forgetSecret(caller.tenant, name);
  }
  const { version, hosts, createdAt, updatedAt } = held;
  return accept({ name, version, hosts, createdAt, updatedAt });
}
