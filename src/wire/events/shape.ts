// Published events: API shapes.
import { z } from "zod";
import { publishedEventType } from "#schema/engine/event.ts";
import { sentEventId } from "#schema/ids.ts";
import { CORRELATION_KEY_CHARS_MAX } from "#schema/limits/executions.ts";
import { eventWait } from "#schema/directory/event-wait.ts";
import * as value from "#schema/values.ts";
import * as query from "../query.ts";

const correlationKey = z
  .string()
  .min(1)
  .max(CORRELATION_KEY_CHARS_MAX)
  .meta({
    description: "The correlation key. The event reaches all executions with this key.",
    examples: ["order-17"],
  });

export const postEventBody = z
  .strictObject({
    id: sentEventId
      .optional()
      .meta({
        description:
          "The id of the event. For seven days, a request with the same id is the same event. Default: the Idempotency-Key, or a new id.",
      }),
    type: publishedEventType,
    correlationKey,
    payload: value.anyJson.optional(),
    source: z.string().min(1).max(200).optional(),
    correlationId: value.correlationId.optional(),
    keep: eventWait.optional(),
  })
  .meta({
    id: "PublishEvent",
    examples: [{ type: "payment.received", correlationKey: "order-17", payload: { amount: 42 }, keep: "PT1H" }],
  });
export type PostEventBody = z.input<typeof postEventBody>;

const statuses = ["kept", "delivering", "delivered", "undeliverable"] as const;

const recipient = z.object({
  execution: z.string().nullable().meta({ description: "The matched execution; null if a trigger matched." }),
  trigger: z.string().nullable().meta({ description: "A trigger that listens for events of this type." }),
  outcome: z.enum(["pending", "accepted", "refused"]),
  code: z.string().nullable().meta({ description: "The code of the refusal; null if the event was accepted." }),
  message: z.string().nullable(),
});

export const postedEvent = z
  .object({
    id: z.string(),
    type: z.string(),
    correlationKey: z.string(),
    payload: value.anyJson.meta({ description: "The payload of the event; null after the event was delivered." }),
    source: z.string(),
    correlationId: z.string().nullable(),
    status: z
      .enum(statuses)
      .meta({
        description:
          "kept: the event waits, because no execution has the key yet. delivering: the delivery is in progress. delivered: an execution accepted the event. undeliverable: no execution accepted it.",
      }),
    postedAt: value.instant,
    keptUntil: value.instant
      .nullable()
      .meta({ description: "While the event waits: the instant at which it expires." }),
    reason: z
      .string()
      .nullable()
      .meta({ description: "Why the event is undeliverable; null if it is not undeliverable." }),
    recipients: z.array(recipient),
  })
  .meta({ id: "PublishedEvent" });
export type ApiPublishedEvent = z.infer<typeof postedEvent>;

export const postedReply = z
  .object({ event: postedEvent, repeated: z.boolean(), dryRun: z.boolean() })
  .meta({ id: "PublishedEventReply" });
export type ApiPublishedEventReply = z.infer<typeof postedReply>;

export const postedQuery = query.pageQueryWith({
  status: z.enum(statuses).optional(),
  correlationKey: correlationKey.optional(),
});
