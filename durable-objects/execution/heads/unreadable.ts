// Unreadable executions: the refusal that callers get, and the placeholder with which one can still be canceled.
import { standIn } from "#kernel/programs/placeholder.ts";
import { timeOf } from "#schema/ids.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { refuse } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Heads } from "./heads.ts";
import type { Quarantine } from "./quarantine.ts";

type Cell = { readonly heads: Heads; readonly name: string };

export type Absent = Pick<Heads, "isUnreadable" | "identity"> & { readonly quarantine: Pick<Quarantine, "of"> };

export function refuseAbsent(heads: Absent, execution: string) {
  if (!heads.isUnreadable(execution))
    return refuse({ code: "not_found", message: `There is no execution ${execution}.` });
  const { reason = "", since = 0 } = heads.quarantine.of(execution) ?? {};
  return refuse({
    code: "execution_unreadable",
    message: `The code that is deployed cannot read execution ${execution}: ${reason}`,
    hint: `Deploy code that can read it: it then continues automatically. To end it instead, call POST /v1/executions/${execution}/cancel.`,
    details: { reason, since, identity: heads.identity(execution) === null ? "unknown" : "known" },
  });
}

/** Identified by what its row still holds, else by what the caller passes, else by its id alone. */
export function placeholderFor({ heads, name }: Cell, execution: string, known?: Identity | null): ExecutionState {
  const { reason = "", since = 0 } = heads.quarantine.of(execution) ?? {};
  const state = heads.read(execution)?.state;
  const identity = state ?? heads.identity(execution) ?? known ?? anonymous(name, execution, since);
  return standIn(execution, identity, { reason, since });
}

/** It is unreadable, and its identity is in its row or was looked up elsewhere. */
export function needsIdentity(heads: Heads, execution: string, known: Identity | null | undefined): boolean {
  return heads.isUnreadable(execution) && (known !== undefined || heads.identity(execution) !== null);
}

export function anonymous(cell: string, execution: string, since: number): Identity {
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

/** Cell names begin with it; `src/services/cells/placement.ts` defines them. */
export function tenantOf(cell: string): string {
  return cell.split("/")[0] ?? "";
}
