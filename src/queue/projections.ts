// Writes what executions report about themselves into the catalog: a whole batch in one transaction.
import { applyProjections } from "#catalog/projections.ts";
import { projectionMessage, type ProjectionMessage } from "#schema/projection.ts";
import type { Deps } from "#services/deps.ts";

/** From then on a message goes alone: one that D1 will never take must not take the others with it. */
const TOGETHER_ATTEMPTS_MAX = 3;

type Delivery = { readonly message: Message; readonly body: ProjectionMessage };

export async function consumeProjections(batch: MessageBatch, deps: Deps): Promise<void> {
  const deliveries = batch.messages.flatMap((message) => parse(message, deps));
  const alone = deliveries.filter(({ message }) => message.attempts > TOGETHER_ATTEMPTS_MAX);
  await apply(
    deliveries.filter((delivery) => !alone.includes(delivery)),
    deps,
  );
  for (const delivery of alone) await apply([delivery], deps);
}

async function apply(deliveries: readonly Delivery[], deps: Deps): Promise<void> {
  if (deliveries.length === 0) return;
  try {
    await applyProjections(
      deps.db,
      deliveries.map(({ body }) => body),
    );
    for (const { message } of deliveries) message.ack();
  } catch (cause) {
    deps.log({ level: "error", message: "projections not written", count: deliveries.length, error: String(cause) });
    for (const { message } of deliveries) message.retry({ delaySeconds: retryDelaySeconds(message.attempts) });
  }
}

/** 5 s, 10 s, … up to 10 minutes: with the queue's ten tries, D1 may be away for most of an hour. */
export function retryDelaySeconds(attempts: number): number {
  return Math.min(600, 5 * 2 ** (attempts - 1));
}

/** A malformed message can never become well-formed: it is let go, loudly. */
export function parse(message: Message, deps: Deps): readonly Delivery[] {
  const parsed = projectionMessage.safeParse(message.body);
  if (parsed.success) return [{ message, body: parsed.data }];
  deps.log({ level: "error", message: "malformed projection", id: message.id, issues: parsed.error.issues });
  message.ack();
  return [];
}
