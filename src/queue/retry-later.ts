// Delayed retries: a message that could not be processed is delivered again with a growing delay. The delivery does not
// count as an attempt of the run.
import { MESSAGE_RETRY_S_MAX } from "#schema/limits/queues/consumers.ts";

export function retryLater(message: Pick<Message, "attempts" | "retry">): void {
  message.retry({ delaySeconds: Math.min(MESSAGE_RETRY_S_MAX, 2 ** message.attempts) });
}
