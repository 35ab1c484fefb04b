// Unreadable executions: the refusal that callers get, and the placeholder from which such an execution can be
// canceled.
import { placeholderState } from "#kernel/programs/placeholder.ts";
import { timeOf } from "#schema/ids.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { refuse } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Heads } from "./heads.ts";
import type { Quarantine } from "./quarantine.ts";

type Cell = { readonly heads: Heads; readonly name: string };

/** The parts of the heads that a refusal needs. */
export type Absent = Pick<Heads, "isUnreadable" | "identity"> & { readonly quarantine: Pick<Quarantine, "get"> };

/** Refuses a call for an execution that the cell does not have, or that this code cannot read. */
export function refuseAbsent(heads: Absent, execution: string) {
  if (!heads.isUnreadable(execution))
    return refuse({ code: "not_found", message: `There is no execution ${execution}.` });
  const { reason = "", since = 0 } = heads.quarantine.get(execution) ?? {};
  return refuse({
    code: "execution_unreadable",
    message: `The code that is deployed cannot read execution ${execution}: ${reason}`,
    hint: `Deploy code that can read the execution. The execution then continues automatically. To end the execution instead, call POST /v1/executions/${execution}/cancel.`,
    details: { reason, since, identity: heads.identity(execution) === null ? "unknown" : "known" },
  });
}

/**
 * Returns the placeholder of an unreadable execution. Its identity comes from the row, else from the caller, else from
 * the id alone.
 */
export function placeholderFor({ heads, name }: Cell, execution: string, known?: Identity | null): ExecutionState {
  const { reason = "", since = 0 } = heads.quarantine.get(execution) ?? {};
  const state = heads.read(execution)?.state;
  const identity = state ?? heads.identity(execution) ?? known ?? unknownIdentity(name, execution, since);
  return placeholderState(execution, identity, { reason, since });
}

/** True if the execution is unreadable, and its row or the caller names its identity. */
export function canBeIdentified(heads: Heads, execution: string, known: Identity | null | undefined): boolean {
  return heads.isUnreadable(execution) && (known !== undefined || heads.identity(execution) !== null);
}

/** The identity of an execution of which only the id is known. */
export function unknownIdentity(cell: string, execution: string, since: number): Identity {
  return {
    tenant: tenantOf(cell),
    namespace: "default",
    definition: { id: "unknown", name: "unknown", version: 0 },
    placement: cell.endsWith(`/${execution}`) ? "own" : "pooled",
    correlationId: null,
    seq: 0,
    createdAt: timeOf(execution) ?? since,
  };
}

/** A cell's name begins with its tenant; `src/services/cells/ids-and-cells.ts` defines the names. */
export function tenantOf(cell: string): string {
  return cell.split("/")[0] ?? "";
}
