// Published events as API objects.
import type { PublishedEventRow, Recipient } from "#schema/directory/calls.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiPublishedEvent } from "./shape.ts";

export function presentPublishedEvent({
  event,
  at,
  status,
  dueAt,
  reason,
  recipients,
}: PublishedEventRow): ApiPublishedEvent {
  const { id, type, key, payload, source, correlationId } = event;
  return {
    id,
    type,
    correlationKey: key,
    payload,
    source,
    correlationId,
    status,
    reason,
    postedAt: toInstant(at),
    keptUntil: toInstant(status === "kept" ? dueAt : null),
    recipients: recipients.map(presentRecipient),
  };
}

function presentRecipient({ execution: id, isTrigger, outcome }: Recipient): ApiPublishedEvent["recipients"][number] {
  const who = isTrigger ? { execution: null, trigger: id } : { execution: id, trigger: null };
  if (outcome === null || outcome === "taken") {
    return { ...who, outcome: outcome ?? "pending", code: null, message: null };
  }
  return { ...who, outcome: "refused", code: outcome.code, message: outcome.message };
}
