// Reads one connection, and how it is doing: its breaker, what is under way, its token's age.
import { findConnection, type StoredConnection } from "#catalog/connections.ts";
import type { GateView } from "#schema/gate.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { termsOf } from "./connection-terms.ts";
import { noConnection, viewOf, type ConnectionInUse } from "./connection-view.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export async function getConnection(
  deps: Deps,
  caller: TenantCaller,
  { ref }: { readonly ref: string },
): Promise<Result<ConnectionInUse>> {
  const row = await findConnection(deps.db, caller.tenant, ref);
  if (row === null) return refuse(noConnection(ref));
  return accept({ ...viewOf(row), state: await stateOf(deps, row) });
}

/** What is stored can be read also when its object is being moved. */
async function stateOf(deps: Deps, row: StoredConnection): Promise<GateView | null> {
  try {
    return await deps.gate(`${row.tenant}/${row.id}`).read(termsOf(row.settings));
  } catch (cause) {
    deps.log({
      level: "warn",
      message: "a connection's object does not answer",
      connection: row.id,
      error: String(cause),
    });
    return null;
  }
}
