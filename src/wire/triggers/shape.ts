// Triggers and their deliveries: API shapes. A verification contains the names of secrets, never their values.
import { z } from "zod";
import { deliveryIdText, triggerIdText } from "#schema/ids.ts";
import { deliveryStatuses, senderFaults } from "#schema/inbound/delivery.ts";
import { pollOutcomes } from "#schema/inbound/polling.ts";
import { trigger, triggerFields } from "#schema/inbound/trigger.ts";
import { triggerDefaults } from "#schema/defaults.ts";
import { REPLAYED_AT_ONCE_MAX } from "#schema/limits/inbound/deliveries.ts";
import { TRIGGER_OVERLAP_MS_MAX } from "#schema/limits/inbound/trigger-requests.ts";
import { secretName } from "#schema/secret.ts";
import { putAnswer, putBody } from "../configuration/shape.ts";
import * as value from "#schema/values.ts";
import { warning } from "../problem.ts";

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

/** A JSON merge patch of a trigger. The use case checks the merged trigger like a new trigger. */
export const patchTriggerBody = value.anyObject.meta({
  id: "PatchTrigger",
  description:
    "A JSON merge patch (RFC 7396) of the stored settings; null removes a field. If `scheme` or the kind of `target` changes, the new value replaces the old one.",
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
  .max(TRIGGER_OVERLAP_MS_MAX)
  .default(triggerDefaults.overlapMs)
  .meta({
    description:
      "How long, in milliseconds, the previous address or secret still works. Use 0 if the address or secret has leaked.",
  });
const reasoned = { reason: value.reason.optional() };

export const switchTriggerBody = z
  .strictObject(reasoned)
  .meta({ id: "SwitchTrigger", examples: [{ reason: "noisy" }] });
export const rotateTokenBody = z
  .strictObject({ overlapMs: overlap, ...reasoned })
  .meta({ id: "RotateTriggerToken", examples: [{ overlapMs: 3_600_000 }] });
export const rotateSecretBody = z
  .strictObject({
    secret: secretName.meta({ description: "The name of the stored secret that has the new key." }),
    overlapMs: overlap,
    ...reasoned,
  })
  .meta({ id: "RotateTriggerSecret", examples: [{ secret: "github_hook_2" }] });
export const replayBody = z
  .strictObject(reasoned)
  .meta({ id: "ReplayDelivery", examples: [{ reason: "mapping fixed" }] });
export const replayAllBody = z
  .strictObject({
    status: z.enum(["ignored", "outdated", "unmappable", "failed"]).default("unmappable"),
    limit: z.number().int().min(1).max(REPLAYED_AT_ONCE_MAX).default(REPLAYED_AT_ONCE_MAX),
    ...reasoned,
  })
  .meta({
    id: "ReplayDeliveries",
    description: "The deliveries to replay, by status. The oldest deliveries are replayed first.",
    examples: [{ status: "unmappable" }],
  });
export const pollBody = z.strictObject(reasoned).meta({ id: "PollTrigger", examples: [{ reason: "just shipped" }] });
export type PollBody = z.input<typeof pollBody>;
export const positionText = z
  .enum(["keep", "reset"])
  .optional()
  .meta({
    description:
      "How the poller handles its known ids if its list or the ids of items change. keep: the poller keeps them. reset: the poller deletes them.",
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
    tokenGeneration: z.number().int().meta({ description: "The number of addresses that the trigger has had." }),
    previousTokenUntil: value.instant.nullable().meta({ description: "Until when the previous address works." }),
    previousSecret: z
      .object({ name: z.string(), until: value.instant })
      .nullable()
      .meta({ description: "The secret that is being replaced; null when it is no longer accepted." }),
    createdAt: value.instant,
    updatedAt: value.instant,
  })
  .meta({ id: "Trigger" });
export type ApiTrigger = z.infer<typeof triggerView>;

export const putTriggerBody = putBody("PutTrigger", "CreateTrigger", {
  kind: "event",
  on: { type: "payment.received" },
  target: { kind: "start", definition: "receipt" },
});
const warnings = {
  warnings: z.array(warning).meta({ description: "Probable mistakes, such as a secret that is not set." }),
};
export const changedTrigger = triggerView.extend(warnings).meta({ id: "ChangedTrigger" });
export type ApiChangedTrigger = z.infer<typeof changedTrigger>;
export const putTriggerView = putAnswer(changedTrigger, "PutTriggerAnswer");
export type ApiPutTrigger = z.infer<typeof putTriggerView>;

const address = {
  url: z
    .string()
    .meta({
      description:
        "The trigger's address. Treat the address as a password: with the scheme none, a sender needs nothing else.",
    }),
};
export const triggerWithAddress = triggerView
  .extend({ url: address.url.nullable(), ...warnings })
  .meta({ id: "TriggerWithAddress" });
export type ApiTriggerWithAddress = z.infer<typeof triggerWithAddress>;
export const triggerAddress = z.object(address).meta({ id: "TriggerAddress" });
export type ApiTriggerAddress = z.infer<typeof triggerAddress>;

const trouble = z.object({ code: z.string(), message: z.string() });
const pollerState = z
  .object({
    health: z.enum(["healthy", "failing", "waiting", "off"]),
    reason: trouble.nullable(),
    nextStep: z.string().nullable().meta({ description: "The suggested fix." }),
    lastPollAt: value.instant.nullable(),
    outcome: z.enum(pollOutcomes).nullable(),
    found: z.number().int().meta({ description: "The number of new items in the last poll." }),
    nextPollAt: value.instant.nullable(),
    failures: z
      .number()
      .int()
      .meta({ description: "The number of consecutive failures. Each failure lengthens the interval." }),
    troubleSince: value.instant
      .nullable()
      .meta({ description: "Since when no poll has succeeded; null if the last poll succeeded." }),
    hasBaseline: z.boolean().meta({ description: "true: the first poll has recorded the existing items as known." }),
    cursor: z.string().nullable().meta({ description: "Where the next poll continues, shortened." }),
    backlog: z.number().int().meta({ description: "The number of items that were read and are not deliveries yet." }),
    seen: z.number().int().meta({ description: "The number of ids that the poller recognises." }),
  })
  .meta({ id: "PollerState" });
export type ApiPollerState = z.infer<typeof pollerState>;

const triggerState = z
  .object({
    pending: z.number().int().meta({ description: "The number of deliveries in progress." }),
    published: z
      .number()
      .int()
      .meta({ description: "The number of deliveries whose events no execution has accepted yet." }),
    stuck: z
      .number()
      .int()
      .meta({ description: "The number of unmappable and failed deliveries, which wait for an operator." }),
    lastDeliveryAt: value.instant.nullable(),
    lastRefusedSender: z
      .object({ at: value.instant, reason: z.enum(senderFaults) })
      .nullable()
      .meta({
        description:
          "The latest sender that was not verified; null if none. secret_missing: the trigger's secret is not set. signature_missing: the request has no signature. signature_invalid: no key matches. signature_expired: the signed time is too old.",
      }),
    poller: pollerState.nullable().meta({ description: "The state of the poller; null for a webhook." }),
  })
  .nullable()
  .meta({ description: "The state of the trigger; null if the trigger's object does not respond now." });
export const triggerInUse = triggerView.extend({ state: triggerState }).meta({ id: "TriggerInUse" });
export const triggerInList = triggerView
  .extend({ state: triggerState.optional() })
  .meta({ id: "TriggerInList", description: "A trigger. It has `state` if the request has `?state=true`." });
export type ApiTriggerInList = z.infer<typeof triggerInList>;
export type ApiTriggerInUse = z.infer<typeof triggerInUse>;

export const deliveryStatus = z
  .enum(deliveryStatuses)
  .meta({
    description:
      "pending: the delivery is in progress. published: the event is published, and no execution has accepted it yet. applied: it took effect. ignored: `when` was false. outdated: a newer delivery was applied first. unmappable: the mapping cannot use the request. failed: no execution accepted the delivery.",
  });
const taken = {
  id: deliveryIdText,
  deliveryId: z.string().nullable().meta({ description: "The sender's id of the delivery; null if it has none." }),
  status: deliveryStatus,
  execution: z.string().nullable(),
  event: z.string().nullable().meta({ description: "The event's id, if it was sent to a live execution." }),
  reason: trouble.nullable(),
};
export const takenDelivery = z.object(taken).meta({ id: "ReceivedDelivery" });
export const polledTrigger = z
  .object({
    poller: pollerState.nullable(),
    preview: z
      .object({
        answer: z.enum(["page", "unchanged", "failed", "off"]),
        reason: trouble.nullable(),
        items: z.number().int().meta({ description: "The number of items on the page." }),
        fresh: z.number().int().meta({ description: "The number of new items." }),
        isBaseline: z.boolean().meta({ description: "true: the items would only be recorded, not delivered." }),
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
      .meta({ description: "On a dry run: deliveries that would be made." }),
  })
  .meta({ id: "PolledTrigger" });
export type ApiPolledTrigger = z.infer<typeof polledTrigger>;

export const receivedHook = z
  .object({ deliveries: z.array(z.object({ ...taken, duplicate: z.boolean() })) })
  .meta({ id: "ReceivedHook" });
export type ApiReceivedHook = z.infer<typeof receivedHook>;

export const deliverySummary = z
  .object({ ...taken, receivedAt: value.instant, tries: z.number().int(), nextTryAt: value.instant.nullable() })
  .meta({ id: "DeliverySummary" });
export type ApiDeliverySummary = z.infer<typeof deliverySummary>;

export const deliveryView = deliverySummary
  .extend({
    request: z
      .object({
        method: z.string(),
        query: value.anyObject,
        headers: value.anyObject.meta({ description: "The request, without signatures and credentials." }),
        body: value.anyJson,
        deliveryId: z.string().nullable(),
        receivedAt: value.instant,
        unreadable: trouble.optional(),
        loss: z
          .object({ pointer: z.string(), code: z.string(), message: z.string() })
          .optional()
          .meta({ description: "Parts of the body that could not be stored exactly." }),
      })
      .nullable()
      .meta({ description: "The request as the mapping sees it; null if it is no longer stored." }),
  })
  .meta({ id: "Delivery" });
export type ApiDelivery = z.infer<typeof deliveryView>;

export const replayedDeliveries = z
  .object({
    deliveries: z.array(takenDelivery),
    more: z
      .boolean()
      .meta({ description: "true: more deliveries have this status. To replay them, repeat the request." }),
  })
  .meta({ id: "ReplayedDeliveries" });
export type ApiReplayedDeliveries = z.infer<typeof replayedDeliveries>;
export type ApiAcceptedDelivery = z.infer<typeof takenDelivery>;
