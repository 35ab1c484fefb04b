// Reads one connection, and how it is doing: its breaker, what is under way, its token's age.
import type { StoredConnection } from "#catalog/connections.ts";
import type { GateView } from "#schema/gate.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { termsOf } from "./connection-terms.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { findNamed } from "../named/find-named.ts";
import { viewOf } from "../named/named-noun.ts";
import { connectionNoun, type ConnectionView } from "./connection-noun.ts";

/** `state` is null where its object does not answer. */
export type ConnectionInUse = ConnectionView & { readonly state: GateView | null };

export async function getConnection(
  deps: Deps,
  caller: TenantCaller,
  { ref }: { readonly ref: string },
): Promise<Result<ConnectionInUse>> {
  const found = await findNamed(deps, caller, connectionNoun, ref);
  if (!found.ok) return found;
  return accept({ ...viewOf(found.value), state: await stateOf(deps, found.value) });
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
