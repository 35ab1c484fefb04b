// Keeps a secret, sealed. Its value goes in here and comes out only where a run is carried out (fill-ticket.ts).
// Setting it again is a new version; whether the value is the same is not compared: an answer that told would let
// values be guessed.
import { findSecret, putSecret, type SecretSummary } from "#catalog/secrets.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { mendConnectionsWith } from "../connections/mend-connections.ts";
import { auditRow } from "../audit/record-audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { quotaFull, warnWhenNear } from "../quotas/kept-quota.ts";
import { aboutSecret, forgetSecret } from "./open-secrets.ts";
import { IV_BYTES, openKeyring, seal } from "./sealing.ts";
import { checkSecretValue } from "../size-limits.ts";

export type SetSecret = {
  readonly name: string;
  readonly value: string;
  /** Where it may go; null: anywhere that actions may reach; undefined: as it is. */
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
    const held = await findSecret(deps.db, caller.tenant, name);
    const kept = hosts === undefined ? (held?.hosts ?? null) : hosts;
    const version = (held?.version ?? 0) + 1;
    return accept({ name, version, hosts: kept, createdAt: held?.createdAt ?? now, updatedAt: now });
  }
  const sealed = await seal(ring.value, aboutSecret(caller.tenant, name), input.value, deps.randomBytes(IV_BYTES));
  const row = { tenant: caller.tenant, name, version: 1, ...sealed, hosts, createdAt: now, updatedAt: now };
  const audit = auditRow(deps, caller, "secret.set", name);
  const details = hosts === undefined ? {} : { details: JSON.stringify({ hosts }) };
  const { stored, ...room } = await putSecret(deps.db, row, { ...audit, ...details });
  if (stored === null) return refuse(quotaFull("secrets", room));
  if (stored.version === 1) warnWhenNear(deps, caller.tenant, "secrets", room);
  forgetSecret(caller.tenant, name);
  await mendConnectionsWith(deps, caller.tenant, name);
  return accept(stored);
}
