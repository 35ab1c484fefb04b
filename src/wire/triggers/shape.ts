// Triggers and what was delivered to them, on the wire. Keys are names of secrets, in and out.
import { z } from "zod";
import { deliveryIdText, triggerIdText } from "#schema/ids.ts";
import { deliveryStatuses } from "#schema/inbound/delivery.ts";
import { pollOutcomes } from "#schema/inbound/polling.ts";
import { trigger, triggerFields } from "#schema/inbound/trigger.ts";
import { REPLAYED_AT_ONCE_MAX, triggerDefaults, triggerLimits } from "#schema/limits/inbound.ts";
import { secretName } from "#schema/secret.ts";
import * as value from "#schema/values.ts";

export const createTriggerBody = trigger.meta({
  id: "CreateTrigger",
  examples: [
    {
      name: "pushes",
      kind: "webhook",
      verify: { scheme: "github", secret: "github_hook" },
      when: { "===": [{ var: "request.headers.x-github-event" }, "push"] },
      target: { kind: "start", definition: "deploy", variables: { commit: "{{ request.body.after }}" } },
    },
    {
      name: "orders",
      kind: "poller",
      poll: { request: { service: "shop", endpoint: "orders" }, every: "PT5M", items: "/data", id: "/id" },
      target: { kind: "start", definition: "fulfil", variables: { order: "{{ request.body }}" } },
    },
    {
      name: "payments",
      kind: "event",
      on: { type: "payment.received" },
      target: { kind: "start", definition: "receipt", variables: { order: "{{ request.body.correlationKey }}" } },
    },
  ],
});
export type CreateTriggerBody = z.input<typeof trigger>;

/** What it comes to is checked by the use case, like a new one. */
export const patchTriggerBody = value.anyObject.meta({
  id: "PatchTrigger",
  description:
    "Merged over what is stored (RFC 7396); null removes a field. Another scheme or kind of target takes the place.",
  examples: [{ rateLimit: { perMinute: 60 } }],
});

export const triggerRefText = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: "A trigger's name or id.", examples: ["pushes"] });

const overlap = z
  .number()
  .int()
  .min(0)
  .max(triggerLimits.overlapMsMax)
  .default(triggerDefaults.overlapMs)
  .meta({ description: "For so long the old one holds, too. 0: not at all, for one that has leaked." });
const reasoned = { reason: value.reason.optional() };

export const switchTriggerBody = z
  .strictObject(reasoned)
  .meta({ id: "SwitchTrigger", examples: [{ reason: "noisy" }] });
export const rotateTokenBody = z
  .strictObject({ overlapMs: overlap, ...reasoned })
  .meta({ id: "RotateTriggerToken", examples: [{ overlapMs: 3_600_000 }] });
export const rotateSecretBody = z
  .strictObject({
    secret: secretName.meta({ description: "The stored secret that holds the new key." }),
    overlapMs: overlap,
    ...reasoned,
  })
  .meta({ id: "RotateTriggerSecret", examples: [{ secret: "github_hook_2" }] });
export const replayBody = z
  .strictObject(reasoned)
  .meta({ id: "ReplayDelivery", examples: [{ reason: "mapping mended" }] });
export const replayAllBody = z
  .strictObject({
    status: z.enum(["ignored", "outdated", "unmappable", "failed"]).default("unmappable"),
    limit: z.number().int().min(1).max(REPLAYED_AT_ONCE_MAX).default(REPLAYED_AT_ONCE_MAX),
    ...reasoned,
  })
  .meta({ id: "ReplayDeliveries", description: "Those that came first.", examples: [{ status: "unmappable" }] });
export const pollBody = z.strictObject(reasoned).meta({ id: "PollTrigger", examples: [{ reason: "just shipped" }] });
export type PollBody = z.input<typeof pollBody>;
export const positionText = z.enum(["keep", "reset"]).optional().meta({
  description:
    "Of a poller whose list or way to tell items apart changes: keep goes on with the ids that it knows, reset forgets them.",
});
export type SwitchTriggerBody = z.input<typeof switchTriggerBody>;
export type RotateTokenBody = z.input<typeof rotateTokenBody>;
export type RotateSecretBody = z.input<typeof rotateSecretBody>;
export type ReplayBody = z.input<typeof replayBody>;
export type ReplayAllBody = z.input<typeof replayAllBody>;

export const triggerView = z
  .object({
    ...triggerFields,
    id: triggerIdText,
    enabled: z.boolean(),
    disabled: z.object({ at: value.instant, reason: z.string().nullable() }).nullable(),
    tokenGeneration: z.number().int().meta({ description: "Counts the addresses it has had." }),
    previousTokenUntil: value.instant.nullable().meta({ description: "Until then its last address holds, too." }),
    previousSecret: z
      .object({ name: z.string(), until: value.instant })
      .nullable()
      .meta({ description: "The secret that is being replaced, while it holds." }),
    createdAt: value.instant,
    updatedAt: value.instant,
  })
  .meta({ id: "Trigger" });
export type ApiTrigger = z.infer<typeof triggerView>;

const address = {
  url: z.string().meta({
    description: "Where it is called. Treat it as a password: with the scheme none it is all a sender has to know.",
  }),
};
export const triggerWithAddress = triggerView
  .extend({ url: address.url.nullable() })
  .meta({ id: "TriggerWithAddress" });
