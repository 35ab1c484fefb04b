// Actions on their own, on the wire.
import { z } from "zod";
import { actionDefinition } from "#schema/definition/action.ts";
import { actionType } from "#schema/definition/action-type.ts";
import { limits } from "#schema/limits.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { duration, namedDelay } from "#schema/definition/timing.ts";
import { held } from "../executions/shape.ts";
import { attempt, entry, would, errorOf, lane } from "../history/shape.ts";
import { problem } from "../problem.ts";
import { executionIdText } from "#schema/ids.ts";
import * as value from "#schema/values.ts";
import * as query from "../query.ts";

const written = actionDefinition.shape;
/** A rule came out of JSON.parse; walking through it is the kernel's business, which knows its operators. */
const rule = value.anyJson.meta({ description: "JSONLogic.", examples: [{ var: "execution.variables.until" }] });
const delay = z.union([
  z.number().int().nonnegative(),
  z.string().min(1).max(100),
  namedDelay.extend({ anchor: rule.optional() }),
]);

/** The mark is for /openapi.json, which says what each type takes. */
const configOf = (description: string) => value.anyObject.meta({ description, "x-config-of": "type" });

const fields = {
  type: written.type.meta({ description: "What does it, such as `webhook` or `email`." }),
  config: configOf("What the type takes. Templates see `execution.variables`."),
  actionId: written.actionId.optional().meta({ description: "A label for lists. Default: the type." }),
  variables: value.anyObject.optional(),
  namespace: value.namespace.optional(),
  correlationId: value.correlationId.optional(),
  dedupKey: z.string().min(1).max(200).optional().meta({
    description: "Calls with the same key within `dedupWindow` all mean the first one's action.",
  }),
  dedupWindow: duration.optional().meta({ description: "From one second to 30 days. Default: PT24H." }),
  retryPolicy: written.retryPolicy.meta({ description: "Default: the preset `reaction`." }),
  timeout: written.timeout,
  delay: delay.optional().meta({ description: "Milliseconds, an ISO 8601 duration, or a delay written out." }),
  timezone: written.timezone,
  disambiguation: written.disambiguation,
  condition: rule.optional().meta({ description: "JSONLogic, asked when it would start: false skips it." }),
  validUntil: rule.optional().meta({ description: "Later than this moment it is skipped: an instant, or a rule." }),
  maxLateness: written.maxLateness,
  selfHeal: written.selfHeal,
  priority: written.priority,
  lane: written.lane,
};

const example = {
  type: "webhook",
  config: { url: "{{ secrets.shop_hook }}", payload: { orderId: "{{ execution.variables.orderId }}" } },
  variables: { orderId: "o-17" },
};

const hasKey = {
  error: "a window without a dedupKey has nothing to hold for: add dedupKey, or leave it out",
  path: ["dedupWindow"],
};
const isKeyed = (body: { dedupKey?: string | undefined; dedupWindow?: unknown }): boolean =>
  body.dedupWindow === undefined || body.dedupKey !== undefined;

export const actionBody = z
  .strictObject(fields)
  .refine(isKeyed, hasKey)
  .meta({ id: "DispatchAction", examples: [example] });
export type ActionBody = z.input<typeof actionBody>;

export const actionsBody = z
  .strictObject({
    actions: z
      .array(z.strictObject({ ...fields, idempotencyKey: value.idempotencyKey.optional() }).refine(isKeyed, hasKey))
      .min(1)
      .max(limits.batchStartMax),
  })
  .meta({ id: "DispatchActions", examples: [{ actions: [example] }] });
export type ActionsBody = z.input<typeof actionsBody>;

export const retryBody = z
  .strictObject({
    config: value.anyObject.optional().meta({ description: "A JSON merge patch over the action's config as written." }),
    variables: value.anyObject.optional().meta({ description: "A JSON merge patch over its variables." }),
    reason: value.reason.optional(),
  })
  .meta({ id: "RetryAction", examples: [{ config: { method: "PUT" }, reason: "the shop has changed its mind" }] });
