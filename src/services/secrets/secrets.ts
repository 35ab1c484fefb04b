// Secrets: sets, restricts, lists and deletes them. Clients can write values, but never read them.
import type { Page } from "#catalog/page.ts";
import {
  findSecret,
  putSecret,
  type SecretSummary,
  restrictSecret as bind,
  listSecrets as list,
  deleteSecret as remove,
} from "#catalog/secrets.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import { recoverConnectionsWith } from "../connections/recover-connections.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { quotaFull, warnWhenNear } from "../quotas/stored-quota.ts";
import { checkSecretValue } from "../size-limits.ts";
import { secretScope, evictSecret } from "./open-secrets.ts";
import { IV_BYTES, openKeyring, seal } from "./sealing.ts";

export type SetSecret = {
  readonly name: string;
  readonly value: string;
  /** The hosts to which the secret may be sent; null: any host that actions may reach; undefined: unchanged. */
  readonly hosts: readonly string[] | null | undefined;
  readonly dryRun: boolean;
};

export async function setSecret(deps: Deps, caller: TenantCaller, input: SetSecret): Promise<Result<SecretSummary>> {
  const size = checkSecretValue(input.value);
  if (!size.ok) return size;
  const ring = await openKeyring(deps.secretsKeys);
  if (!ring.ok) return ring;
  const now = deps.now();
  const { name, hosts } = input;
  if (input.dryRun) {
    const current = await findSecret(deps.db, caller.tenant, name);
    const newHosts = hosts === undefined ? (current?.hosts ?? null) : hosts;
    const version = (current?.version ?? 0) + 1;
    return accept({ name, version, hosts: newHosts, createdAt: current?.createdAt ?? now, updatedAt: now });
  }
  const sealed = await seal(ring.value, secretScope(caller.tenant, name), input.value, deps.randomBytes(IV_BYTES));
  const row = { tenant: caller.tenant, name, version: 1, ...sealed, hosts, createdAt: now, updatedAt: now };
  const audit = auditRow(deps, caller, "secret.set", name);
  const details = hosts === undefined ? {} : { details: JSON.stringify({ hosts }) };
  const { stored, ...room } = await putSecret(deps.db, row, { ...audit, ...details });
  if (stored === null) return refuse(quotaFull("secrets", room));
  if (stored.version === 1) warnWhenNear(deps, caller.tenant, "secrets", room);
  evictSecret(caller.tenant, name);
  await recoverConnectionsWith(deps, caller.tenant, name);
  return accept(stored);
}

export type BindSecret = {
  readonly name: string;
  /** The hosts to which the secret may be sent; null: any host that actions may reach. */
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
  const restricted = dryRun
    ? await findSecret(deps.db, tenant, name)
    : await bind(deps.db, { tenant, name, hosts, updatedAt }, audit);
  if (restricted === null) return refuse({ code: "not_found", message: `There is no secret "${name}".` });
  if (!dryRun) evictSecret(tenant, name);
  return accept({ name, version: restricted.version, hosts, createdAt: restricted.createdAt, updatedAt });
}

export type ListSecrets = { readonly cursor: string | null; readonly limit: number };

export async function listSecrets(
  deps: Deps,
  caller: TenantCaller,
  input: ListSecrets,
): Promise<Result<Page<SecretSummary>>> {
  return list(deps.db, caller.tenant, input.cursor, input.limit);
}

export type DeleteSecret = { readonly name: string; readonly reason: string | null; readonly dryRun: boolean };

export async function deleteSecret(
  deps: Deps,
  caller: TenantCaller,
  { name, reason, dryRun }: DeleteSecret,
): Promise<Result<SecretSummary>> {
  const current = await findSecret(deps.db, caller.tenant, name);
  if (current === null) return refuse({ code: "not_found", message: `There is no secret "${name}".` });
  if (!dryRun) {
    const audit = auditRow(deps, caller, "secret.delete", name, reason);
    await remove(deps.db, caller.tenant, name, audit);
    evictSecret(caller.tenant, name);
  }
  const { version, hosts, createdAt, updatedAt } = current;
  return accept({ name, version, hosts, createdAt, updatedAt });
}
