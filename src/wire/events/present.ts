// Published events as API objects.
import type { PublishedEventRow, PublishedEventStatus, Recipient } from "#schema/directory/calls.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiPublishedEvent } from "./shape.ts";

/** Stored rows keep the status `going`. */
const apiStatus = {
  kept: "kept",
  going: "delivering",
  delivered: "delivered",
  undeliverable: "undeliverable",
} as const;

/** Returns the stored status for the status that a client filters by. */
export function storedStatus(status: ApiPublishedEvent["status"]): PublishedEventStatus {
  return status === "delivering" ? "going" : status;
}

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
    status: apiStatus[status],
    reason,
    postedAt: toInstant(at),
    keptUntil: toInstant(status === "kept" ? dueAt : null),
    recipients: recipients.map(presentRecipient),
  };
}

function presentRecipient({ execution: id, isTrigger, outcome }: Recipient): ApiPublishedEvent["recipients"][number] {
  const who = isTrigger ? { execution: null, trigger: id } : { execution: id, trigger: null };
  if (outcome === null || outcome === "taken") {
    return { ...who, outcome: outcome === null ? "pending" : "accepted", code: null, message: null };
  }
  return { ...who, outcome: "refused", code: outcome.code, message: outcome.message };
}
