// Triggers: start executions or send them events when an outside service calls, answers a poll or publishes an event. A
// trigger sets how its sender is verified, and how a request is mapped.
import { z } from "zod";
import { eventWait } from "../directory/event-wait.ts";
import { publishedEventType, clientEventType } from "../engine/event.ts";
import { defaults, triggerDefaults } from "../defaults.ts";
import { isIdOf } from "../ids.ts";
import { DESCRIPTION_CHARS_MAX, ID_CHARS_MAX, REFERENCE_CHARS_MAX } from "../limits/api-requests.ts";
import { TEMPLATE_BYTES_MAX } from "../limits/definition-sizes.ts";
import {
  TRIGGER_LABELS_MAX,
  TRIGGER_LABEL_CHARS_MAX,
  TRIGGER_ORIGINS_MAX,
  TRIGGER_PER_MINUTE_MAX,
} from "../limits/inbound/trigger-requests.ts";
import * as value from "../values.ts";
import { pollSettings, type PollSettings } from "./poll.ts";
import { triggerKinds } from "./started-by.ts";
import { headerName, verification } from "./verification.ts";

export const triggerName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, {
    message: "must begin with a lower-case letter and contain only lower-case letters, digits, _ and -",
  })
  .refine((name) => !isIdOf("trg", name), { message: "must not begin with trg_, which is reserved for ids" });

/** A JSONLogic rule. This schema accepts any JSON, because the kernel checks the operators. */
const rule = value.anyJson;
const template = z.string().min(1).max(TEMPLATE_BYTES_MAX);
const assign = z.record(z.string().min(1).max(ID_CHARS_MAX), rule);

