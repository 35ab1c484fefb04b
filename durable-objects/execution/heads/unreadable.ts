// What callers are told of an execution that is not to be had here, and what stands in for one that is to be canceled all
// the same.
import { standIn } from "#kernel/programs/stand-in.ts";
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
    return refuse({ code: "not_found", message: `there is no execution ${execution}` });
  const { reason = "", since = 0 } = heads.quarantine.of(execution) ?? {};
  return refuse({
    code: "execution_unreadable",
    message: `${execution} cannot be read by the code that runs now: ${reason}`,
    hint: `It goes on by itself when code that can read it is deployed. POST /v1/executions/${execution}/cancel gives it up.`,
    details: { reason, since, identity: heads.identity(execution) === null ? "unknown" : "known" },
  });
}

/** Under what its row still tells of it, or else what the caller knows from elsewhere, or else its id alone. */
export function standInFor({ heads, name }: Cell, execution: string, known?: Identity | null): ExecutionState {
  const { reason = "", since = 0 } = heads.quarantine.of(execution) ?? {};
  const state = heads.read(execution)?.state;
  const identity = state ?? heads.identity(execution) ?? known ?? anonymous(name, execution, since);
  return standIn(execution, identity, { reason, since });
}

/** It is unreadable, and who it is can be told from its row, or has been asked for elsewhere. */
export function isToBeKnown(heads: Heads, execution: string, known: Identity | null | undefined): boolean {
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

/** Cells are named by it; `src/services/cells/placement.ts` says how. */
export function tenantOf(cell: string): string {
  return cell.split("/")[0] ?? "";
}
