// Cancels the children that an execution wants canceled, looks whether those it waits for have ended, and tells it what
// came of each. What it wants is read where it lives; a child that nobody has named is where its run's key leads.
import { childErrands } from "#kernel/execution/children/child-requests.ts";
import type { ChildDone, ChildErrand } from "#schema/engine/child.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { CHILDREN_AT_ONCE_MAX } from "#schema/limits/children.ts";
import { isUndecided, mayPass, type Refusal } from "#schema/refusal.ts";
import { cellName } from "../../cells/placement.ts";
import type { Deps, TenantCaller } from "../../deps.ts";
import { childIds } from "../act-on-executions.ts";
import { cancelExecution } from "../cancel-execution.ts";

export type Asking = { readonly tenant: string; readonly execution: string };

/** False: some could not be seen to, or be told of, just now. Throws where an object cannot be reached. */
export async function seeToChildren(deps: Deps, { tenant, execution }: Asking): Promise<boolean> {
  const cell = deps.cell(cellName(tenant, execution));
  const read = await cell.read(execution);
  // Seen to before and gone since.
  if (!read.ok) return true;
  const errands = childErrands(read.value).slice(0, CHILDREN_AT_ONCE_MAX);
  if (errands.length === 0) return true;
  const { done, left } = await seeToEach(deps, read.value, errands);
  if (done.length === 0) return false;
  const [answer] = (await cell.childrenDone([{ execution, done }])) ?? [];
  return left === 0 && !(answer && !answer.ok && isUndecided(answer.refusal));
}

/** One that cannot be reached keeps none of the others. */
async function seeToEach(
  deps: Deps,
  state: ExecutionState,
  errands: readonly ChildErrand[],
): Promise<{ readonly done: readonly ChildDone[]; readonly left: number }> {
  const ends = await Promise.allSettled(errands.map((errand) => seeToOne(deps, state, errand)));
  for (const end of ends) {
    if (end.status === "fulfilled") continue;
    deps.log({ level: "warn", event: "child_not_seen_to", execution: state.id, message: String(end.reason) });
  }
  const done = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  return { done, left: ends.length - done.length };
}

async function seeToOne(deps: Deps, parent: ExecutionState, errand: ChildErrand): Promise<ChildDone> {
  const { run } = errand;
  const at = deps.now();
  const child = await findChild(deps, parent, errand);
  if (child === null) return { run, found: "none", execution: null, at };
  const { execution } = child;
  if (child.state !== null && isFinalStatus(child.state.status)) return { run, found: "ended", execution, at };
  if (errand.kind === "look") return { run, found: "live", execution, at };
  return {
    run,
    found: await cancel(deps, parent, { ...errand, execution, incarnation: child.state?.createdAt }),
    execution,
    at,
  };
}

/** `state`: null where its object cannot make sense of it. */
type Child = { readonly execution: string; readonly state: ExecutionState | null };

async function findChild(deps: Deps, parent: ExecutionState, { run, execution }: ChildErrand): Promise<Child | null> {
  const { tenant, id } = parent;
  for (const each of execution === null ? await childIds(tenant, `${id}/${run}`) : [execution]) {
    const read = await deps.cell(cellName(tenant, each)).read(each);
    if (read.ok && isChildOf(read.value, parent, run)) return { execution: each, state: read.value };
    if (!read.ok && read.refusal.code === "execution_unreadable") return { execution: each, state: null };
    if (!read.ok && isUnclear(read.refusal)) throw new Error(read.refusal.message);
  }
  return null;
}

/** An id that was used again is somebody else's child, or nobody's. */
function isChildOf({ parent: known }: ExecutionState, parent: ExecutionState, run: string): boolean {
  if (known?.execution !== parent.id || known.run !== run) return false;
  return known.incarnation === undefined || known.incarnation === parent.createdAt;
}

function isUnclear(refusal: Refusal): boolean {
  return refusal.code !== "not_found" && mayPass(refusal);
}

type Canceling = ChildErrand & { readonly execution: string; readonly incarnation: number | undefined };

async function cancel(deps: Deps, parent: ExecutionState, child: Canceling): Promise<"canceled" | "ended"> {
  const caller: TenantCaller = { actor: { kind: "engine", id: parent.id }, tenant: parent.tenant, scopes: [] };
  const reason = `parent_${child.reason.replace(/^execution_/, "")}`;
  const canceled = await cancelExecution(deps, caller, {
    execution: child.execution,
    verb: { kind: "cancel", reason },
    // The same however often it is sent; and a new life of the parent's id is another parent.
    key: `parent:${parent.id}/${child.run}/${parent.createdAt}`,
    dryRun: false,
    incarnation: child.incarnation,
  });
  if (canceled.ok) return "canceled";
  const { code, message } = canceled.refusal;
  if (code === "execution_final" || code === "not_found") return "ended";
  throw new Error(message);
}
