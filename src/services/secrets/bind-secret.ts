// Says where a secret may go. Its value is not looked at, and who binds it need not know it.
import { bindSecret as bind, findSecret, type SecretSummary } from "#catalog/secrets.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { forgetSecret } from "./open-secrets.ts";

export type BindSecret = {
  readonly name: string;
  /** null: anywhere that actions may reach. */
  readonly hosts: readonly string[] | null;
  readonly reason: string | null;
  readonly dryRun: boolean;
};

export async function bindSecret(
  deps: Deps,
  caller: TenantCaller,
  { name, hosts, reason, dryRun }: BindSecret,
): Promise<Result<SecretSummary>> {
  const { tenant } = caller;
  const updatedAt = deps.now();
  const audit = { ...auditRow(deps, caller, "secret.bind", name, reason), details: JSON.stringify({ hosts }) };
  const bound = dryRun
    ? await findSecret(deps.db, tenant, name)
    : await bind(deps.db, { tenant, name, hosts, updatedAt }, audit);
  if (bound === null) return refuse({ code: "not_found", message: `There is no secret "${name}".` });
  if (!dryRun) forgetSecret(tenant, name);
  return accept({ name, version: bound.version, hosts, createdAt: bound.createdAt, updatedAt });
}
