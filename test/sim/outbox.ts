// The outboxes of executions on the queue, with the protocol of src/queue/outbox.ts: the sender is read, each kind is
// handled, and the sender gets a confirmation. Failed messages are delivered again; abandoned ones are sent again.
import type { OutboxQueueMessage } from "#schema/engine/message.ts";
import type { Confirmation, OutboxKind, OutboxMessage } from "#schema/engine/outbox.ts";
import { isUndecided } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import type { Chance } from "./kit/chance.ts";
import type { Faults } from "./faults.ts";
import type { Host } from "./host.ts";
import type { Timeline } from "./kit/timeline.ts";
import type { Life } from "./kit/evictable.ts";
import { messageDelays, openMail } from "./kit/mail.ts";

export type Outboxes = {
  readonly send: (messages: readonly OutboxQueueMessage[]) => void;
  /** The whole process went down, with its queue. */
  readonly forget: () => void;
};

/** Handles messages; throws if it handled none. */
export type Handler = (
  sender: ExecutionState,
  messages: readonly OutboxMessage[],
  mine: Life,
) => Promise<readonly Confirmation[]>;

type Parts = {
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly chance: Chance;
  readonly host: (name: string) => Host;
  /** Scenarios have no other kinds. */
  readonly handlers: { readonly [kind in OutboxKind]?: Handler };
};

const DELIVERIES_MAX = 11;

export function openOutboxes({ timeline, faults, chance, host, handlers }: Parts): Outboxes {
  const mail = openMail(timeline, faults, messageDelays);
  const post = (message: OutboxQueueMessage, attempts: number, delayMs: number): void =>
    mail.send(delayMs, (mine) => void consume(message, attempts, mine));

  const consume = async (message: OutboxQueueMessage, attempts: number, mine: Life): Promise<void> => {
    try {
      await carry(message, mine);
    } catch (fault) {
      timeline.note(`outbox of ${message.execution} not delivered: ${(fault as Error).message}`);
      if (mine.alive && attempts < DELIVERIES_MAX) post(message, attempts + 1, Math.min(300, 2 ** attempts) * 1_000);
    }
  };

  const carry = async ({ tenant, execution }: OutboxQueueMessage, mine: Life): Promise<void> => {
    const cell = host(cellName(tenant, execution));
    const read = await cell.call(mine, (calls) => calls.read(execution));
    if (!read.ok) return;
    const messages = read.value.outbox ?? [];
    const items: Confirmation[] = [];
    for (const [kind, members] of Map.groupBy(messages, (message) => message.kind)) {
      const handled = handlers[kind]?.(read.value, members, mine).catch((fault: unknown) => {
        timeline.note(`${kind} of ${execution} not handled: ${(fault as Error).message}`);
        return [];
      });
      items.push(...((await handled) ?? []));
    }
    if (faults.strikes("consumerCrashes")) throw new Error("the consumer went down");
    if (items.length > 0) {
      const item = { execution, incarnation: read.value.createdAt, items };
      const [answer] = (await cell.call(mine, (calls) => calls.confirm([item]))) ?? [];
      if (answer && !answer.ok && isUndecided(answer.refusal)) throw new Error("it could not take that");
    }
    if (items.length < messages.length) throw new Error(`${messages.length - items.length} are left`);
  };

  return {
    send: (messages) => {
      for (const message of messages) {
        timeline.note(`queue takes the outbox of ${message.execution}`);
        if (!faults.strikes("messageDropped")) post(message, 1, chance.between(1, 60));
        if (faults.strikes("messageDoubled")) post(message, 1, chance.between(1, 5_000));
      }
    },
    forget: mail.forget,
  };
}
