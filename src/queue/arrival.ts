// A message as it comes to the consumer of actions, and what has become of it.
import { isSlow, queueMessage, type ActionMessage, type OutboxQueueMessage } from "#schema/engine/message.ts";
import { SLOW_ABOVE_MS } from "#schema/limits/queues.ts";
import type { Claimant } from "#schema/engine/run.ts";
import type { Deps } from "#services/deps.ts";
import { cellName } from "#services/cells/placement.ts";
import type { Seatable } from "./places.ts";

/** As the platform delivers it, or whoever shares out what was delivered. */
export type Delivered = Pick<Message, "id" | "attempts" | "body" | "ack" | "retry">;
export type Arrival<Body> = Seatable & { readonly message: Delivered; readonly body: Body };
/** As a consumer takes it in hand: with the name that it claims in. */
export type ActionArrival = Arrival<ActionMessage> & { readonly claimant: Claimant };
export type OutboxArrival = Arrival<OutboxQueueMessage>;

/**
 * `slow`: those whose action was slow lately, for the queue of slow ones. A message that comes again stays, because only its
 * own next delivery gets what a lost consumer had claimed.
 */
export function bySpeed(
  actions: readonly ActionArrival[],
  wasSlow: (action: { readonly tenant: string; readonly action: string }) => boolean,
): { readonly short: readonly ActionArrival[]; readonly slow: readonly ActionArrival[] } {
  const [short, slow]: [ActionArrival[], ActionArrival[]] = [[], []];
  for (const arrival of actions) {
    const { body, tenant, message } = arrival;
    const isFirst = !isSlow(body) && message.attempts === 1;
    if (isFirst && body.action !== undefined && wasSlow({ tenant, action: body.action }))
      slow.push({ ...arrival, body: { ...body, timeoutMs: SLOW_ABOVE_MS } });
    else short.push(arrival);
  }
  return { short, slow };
}

/** It has done what it could, or has to come again. */
export type Ending = "done" | "again";

type Parsed = { readonly actions: readonly Arrival<ActionMessage>[]; readonly outboxes: readonly OutboxArrival[] };

/** A malformed message can never become well-formed: it is let go, loudly. */
export function parseMessages(messages: readonly Delivered[], deps: Pick<Deps, "log">): Parsed {
  const actions: Arrival<ActionMessage>[] = [];
  const outboxes: OutboxArrival[] = [];
  for (const message of messages) {
    const parsed = queueMessage.safeParse(message.body);
    if (!parsed.success) {
      deps.log({ level: "error", event: "malformed_action_message", id: message.id, issues: parsed.error.issues });
      message.ack();
    } else if (parsed.data.kind === "action") actions.push(actionArrival(message, parsed.data));
    else outboxes.push(outboxArrival(message, parsed.data));
  }
  return { actions, outboxes };
}

function actionArrival(message: Delivered, body: ActionMessage): Arrival<ActionMessage> {
  const { tenant, execution, priority, timeoutMs } = body;
  return { message, body, tenant, priority, timeoutMs, cell: cellName(tenant, execution) };
}

function outboxArrival(message: Delivered, body: OutboxQueueMessage): OutboxArrival {
  const { tenant, execution } = body;
  return { message, body, tenant, priority: 0, cell: cellName(tenant, execution) };
}

/**
 * Those of one cell side by side, as urgent as the most urgent of them: one call claims them. `batch` is chance, and no
 * two arrivals have one name, not even of a message that came twice.
 */
export function byCell(actions: readonly Arrival<ActionMessage>[], batch: Uint8Array): readonly ActionArrival[] {
  const name = Array.from(batch, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const cells = Map.groupBy(actions, ({ cell }) => cell);
  const together = [...cells.values()].flatMap((members) => {
    const priority = Math.max(...members.map((member) => member.priority));
    return members.toSorted((a, b) => b.priority - a.priority).map((member) => ({ ...member, priority }));
  });
  return together.map((each, at) => {
    const { id, attempts } = each.message;
    return { ...each, claimant: { message: id, delivery: attempts, arrival: `${name}.${at}` } };
  });
}
