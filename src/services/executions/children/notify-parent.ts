// Notifies the parent that waits for an execution of its end, by an event. The event's id follows from the child's, so that
// the parent accepts it once.
import { childRequestKey } from "#kernel/execution/children/parting.ts";
import { childEvent, childEventId, type ChildEnd, type Parent } from "#schema/engine/child.ts";
import type { Confirmation, OutboxMessage } from "#schema/engine/outbox.ts";
import { isUndecided, mayPass } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { TenantCaller } from "../../deps.ts";
import { type ControlDeps, sendEvent } from "../control-execution.ts";
import { cellName } from "../../cells/placement.ts";
import { checkPayload } from "../../size-limits.ts";

/** Empty if the parent can accept it only later. Throws if an object cannot be reached. */
export async function notifyParent(
  deps: ControlDeps,
  child: ExecutionState,
  messages: readonly OutboxMessage[],
): Promise<readonly Confirmation[]> {
  const { tenant, id: execution, parent, correlationId } = child;
  if (!parent) return [];
  const caller: TenantCaller = { actor: { kind: "engine", id: execution }, tenant, scopes: [] };
  const id = childEventId(execution);
  const sent = await sendEvent(deps, caller, {
    execution: parent.execution,
    id,
    key: null,
    ...eventOf(child, parent),
    source: "execution",
    correlationId,
    dryRun: false,
    incarnation: parent.incarnation,
  });
  if (!sent.ok && mayPass(sent.refusal)) return [];
  if (!sent.ok && !(await isChildEndNoted(deps, child, parent))) return [];
  const took = sent.ok ? statesAfter(sent.value.state, id) : null;
  const refused = sent.ok ? null : sent.refusal.code;
  return messages.map(({ key }) => ({ kind: "child_ended", key, refused, ...(took === null ? {} : { took }) }));
}

/** A parent that refuses the event may wait for this child before it ends. */
async function isChildEndNoted(deps: ControlDeps, child: ExecutionState, parent: Parent): Promise<boolean> {
  const { execution, run, incarnation } = parent;
  const result = { run, found: "ended", execution: child.id, at: deps.now() } as const;
  const items = [{ kind: "child_request", key: childRequestKey({ run }), ...result } as const];
  const [answer] =
    (await deps.cell(cellName(child.tenant, execution)).confirm([{ execution, incarnation, items }])) ?? [];
  return !(answer && !answer.ok && isUndecided(answer.refusal));
}

/** Null while the parent buffers the event. */
function statesAfter({ buffer, position }: ExecutionState, id: string): string | null {
  return buffer.some(({ message }) => message.id === id) ? null : position.states.join(", ");
}

function eventOf({ id, status, variables }: ExecutionState, { run, action }: Parent) {
  const about = { execution: id, status, run, actionId: action };
  const whole: ChildEnd = { ...about, variables };
  // Variables may exceed an event's limit. Then the parent's actions can read the child.
  const payload: ChildEnd = checkPayload(whole).ok ? whole : { ...about, variables: null };
  return { type: childEvent(status), payload };
}
