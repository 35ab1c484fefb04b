// Parent notifications: sends an event about the end of an execution to the parent that waits for it. The event's id is
// derived from the child's id, so that the parent accepts the event once.
import { childRequestKey } from "#kernel/execution/children/children-on-end.ts";
import { childEvent, childEventId, type ChildEnd, type Parent } from "#schema/engine/child.ts";
import type { Confirmation, OutboxMessage } from "#schema/engine/outbox.ts";
import { isUndecided, mayPass } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { TenantCaller } from "../../deps.ts";
import { type ControlDeps, sendEvent } from "../control-execution.ts";
import { cellName } from "../../cells/ids-and-cells.ts";
import { checkPayload } from "../../size-limits.ts";

/**
 * Notifies the parent. Returns no confirmation if the parent may accept the event later; the outbox then sends the
 * message again. Throws if an object cannot be reached.
 */
export async function notifyParent(
  deps: ControlDeps,
  child: ExecutionState,
  messages: readonly OutboxMessage[],
): Promise<readonly Confirmation[]> {
  const { tenant, id: execution, parent, correlationId } = child;
  if (!parent) return [];
  const caller: TenantCaller = { actor: { kind: "engine", id: execution }, tenant, scopes: [] };
  const id = childEventId(execution);
  const answer = await sendEvent(deps, caller, {
    execution: parent.execution,
    id,
    key: null,
    ...eventOf(child, parent),
    source: "execution",
    correlationId,
    dryRun: false,
    incarnation: parent.incarnation,
  });
  if (!answer.ok && mayPass(answer.refusal)) return [];
  if (!answer.ok && !(await isChildEndRecorded(deps, child, parent))) return [];
  const states = answer.ok ? statesAfter(answer.value.state, id) : null;
  const refused = answer.ok ? null : answer.refusal.code;
  return messages.map(({ key }) => ({
    kind: "child_ended",
    key,
    refused,
    ...(states === null ? {} : { took: states }),
  }));
}

/**
 * Reports the child's end to a parent that refused the event. The parent may be ending, and waiting for this child.
 * Returns false if the parent has not decided yet; the message is then sent again.
 */
async function isChildEndRecorded(deps: ControlDeps, child: ExecutionState, parent: Parent): Promise<boolean> {
  const { execution, run, incarnation } = parent;
  const result = { run, found: "ended", execution: child.id, at: deps.now() } as const;
  const items = [{ kind: "child_request", key: childRequestKey({ run }), ...result } as const];
  const [answer] =
    (await deps.cell(cellName(child.tenant, execution)).confirm([{ execution, incarnation, items }])) ?? [];
  return !(answer && !answer.ok && isUndecided(answer.refusal));
}

/** Returns the parent's states after it accepted the event. Returns null while the parent only buffers the event. */
function statesAfter({ buffer, position }: ExecutionState, id: string): string | null {
  return buffer.some(({ message }) => message.id === id) ? null : position.states.join(", ");
}

function eventOf({ id, status, variables }: ExecutionState, { run, action }: Parent) {
  const fields = { execution: id, status, run, actionId: action };
  const full: ChildEnd = { ...fields, variables };
  // A child's variables may exceed the limit of an event's payload. They are then left out, and an action of the parent
  // can read the child instead.
  const payload: ChildEnd = checkPayload(full).ok ? full : { ...fields, variables: null };
  return { type: childEvent(status), payload };
}
