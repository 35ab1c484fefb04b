// Child requests: cancels an execution's child, or checks whether the child has ended. If the child's id is unknown, it
// is derived from the key of the run that started the child. The outbox consumer calls this.
import { childRequests } from "#kernel/execution/children/children-on-end.ts";
import type { ChildRequest, ChildRequestResult } from "#schema/engine/child.ts";
import type { Confirmation, OutboxMessage } from "#schema/engine/outbox.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { mayPass, type Refusal } from "#schema/refusal.ts";
import { cellName } from "../../cells/ids-and-cells.ts";
import type { Deps, TenantCaller } from "../../deps.ts";
import { childIds } from "../act-on-executions.ts";
import { cancelExecution } from "../control-execution.ts";

/**
 * Returns the confirmations of the completed requests. If one child cannot be reached, the requests about other
 * children are still carried out.
 */
export async function carryOutChildRequests(
  deps: Deps,
  parent: ExecutionState,
  messages: readonly OutboxMessage[],
): Promise<readonly Confirmation[]> {
  const keys = new Set(messages.map(({ key }) => key));
  const requests = childRequests(parent).filter(({ key }) => keys.has(key));
  const results = await Promise.allSettled(requests.map((request) => carryOutRequest(deps, parent, request)));
  for (const result of results) {
    if (result.status === "fulfilled") continue;
    deps.log({ level: "warn", event: "child_not_reached", execution: parent.id, message: String(result.reason) });
  }
  return results.flatMap((result, index): readonly Confirmation[] => {
    const request = requests[index];
    if (result.status === "rejected" || !request) return [];
    return [{ kind: "child_request", key: request.key, ...result.value }];
  });
}

async function carryOutRequest(deps: Deps, parent: ExecutionState, request: ChildRequest): Promise<ChildRequestResult> {
  const { run } = request;
  const now = deps.now();
  const child = await findChild(deps, parent, request);
  if (child === null) return { run, found: "none", execution: null, at: now };
  const { execution } = child;
  if (child.state !== null && isFinalStatus(child.state.status)) return { run, found: "ended", execution, at: now };
  if (request.kind === "look") return { run, found: "live", execution, at: now };
  return {
    run,
    found: await cancel(deps, parent, { ...request, execution, incarnation: child.state?.createdAt }),
    execution,
    at: now,
  };
}

/** A child that exists. `state` is null if its object cannot read it. */
type Child = { readonly execution: string; readonly state: ExecutionState | null };

async function findChild(deps: Deps, parent: ExecutionState, { run, execution }: ChildRequest): Promise<Child | null> {
  const { tenant, id } = parent;
  for (const each of execution === null ? await childIds(tenant, `${id}/${run}`) : [execution]) {
    const read = await deps.cell(cellName(tenant, each)).read(each);
    if (read.ok && isChildOf(read.value, parent, run)) return { execution: each, state: read.value };
    if (!read.ok && read.refusal.code === "execution_unreadable") return { execution: each, state: null };
    if (!read.ok && isUnclear(read.refusal)) throw new Error(read.refusal.message);
  }
  return null;
}

/**
 * True if the parent's run started this execution. If the id was reused, the execution may have another parent, or
 * none.
 */
function isChildOf({ parent: stored }: ExecutionState, parent: ExecutionState, run: string): boolean {
  if (stored?.execution !== parent.id || stored.run !== run) return false;
  return stored.incarnation === parent.createdAt;
}

function isUnclear(refusal: Refusal): boolean {
  return refusal.code !== "not_found" && mayPass(refusal);
}

type ChildToCancel = ChildRequest & { readonly execution: string; readonly incarnation: number | undefined };

async function cancel(deps: Deps, parent: ExecutionState, child: ChildToCancel): Promise<"canceled" | "ended"> {
  const caller: TenantCaller = { actor: { kind: "engine", id: parent.id }, tenant: parent.tenant, scopes: [] };
  const reason = `parent_${child.reason.replace(/^execution_/, "")}`;
  const canceled = await cancelExecution(deps, caller, {
    execution: child.execution,
    verb: { kind: "cancel", reason },
    // Each repeat uses the same key. The key contains the parent's incarnation, because a later execution with the
    // parent's id is another parent.
    key: `parent:${parent.id}/${child.run}/${parent.createdAt}`,
    dryRun: false,
    incarnation: child.incarnation,
  });
  if (canceled.ok) return "canceled";
  const { code, message } = canceled.refusal;
  if (code === "execution_final" || code === "not_found") return "ended";
  throw new Error(message);
}
