// Looks after an address at once, because an operator asks: what is not in the chain is sent again, nonces that nobody has
// are filled, and what is lost for good is said to be. The audit row comes first: what was sent cannot be taken back.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { LookedAfter } from "#schema/signer.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { openCredentials } from "../connections/connection-credentials.ts";
import { findConnection } from "../connections/find-connection.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { tenantSuspended } from "../quotas/take-quota.ts";
import { termsOf } from "../quotas/tenant-terms.ts";
import { getSigner, type SignerName, type SignerView } from "./get-signer.ts";

export type ReconcileSigner = SignerName & {
  /** null: the tenant's only one for a chain. */
  readonly connection: string | null;
  readonly reason: string;
  readonly dryRun: boolean;
};
export type Reconciled = SignerView & {
  readonly done: Extract<LookedAfter, { readonly ok: true }>;
  readonly dryRun: boolean;
};

export async function reconcileSigner(
  deps: Deps,
  caller: TenantCaller,
  input: ReconcileSigner,
): Promise<Result<Reconciled>> {
  const { tenant } = caller;
  const { suspended } = await termsOf(deps, tenant);
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
  const done = await deps.lookAfter({ tenant, chainId, address, account, bounds, dryRun: input.dryRun });
  if (!done.ok) return refusedBy(done.error);
  const after = await getSigner(deps, caller, input);
  return accept({ ...(after.ok ? after.value : before.value), done, dryRun: input.dryRun });
}

function refusedBy(error: ActionError): Result<never> {
  if (error.type === "invalid_configuration") return wrongConnection(error);
  return refuse({
    code: "unavailable",
    message: `The chain's node was asked and did not say: ${error.message}`,
    hint: "Nothing was sent. Try again, or give the connection another rpcUrl.",
  });
}

function wrongConnection({ code = "connection_wrong", message }: ActionError): Result<never> {
  return refuse({
    code: "invalid_input",
    message: `The account that signs for the address cannot be used: ${message}`,
    hint: 'Name it in the body, as in {"reason":"…","connection":"wallet"}.',
    errors: [{ pointer: "/connection", code, message }],
  });
}