export const triggerTarget = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("start"),
    definition: z
      .string()
      .min(1)
      .max(REFERENCE_CHARS_MAX)
      .meta({
        description: "The definition to start: a name (its published version), name@version, or id.",
        examples: ["deploy"],
      }),
    variables: value.anyObject
      .optional()
      .meta({
        description: "The values to send. Texts are templates that see `request`. Default: the body of the request.",
      }),
    assign: assign
      .optional()
      .meta({ description: "Variables that rules compute. They override variables of the same name in `variables`." }),
    correlationId: template.optional(),
  }),
  z.strictObject({
    kind: z.literal("event"),
    execution: template.meta({
      description: "The id of the execution, or a template that gives the id.",
      examples: ["{{ request.body.ref }}"],
    }),
    type: clientEventType
      .or(template.regex(/\{[{%]/, { message: "must be an event type, or a text with a template" }))
      .meta({ description: "The type of the event, or a template that gives the type." }),
    payload: value.anyJson
      .optional()
      .meta({
        description: "The values to send. Texts are templates that see `request`. Default: the body of the request.",
      }),
    assign: assign.optional().meta({ description: "Fields of the payload that rules compute." }),
    correlationId: template.optional(),
  }),
  z.strictObject({
    kind: z.literal("correlate"),
    key: template.meta({
      description: "The correlation key of the receiving executions, or a template that gives the key.",
      examples: ["{{ request.body.order.id }}"],
    }),
    type: clientEventType
      .or(template.regex(/\{[{%]/, { message: "must be an event type, or a text with a template" }))
      .meta({ description: "The type of the event, or a template that gives the type." }),
    payload: value.anyJson
      .optional()
      .meta({
        description: "The values to send. Texts are templates that see `request`. Default: the body of the request.",
      }),
    assign: assign.optional().meta({ description: "Fields of the payload that rules compute." }),
    correlationId: template.optional(),
    keep: eventWait.optional(),
  }),
]);
export type TriggerTarget = z.infer<typeof triggerTarget>;

const deliveryId = z.union([
  z.strictObject({ header: headerName }),
  z.strictObject({
    path: z.string().regex(/^body(\.[A-Za-z0-9_-]+){1,20}$/, { message: "must be a path such as body.event.id" }),
  }),
]);

const perMinute = z.number().int().min(1).max(TRIGGER_PER_MINUTE_MAX);
const origin = z
  .string()
  .max(253)
  .regex(/^(\*|[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?)$/, {
    message: "must be a host such as eventgrid.azure.net, or *",
  });

const labelName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/, {
    message: "must begin with a letter or digit and contain at most 63 letters, digits, _ . and -",
  });

const common = {
  name: triggerName,
  namespace: value.namespace.default(defaults.namespace),
  labels: z
    .record(labelName, z.string().max(TRIGGER_LABEL_CHARS_MAX))
    .refine((labels) => Object.keys(labels).length <= TRIGGER_LABELS_MAX, {
      message: `must have at most ${TRIGGER_LABELS_MAX}`,
    })
    .default({}),
  target: triggerTarget.meta({ description: "The effect of a request." }),
  when: rule.optional().meta({ description: "A rule over `request`; if it is false, the delivery is ignored." }),
  sequence: z
    .strictObject({
      value: rule.meta({
        description:
          "A rule that returns the position of the delivery: a number, or a sortable text such as an instant.",
      }),
      by: rule
        .optional()
        .meta({
          description:
            "A rule that returns the group in which deliveries are ordered. Default: the whole trigger is one group.",
        }),
    })
    .optional()
    .meta({
      description:
        "The order of deliveries. A delivery that is older than the newest accepted delivery is listed, but not applied.",
    }),
  description: z.string().max(DESCRIPTION_CHARS_MAX).optional(),
};

const webhook = z.strictObject({
  ...common,
  kind: z.literal("webhook").meta({ description: "A trigger that receives requests." }),
  verify: verification.meta({ description: "How the sender is verified." }),
  deliveryId: deliveryId
    .optional()
    .meta({
      description: "Where the request contains the sender's id of the delivery, if the scheme does not define this.",
    }),
  rateLimit: z
    .strictObject({
      perMinute: perMinute.default(triggerDefaults.perMinute),
      burst: perMinute.default(triggerDefaults.burst),
    })
    .default({ perMinute: triggerDefaults.perMinute, burst: triggerDefaults.burst }),
  cloudEvents: z
    .strictObject({
      origins: z.array(origin).max(TRIGGER_ORIGINS_MAX).default([]),
      ratePerMinute: perMinute.optional(),
    })
    .optional()
    .meta({
      description:
        "Requests are CloudEvents, in any of their modes. The hosts in `origins` may send a validation request first.",
    }),
});

const poller = z.strictObject({
  ...common,
  kind: z.literal("poller").meta({ description: "A trigger that polls: it sends requests." }),
  poll: pollSettings.meta({ description: "The request to send, its interval, and how to read the answer." }),
});

const on = z
  .strictObject({ type: publishedEventType.meta({ description: "The event's type." }) })
  .meta({ description: "The published events that the trigger receives, with any correlation key." });

const event = z.strictObject({
  ...common,
  kind: z.literal("event").meta({ description: "A trigger that receives published events." }),
  on,
});

export const trigger = z.discriminatedUnion("kind", [webhook, poller, event]);
export type Trigger = z.infer<typeof trigger>;
/** The fields that all kinds of triggers have. */
export const triggerFields = {
  ...webhook.partial({ verify: true, rateLimit: true }).shape,
  poll: pollSettings.optional(),
  on: on.optional(),
  kind: z.enum(triggerKinds),
};

type Webhook = z.infer<typeof webhook>;
/**
 * The settings of a trigger in the catalog's JSON column. Senders call only webhooks, so only they have a verification.
 */
export type TriggerSettings = Omit<Webhook, "name" | "kind" | "namespace" | "labels"> & {
  readonly poll?: PollSettings | undefined;
  readonly on?: { readonly type: string } | undefined;
};

/** What only rotating, enabling and disabling a trigger change, such as the names of its secrets. */
export type TriggerStanding = {
  readonly v: 1;
  readonly disabled: { readonly at: number; readonly reason: string | null } | null;
  readonly token: { readonly generation: number; readonly previousUntil: number };
  /** The secret that was replaced, and until when it stays valid (epoch ms). Null if no replaced secret is valid. */
  readonly previousSecret: { readonly name: string; readonly until: number } | null;
  /** For a poller: how many times its position was reset. */
  readonly epoch?: number;
};