export type ApiTriggerWithAddress = z.infer<typeof triggerWithAddress>;
export const triggerAddress = z.object(address).meta({ id: "TriggerAddress" });
export type ApiTriggerAddress = z.infer<typeof triggerAddress>;

const trouble = z.object({ code: z.string(), message: z.string() });
const pollerState = z
  .object({
    health: z.enum(["healthy", "failing", "waiting", "off"]),
    reason: trouble.nullable(),
    nextStep: z.string().nullable().meta({ description: "What a person can do about it." }),
    lastPollAt: value.instant.nullable(),
    outcome: z.enum(pollOutcomes).nullable(),
    found: z.number().int().meta({ description: "New items of the last poll." }),
    nextPollAt: value.instant.nullable(),
    failures: z.number().int().meta({ description: "One after the other; what comes next waits longer." }),
    troubleSince: value.instant.nullable().meta({ description: "Since when no poll has gone well." }),
    hasBaseline: z.boolean().meta({ description: "What was there at the first poll has been taken note of." }),
    cursor: z.string().nullable().meta({ description: "Where it reads on, shortened." }),
    backlog: z.number().int().meta({ description: "Items that are read and not deliveries yet." }),
    seen: z.number().int().meta({ description: "Ids that it knows again." }),
  })
  .meta({ id: "PollerState" });
export type ApiPollerState = z.infer<typeof pollerState>;

const triggerState = z
  .object({
    pending: z.number().int().meta({ description: "Deliveries on their way to executions." }),
    stuck: z.number().int().meta({ description: "Unmappable and failed ones: they wait for a person." }),
    lastDeliveryAt: value.instant.nullable(),
    poller: pollerState.nullable().meta({ description: "null: it is called." }),
  })
  .nullable()
  .meta({ description: "How it is doing; null where its object does not answer just now." });
export const triggerInUse = triggerView.extend({ state: triggerState }).meta({ id: "TriggerInUse" });
export const triggerInList = triggerView
  .extend({ state: triggerState.optional() })
  .meta({ id: "TriggerInList", description: "With `state` where the list was asked for it (`?state=true`)." });
export type ApiTriggerInList = z.infer<typeof triggerInList>;
export type ApiTriggerInUse = z.infer<typeof triggerInUse>;

export const deliveryStatus = z.enum(deliveryStatuses).meta({
  description:
    "pending: on its way. applied: done. ignored: `when` did not want it. outdated: a newer one was taken before. unmappable: " +
    "the mapping could make nothing of it. failed: its execution did not want it.",
});
const taken = {
  id: deliveryIdText,
  deliveryId: z.string().nullable().meta({ description: "The sender's own id of it." }),
  status: deliveryStatus,
  execution: z.string().nullable(),
  event: z.string().nullable().meta({ description: "The event's id, where it was sent to a running execution." }),
  reason: trouble.nullable(),
};
export const takenDelivery = z.object(taken).meta({ id: "TakenDelivery" });
export const polledTrigger = z
  .object({
    poller: pollerState.nullable(),
    preview: z
      .object({
        answer: z.enum(["page", "unchanged", "failed", "off"]),
        reason: trouble.nullable(),
        items: z.number().int().meta({ description: "Items of the page." }),
        fresh: z.number().int().meta({ description: "Of these, new ones." }),
        isBaseline: z.boolean().meta({ description: "They would be taken note of only." }),
        deliveries: z.array(
          z.object({
            deliveryId: z.string().nullable(),
            status: deliveryStatus,
            reason: trouble.nullable(),
            execution: z.string().nullable(),
            body: value.anyJson,
          }),
        ),
      })
      .nullable()
      .meta({ description: "What would be delivered, of a dry run." }),
  })
  .meta({ id: "PolledTrigger" });
export type ApiPolledTrigger = z.infer<typeof polledTrigger>;

export const receivedHook = z
  .object({ deliveries: z.array(z.object({ ...taken, duplicate: z.boolean() })) })
  .meta({ id: "ReceivedHook" });
export type ApiReceivedHook = z.infer<typeof receivedHook>;

export const deliverySummary = z
  .object({
    ...taken,
    receivedAt: value.instant,
    tries: z.number().int(),
    nextTryAt: value.instant.nullable(),
  })
  .meta({ id: "DeliverySummary" });
export type ApiDeliverySummary = z.infer<typeof deliverySummary>;

export const deliveryView = deliverySummary
  .extend({
    request: z
      .object({
        method: z.string(),
        query: value.anyObject,
        headers: value.anyObject.meta({ description: "Without what signs, and what lets in." }),
        body: value.anyJson,
        deliveryId: z.string().nullable(),
        receivedAt: value.instant,
        unreadable: trouble.optional(),
        loss: z
          .object({ pointer: z.string(), code: z.string(), message: z.string() })
          .optional()
          .meta({ description: "What of the body could only be kept otherwise than it was sent." }),
      })
      .nullable()
      .meta({ description: "As the mapping sees it; null where it is not kept any more." }),
  })
  .meta({ id: "Delivery" });
export type ApiDelivery = z.infer<typeof deliveryView>;

export const replayedDeliveries = z
  .object({
    deliveries: z.array(takenDelivery),
    more: z.boolean().meta({ description: "Others with this status are left: ask again." }),
  })
  .meta({ id: "ReplayedDeliveries" });
export type ApiReplayedDeliveries = z.infer<typeof replayedDeliveries>;
export type ApiTakenDelivery = z.infer<typeof takenDelivery>;
