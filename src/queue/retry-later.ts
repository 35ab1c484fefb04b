// A message that could not be worked off comes back, each time a while later. It spends no attempt of its run.
import { MESSAGE_RETRY_S_MAX } from "#schema/limits/queues.ts";

export function retryLater(message: Pick<Message, "attempts" | "retry">): void {
  message.retry({ delaySeconds: Math.min(MESSAGE_RETRY_S_MAX, 2 ** message.attempts) });
}