export type RetryBody = z.input<typeof retryBody>;

const summary = {
  id: executionIdText,
  actionId: z.string(),
  type: z.string(),
  status: z.enum(runStatuses),
  namespace: z.string(),
  correlationId: z.string().nullable(),
  attempt: z.number().int().meta({ description: "The current or last try; 0 before the first." }),
  priority: z.number(),
  createdAt: value.instant,
  dueAt: value.instant.nullable().meta({ description: "When it goes, or goes again, by itself." }),
  finishedAt: value.instant.nullable(),
  reason: z.string().nullable(),
  costEstimate: z.number().nullable(),
  deadLetterId: z.string().nullable().meta({ description: "Set while it waits for a person." }),
};

export const actionSummary = z.object({ ...summary, error: z.string().nullable() }).meta({ id: "ActionSummary" });
export type ApiActionSummary = z.infer<typeof actionSummary>;

export const actionView = z
  .object({
    ...summary,
    variables: value.anyObject,
    dedupKey: z.string().nullable(),
    dedupUntil: value.instant.nullable(),
    maxAttempts: z.number().int().nullable(),
    attempts: z.array(attempt),
    lane: lane.nullable(),
    config: value.anyObject
      .nullable()
      .meta({ description: "As rendered at the first attempt; secrets are slots, credentials blotted out." }),
    result: value.anyJson,
    error: errorOf.nullable(),
    held: held.nullable().meta({ description: "Its connection lets nothing through just now." }),
    startedAt: value.instant.nullable(),
    idempotencyKey: z.string().nullable().meta({ description: "What the provider was given; the same every time." }),
    redriven: z
      .object({
        at: value.instant,
        times: z.number().int(),
        attemptsBefore: z.number().int(),
        once: z.boolean().optional().meta({ description: "true: for one try, whatever its policy says." }),
      })
      .nullable()
      .meta({ description: "The last time a person sent it again." }),
    retired: z.boolean().meta({ description: "true: its retention is over. This is what lists keep of it." }),
  })
  .meta({ id: "Action" });
export type ApiAction = z.infer<typeof actionView>;

export const actionReply = z
  .object({
    action: actionView,
    repeated: z.boolean().meta({ description: "It was asked for before; nothing was done again." }),
    dryRun: z.boolean(),
    entries: z.array(entry).optional().meta({ description: "On a dry run: `would.entries`." }),
    would: would.optional(),
  })
  .meta({ id: "ActionReply" });
export type ApiActionReply = z.infer<typeof actionReply>;

export const actionBatchReply = z
  .object({
    dispatched: z.number().int(),
    repeated: z.number().int(),
    refused: z.number().int(),
    dryRun: z.boolean(),
    results: z.array(
      z.discriminatedUnion("ok", [
        z.object({ ok: z.literal(true), id: z.string(), status: z.enum(runStatuses), repeated: z.boolean() }),
        z.object({ ok: z.literal(false), problem }),
      ]),
    ),
  })
  .meta({ id: "ActionBatchReply" });
export type ApiActionBatchReply = z.infer<typeof actionBatchReply>;

export const actionQuery = query.pageQueryWith({
  status: z.enum(runStatuses).optional().meta({ description: "As the catalog last heard of it." }),
  type: actionType.max(100).optional().meta({ description: "The action's type, such as email." }),
  actionId: z.string().min(1).max(100).optional().meta({ description: "The label it was given; else its type." }),
  namespace: value.namespace.optional(),
  correlationId: value.correlationId.optional(),
  createdAfter: query.instantQuery.optional().meta({ description: "Asked for then or later." }),
  createdBefore: query.instantQuery.optional().meta({ description: "Asked for earlier than that." }),
  dueBefore: query.instantQuery.optional().meta({
    description: "Goes, or goes again, by itself then or earlier. With `status=retry`: what is due for its next try.",
  }),
});
