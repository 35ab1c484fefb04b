// Tells an execution how one that it started and waits for has ended. The event's id follows from the child's, so that
// twice is once; afterwards the child is told that its parent knows.
import { childEvent, childEventId, type ChildEnd } from "#schema/engine/child.ts";
import { isUndecided, mayPass } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { TenantCaller } from "../../deps.ts";
import type { ControlDeps } from "../control-execution.ts";
import { cellName } from "../../cells/placement.ts";
import { sendEvent } from "../send-event.ts";
import { checkPayload } from "../../size-limits.ts";

/** False: it could not be told just now. Throws where an object cannot be reached. */
export async function deliverSignal(
  deps: ControlDeps,
  { tenant, execution }: { readonly tenant: string; readonly execution: string },
): Promise<boolean> {
  const child = deps.cell(cellName(tenant, execution));
  const read = await child.read(execution);
  // Told before and gone since, or told before.
  if (!read.ok || !read.value.parent || !read.value.owed) return true;
  const caller: TenantCaller = { actor: { kind: "engine", id: execution }, tenant, scopes: [] };
  const { incarnation } = read.value.parent;
  const id = childEventId(execution);
  const sent = await sendEvent(deps, caller, {
    execution: read.value.parent.execution,
    id,
    key: null,
    ...eventOf(read.value),
    source: "execution",
    correlationId: read.value.correlationId,
    dryRun: false,
    ...(incarnation === undefined ? {} : { incarnation }),
  });
  if (!sent.ok && mayPass(sent.refusal)) return false;
  if (!sent.ok && !(await isNoted(deps, tenant, read.value))) return false;
  const took = sent.ok ? standingAfter(sent.value.state, id) : null;
  const refused = sent.ok ? null : sent.refusal.code;
  const [answer] = (await child.confirmMany([{ execution, refused, ...(took === null ? {} : { took }) }])) ?? [];
  return !(answer && !answer.ok && isUndecided(answer.refusal));
}

/** A parent that has no use for the news keeps its children all the same, and may wait for this one before it ends. */
async function isNoted(deps: ControlDeps, tenant: string, { id, parent }: ExecutionState): Promise<boolean> {
  if (!parent) return true;
  const done = [{ run: parent.run, found: "ended" as const, execution: id, at: deps.now() }];
  const items = [{ execution: parent.execution, done }];
  const [answer] = (await deps.cell(cellName(tenant, parent.execution)).childrenDone(items)) ?? [];
  return !(answer && !answer.ok && isUndecided(answer.refusal));
}

/** Null where the event waits there, for a pause to end or a state to come: nothing has been done about it yet. */
function standingAfter({ buffer, position }: ExecutionState, id: string): string | null {
  return buffer.some(({ message }) => message.id === id) ? null : position.states.join(", ");
}

function eventOf({ id, status, variables, parent }: ExecutionState): {
  readonly type: string;
  readonly payload: ChildEnd;
} {
  const about = { execution: id, status, run: parent?.run ?? "", actionId: parent?.action ?? "" };
  const whole = { ...about, variables };
  // Variables may be larger than an event; then whoever wants them reads the child.
  const payload = checkPayload(whole).ok ? whole : { ...about, variables: null };
  return { type: childEvent(status), payload };
}
