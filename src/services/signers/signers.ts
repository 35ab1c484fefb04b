// Signers: reads the nonces of a signing address, and reconciles them with the chain.
import { signerAdvice } from "#policy/advice/signer-advice.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { SignerOverview, MaintainAddressAnswer } from "#schema/signer.ts";
import { recordAudit } from "../audit/audit.ts";
import { openCredentials } from "../connections/connection-credentials.ts";
import { findConnection } from "../connections/find-connection.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { tenantSuspended } from "../quotas/take-quota.ts";
import { tenantSettingsOf } from "../quotas/tenant-settings.ts";

/** `chain` is a known name, or the chain's id. */
export type SignerName = { readonly chain: string; readonly address: string };
export type SignerView = {
  readonly chainId: number;
  readonly address: string;
  readonly signer: SignerOverview;
  readonly advice: readonly string[];
};

export async function getSigner(deps: Deps, caller: TenantCaller, name: SignerName): Promise<Result<SignerView>> {
  const chainId = chainIdIn(deps, name.chain);
  const address = name.address.toLowerCase();
  const signer = chainId === null ? null : await deps.signer(caller.tenant, chainId, address).overview();
  if (chainId === null || signer === null || isUnused(signer)) return noSigner(name);
  return accept({ chainId, address, signer, advice: signerAdvice(signer, deps.now()) });
}

function chainIdIn(deps: Deps, chain: string): number | null {
  return /^\d+$/.test(chain) ? Number(chain) : deps.chainIdOf(chain);
}

function isUnused({ next, reserved, inFlight, kept }: SignerOverview): boolean {
  return next === null && reserved.length + inFlight.length + kept.length === 0;
}

function noSigner({ chain, address }: SignerName): Result<never> {
  return refuse({
    code: "not_found",
    message: `No transaction was sent from ${address} on the chain ${chain}.`,
    hint: "Use the id of a custom chain, as in /v1/signers/31337/0x…; the address belongs to a connection's privateKey.",
  });
}

export type ReconcileSigner = SignerName & {
  /** The connection that has the address's private key. Null: the tenant's only connection for a chain. */
  readonly connection: string | null;
  readonly reason: string;
  readonly dryRun: boolean;
};
export type ReconcileResult = SignerView & {
  readonly done: Extract<MaintainAddressAnswer, { readonly ok: true }>;
  readonly dryRun: boolean;
};

export async function reconcileSigner(
  deps: Deps,
  caller: TenantCaller,
  input: ReconcileSigner,
): Promise<Result<ReconcileResult>> {
  const { tenant } = caller;
  const { suspended } = await tenantSettingsOf(deps, tenant);
  if (suspended !== null) return refuse(tenantSuspended(suspended));
  const before = await getSigner(deps, caller, input);
  if (!before.ok) return before;
  const { chainId, address } = before.value;
  const found = await findConnection(deps, tenant, input.connection, "evm");
  if (!found.ok) return wrongConnection(found.error);
  const { row } = found;
  const opened = await openCredentials(deps, row);
  if (!opened.ok) return wrongConnection(opened.error);
  const { baseUrl = null, settings = {} } = row.settings;
  const account = { name: row.name, baseUrl, settings, credentials: opened.values };
  if (!input.dryRun) await recordAudit(deps, caller, "signer.reconcile", `${chainId}/${address}`, input.reason);
  const { bounds } = opened;
  const done = await deps.maintainAddress({ tenant, chainId, address, account, bounds, dryRun: input.dryRun });
  if (!done.ok) return refusedBy(done.error);
  const after = await getSigner(deps, caller, input);
  return accept({ ...(after.ok ? after.value : before.value), done, dryRun: input.dryRun });
}

function refusedBy(error: ActionError): Result<never> {
  if (error.type === "invalid_configuration") return wrongConnection(error);
  return refuse({
    code: "unavailable",
    message: `The chain's node gave no valid answer: ${error.message}`,
    hint: "Nothing was sent. Retry, or set another rpcUrl on the connection.",
  });
}

function wrongConnection({ code = "connection_wrong", message }: ActionError): Result<never> {
  return refuse({
    code: "invalid_input",
    message: `The connection of the address cannot be used: ${message}`,
    hint: 'Name the connection in the body, as in {"reason":"…","connection":"wallet"}.',
    errors: [{ pointer: "/connection", code, message }],
  });
}
