// Outbox delivery: reads an execution's outbox, passes each kind of message to its handler, and confirms the handled
// messages. The execution sends unconfirmed messages again.
import { CELL_CALL_MS_MAX } from "#schema/limits/queues/consumers.ts";
import { OUTBOX_MESSAGES_PER_DELIVERY_MAX } from "#schema/limits/run-attempts.ts";
import type { OutboxQueueMessage } from "#schema/engine/message.ts";
import { outboxKinds, type Confirmation, type OutboxKind, type OutboxMessage } from "#schema/engine/outbox.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { isUndecided } from "#schema/refusal.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import type { Deps } from "#services/deps.ts";
import { registerCorrelationKey } from "#services/events/register-correlation-key.ts";
import { carryOutChildRequests } from "#services/executions/children/carry-out-requests.ts";
import { notifyParent } from "#services/executions/children/notify-parent.ts";
import { updateStartPlace } from "#services/executions/start-places.ts";
import { notifySubject } from "#services/subjects/subjects.ts";
import { updateTasks } from "#services/tasks/update-tasks.ts";
import type { ArrivalEnding } from "./arrival.ts";
import { withTimeout, type Later } from "./timeouts.ts";

/** Returns a confirmation for each handled message. Throws if the handler could handle no message. */
type Handler = (
  deps: Deps,
  sender: ExecutionState,
  messages: readonly OutboxMessage[],
) => Promise<readonly Confirmation[]>;

const handlers: { readonly [kind in OutboxKind]: Handler } = {
  child_ended: notifyParent,
  task_update: updateTasks,
  child_request: carryOutChildRequests,
  correlation_key: registerCorrelationKey,
  subject_ended: notifySubject,
  start_place: updateStartPlace,
};

export async function deliverOutbox(body: OutboxQueueMessage, deps: Deps, later: Later): Promise<ArrivalEnding> {
  const { tenant, execution } = body;
  const cell = deps.cell(cellName(tenant, execution));
  const inTime = <T>(work: Promise<T>): Promise<T> => withTimeout(later, CELL_CALL_MS_MAX, work);
  const logFailure = (fault: unknown, kind: OutboxKind | null): void => {
    deps.log({ level: "warn", event: "outbox_not_delivered", execution, kind, message: String(fault) });
  };

  /**
   * Delivers the messages of one kind. A failure is logged, so that messages of the other kinds are still delivered.
   */
  const deliver = async (kind: OutboxKind, sender: ExecutionState, all: readonly OutboxMessage[]) => {
    const messages = all.filter((message) => message.kind === kind);
    if (messages.length === 0) return [];
    try {
      return await inTime(handlers[kind](deps, sender, messages));
    } catch (fault) {
      logFailure(fault, kind);
      return [];
    }
  };

  try {
    const read = await inTime(cell.read(execution));
    if (!read.ok) return isUndecided(read.refusal) ? "again" : "done";
    const sender = read.value;
    const messages = (sender.outbox ?? []).slice(0, OUTBOX_MESSAGES_PER_DELIVERY_MAX);
    const items = (await Promise.all(outboxKinds.map((kind) => deliver(kind, sender, messages)))).flat();
    if (items.length === 0) return messages.length === 0 ? "done" : "again";
    const [answer] = (await inTime(cell.confirm([{ execution, incarnation: sender.createdAt, items }]))) ?? [];
    const isConfirmed = !answer || answer.ok || !isUndecided(answer.refusal);
    return isConfirmed && items.length === messages.length ? "done" : "again";
  } catch (fault) {
    logFailure(fault, null);
    return "again";
  }
}
