// A trigger: what lets somebody outside cause executions. It says who is believed, and what a request means here.
import { z } from "zod";
import { keepPosted } from "../directory/keep.ts";
import { postedType, sentType } from "../engine/event.ts";
import { defaults } from "../defaults.ts";
import { isIdOf } from "../ids.ts";
import { limits } from "../limits.ts";
import { triggerDefaults, triggerLimits } from "../limits/inbound.ts";
import * as value from "../values.ts";
import { pollSettings, type PollSettings } from "./poll.ts";
import { triggerKinds } from "./started-by.ts";
import { headerName, verification } from "./verification.ts";

export const triggerName = z
  .string()
  .max(limits.idLengthMax)
  .regex(/^[a-z][a-z0-9_-]*$/, { message: "a small letter, then small letters, digits, _ or -" })
  .refine((name) => !isIdOf("trg", name), { message: "names beginning with trg_ are taken by ids" });

/** What is in one is checked by the kernel, which knows rules. */
const rule = value.anyJson;
const template = z.string().min(1).max(limits.templateBytesMax);
const assign = z.record(z.string().min(1).max(limits.idLengthMax), rule);

export const triggerTarget = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("start"),
    definition: z
      .string()
      .min(1)
      .max(limits.referenceCharsMax)
      .meta({ description: "A definition: its name (what is published), name@version, or id.", examples: ["deploy"] }),
    variables: value.anyObject
      .optional()
      .meta({ description: "Texts are templates over `request`. Default: the request's body." }),
    assign: assign.optional().meta({ description: "Variables by rules, over those of `variables`." }),
    correlationId: template.optional(),
  }),
  z.strictObject({
    kind: z.literal("event"),
    execution: template.meta({ description: "The execution's id, a template.", examples: ["{{ request.body.ref }}"] }),
    type: sentType.or(template.regex(/\{[{%]/)).meta({ description: "The event's type, or a template of it." }),
    payload: value.anyJson
      .optional()
      .meta({ description: "Texts are templates over `request`. Default: the request's body." }),
    assign: assign.optional().meta({ description: "Fields of the payload by rules." }),
    correlationId: template.optional(),
  }),
  z.strictObject({
    kind: z.literal("correlate"),
    key: template.meta({
      description: "The correlation key of the executions that it concerns, a template.",
      examples: ["{{ request.body.order.id }}"],
    }),
    type: sentType.or(template.regex(/\{[{%]/)).meta({ description: "The event's type, or a template of it." }),
    payload: value.anyJson
      .optional()
      .meta({ description: "Texts are templates over `request`. Default: the request's body." }),
    assign: assign.optional().meta({ description: "Fields of the payload by rules." }),
    correlationId: template.optional(),
    keep: keepPosted.optional(),
  }),
]);
export type TriggerTarget = z.infer<typeof triggerTarget>;

const deliveryId = z.union([
  z.strictObject({ header: headerName }),
  z.strictObject({
    path: z.string().regex(/^body(\.[A-Za-z0-9_-]+){1,20}$/, { message: "a path such as body.event.id" }),
  }),
]);

const perMinute = z.number().int().min(1).max(triggerLimits.perMinuteMax);
const origin = z
  .string()
  .max(253)
  .regex(/^(\*|[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?)$/, { message: "a host such as eventgrid.azure.net, or *" });

const common = {
  name: triggerName,
  namespace: value.namespace.default(defaults.namespace),
  labels: z
    .record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/), z.string().max(triggerLimits.labelCharsMax))
    .refine((labels) => Object.keys(labels).length <= triggerLimits.labelsMax, {
      message: `at most ${triggerLimits.labelsMax}`,
    })
    .default({}),
  target: triggerTarget.meta({ description: "What a request comes to." }),
  when: rule.optional().meta({ description: "A rule over `request`; where it is false, the delivery is ignored." }),
  sequence: z
    .strictObject({
      value: rule.meta({ description: "A rule that comes to a number, or to a text that sorts such as an instant." }),
      by: rule.optional().meta({ description: "A rule: what is numbered by itself. Default: the whole trigger." }),
    })
    .optional()
    .meta({ description: "What is older than the newest taken is dropped, and listed." }),
  description: z.string().max(limits.descriptionCharsMax).optional(),
};

const webhook = z.strictObject({
  ...common,
  kind: z.literal("webhook").meta({ description: "It is called." }),
  verify: verification.meta({ description: "Who is believed." }),
  deliveryId: deliveryId
    .optional()
    .meta({ description: "Where the sender's own id is, if not where its scheme has it." }),
  rateLimit: z
    .strictObject({
      perMinute: perMinute.default(triggerDefaults.perMinute),
      burst: perMinute.default(triggerDefaults.burst),
    })
    .default({ perMinute: triggerDefaults.perMinute, burst: triggerDefaults.burst }),
  cloudEvents: z
    .strictObject({
      origins: z.array(origin).max(triggerLimits.originsMax).default([]),
      ratePerMinute: perMinute.optional(),
    })
    .optional()
    .meta({ description: "Requests are CloudEvents, in any of their modes; `origins` may ask beforehand." }),
});

const poller = z.strictObject({
  ...common,
  kind: z.literal("poller").meta({ description: "It asks." }),
  poll: pollSettings.meta({ description: "What it asks for, how often, and how it reads what it is answered." }),
});

const on = z
  .strictObject({ type: postedType.meta({ description: "The event's type." }) })
  .meta({ description: "Which posted events it hears, under whatever correlation key." });

const event = z.strictObject({
  ...common,
  kind: z.literal("event").meta({ description: "It hears events that are posted for whom they concern." }),
  on,
});

export const trigger = z.discriminatedUnion("kind", [webhook, poller, event]);
export type Trigger = z.infer<typeof trigger>;
/** Every field that one kind or another has. */
export const triggerFields = {
  ...webhook.partial({ verify: true, rateLimit: true }).shape,
  poll: pollSettings.optional(),
  on: on.optional(),
  kind: z.enum(triggerKinds),
};

type Webhook = z.infer<typeof webhook>;
/** What is stored beside name, kind, namespace and labels. Only a webhook has an address; whoever called another would be believed by nobody. */
export type TriggerSettings = Omit<Webhook, "name" | "kind" | "namespace" | "labels"> & {
  readonly poll?: PollSettings | undefined;
  readonly on?: { readonly type: string } | undefined;
};

/** Which tokens and secrets hold now: what rotating and switching change, and nothing else. */
export type TriggerStanding = {
  readonly v: 1;
  readonly disabled: { readonly at: number; readonly reason: string | null } | null;
  readonly token: { readonly generation: number; readonly previousUntil: number };
  /** The secret that is being replaced, and until when it holds. */
  readonly previousSecret: { readonly name: string; readonly until: number } | null;
  /** Of a poller: counts how often what it had seen was to be forgotten. */
  readonly epoch?: number;
};
