// Carries out queued runs: claim, run, settle, acknowledge. It holds no state: what is lost here is found again by
// the execution's alarm. Runs of one cell share one claim call and, as far as they end together, one settle call.
import { actionMessage, type ActionMessage } from "#schema/message.ts";
import type { Outcome } from "#schema/outcome.ts";
import type { Ticket } from "#schema/run.ts";
import type { Deps } from "#services/deps.ts";
import { cellName } from "#services/placement.ts";
import { openSettling } from "./settling.ts";
import { limited, mapLimited } from "./slots.ts";

/** The platform lets an invocation wait for six answers at once. */
const CONNECTIONS_MAX = 6;
/** Groups claimed ahead of their turn: enough to keep the connections busy, few enough not to run into deadlines. */
const GROUPS_AT_ONCE = 24;
const GROUP_MAX = 12;

export type RunAction = (ticket: Ticket) => Promise<Outcome>;

type Delivery = { readonly message: Message; readonly body: ActionMessage };
type Group = { readonly cell: string; readonly deliveries: readonly Delivery[] };

export async function consumeActions(batch: MessageBatch, deps: Deps, run: RunAction): Promise<void> {
  const deliveries = batch.messages.flatMap((message) => parseAction(message, deps));
  const urgentFirst = deliveries.toSorted((a, b) => b.body.priority - a.body.priority);
  const slot = limited(CONNECTIONS_MAX);
  await mapLimited(groupsOf(urgentFirst), GROUPS_AT_ONCE, (group) => carryOut(group, deps, (ticket) => slot(() => run(ticket))));
}

async function carryOut({ cell, deliveries }: Group, deps: Deps, run: RunAction): Promise<void> {
  try {
    const claims = await deps.cell(cell).claimMany(deliveries.map(({ body }) => body));
    const settling = openSettling(deps, cell);
    await Promise.all(
      deliveries.map(async ({ message, body }, index) => {
        const claim = claims[index];
        // Refused: canceled, paused, late, or somebody else has it. The message has done what it could.
        if (!claim?.ok) return message.ack();
        const outcome = await run(claim.value);
        const { execution, run: id, attempt } = body;
        const settled = await settling.settle({ execution, run: id, attempt, outcome });
        if (settled) message.ack();
        else retryLater(message);
      }),
    );
  } catch (fault) {
    deps.log({ level: "warn", event: "actions_not_claimed", cell, count: deliveries.length, message: String(fault) });
    for (const { message } of deliveries) retryLater(message);
  }
}

/** The engine's own trouble, not the action's: it spends no attempt. */
function retryLater(message: Message): void {
  message.retry({ delaySeconds: Math.min(300, 2 ** message.attempts) });
}

export function parseAction(message: Message, deps: Deps): readonly Delivery[] {
  const parsed = actionMessage.safeParse(message.body);
  if (parsed.success) return [{ message, body: parsed.data }];
  deps.log({ level: "error", event: "malformed_action_message", id: message.id, issues: parsed.error.issues });
  message.ack();
  return [];
}

/** Messages of one cell go together, in small groups; the order of urgency is kept. */
function groupsOf(deliveries: readonly Delivery[]): readonly Group[] {
  const groups: { cell: string; deliveries: Delivery[] }[] = [];
  const open = new Map<string, { cell: string; deliveries: Delivery[] }>();
  for (const delivery of deliveries) {
    const cell = cellName(delivery.body.tenant, delivery.body.execution);
    let group = open.get(cell);
    if (!group || group.deliveries.length === GROUP_MAX) {
      group = { cell, deliveries: [] };
      groups.push(group);
      open.set(cell, group);
    }
    group.deliveries.push(delivery);
  }
  return groups;
}
