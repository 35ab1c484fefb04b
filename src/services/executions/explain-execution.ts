// Why an execution stands where it stands: its object knows, and is asked once; beside it the connections that hold its
// runs are asked how they are doing. Of one whose object is gone, what the catalog kept is told.
import { tell } from "#policy/advice/explanation/tell.ts";
import { explainRetired } from "#policy/advice/explanation/retired.ts";
import type { Explanation, ToldExplanation, Wait } from "#schema/engine/explanation.ts";
import type { GateView } from "#schema/gate.ts";
import { EXPLAINED_CONNECTIONS_MAX } from "#schema/limits/explaining.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { cellName } from "../cells/placement.ts";
import { reach } from "../cells/reach.ts";
import { getConnection } from "../connections/get-connection.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { termsOf } from "../quotas/tenant-terms.ts";
import { historyGone, retiredRow } from "./retired.ts";

export type ExplainedExecution = { readonly told: ToldExplanation; readonly retired: boolean };

export async function explainExecution(
  deps: Deps,
  caller: TenantCaller,
  { execution }: { readonly execution: string },
): Promise<Result<ExplainedExecution>> {
  const { suspended } = await termsOf(deps, caller.tenant);
  const query = { execution, suspended: suspended !== null };
  const answer = await reach(() => deps.cell(cellName(caller.tenant, execution)).explain(query));
  const read = answer.ok ? answer.value : answer;
  if (read.ok) return accept({ told: tell(await withGates(deps, caller, read.value)), retired: false });
  if (read.refusal.code !== "not_found") return read;
  const row = await retiredRow(deps, caller.tenant, execution);
  if (row === null) return read;
  return row.erasedAt
    ? refuse(historyGone(row))
    : accept({ told: tell(explainRetired(row, deps.now())), retired: true });
}

/** What a run was told when it was held may be over; a person wants to know how its connection is doing now. */
async function withGates(deps: Deps, caller: TenantCaller, explanation: Explanation): Promise<Explanation> {
  const names = explanation.waits.flatMap((wait) => connectionOf(wait) ?? []);
  const asked = [...new Set(names)].slice(0, EXPLAINED_CONNECTIONS_MAX);
  const gates = new Map(
    await Promise.all(asked.map(async (name) => [name, await gateOf(deps, caller, name)] as const)),
  );
  const waits = explanation.waits.map((wait) => {
    const gate = gates.get(connectionOf(wait) ?? "");
    return wait.for === "connection" && gate ? { ...wait, gate } : wait;
  });
  return { ...explanation, waits };
}

function connectionOf(wait: Wait): string | null {
  return wait.for === "connection" ? wait.connection : null;
}

/** null: it is gone, or nobody answers; the rest is told all the same. */
async function gateOf(deps: Deps, caller: TenantCaller, ref: string): Promise<GateView | null> {
  try {
    const found = await getConnection(deps, caller, { ref });
    return found.ok ? found.value.state : null;
  } catch (cause) {
    deps.log({ level: "warn", message: "a connection cannot be looked up", connection: ref, error: String(cause) });
    return null;
  }
}
