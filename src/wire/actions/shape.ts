// Standalone actions: API shapes.
import { z } from "zod";
import { hintsFor } from "#schema/definition/action-places.ts";
import { actionType } from "#schema/definition/action-type.ts";
import { BATCH_STARTS_MAX } from "#schema/limits/api-requests.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { dedupFields, standaloneAction } from "#schema/definition/standalone.ts";
import { namedDelay } from "#schema/definition/timing.ts";
import { fieldHints } from "#schema/field-hints.ts";
import { runHold } from "../executions/shape.ts";
import { errorOf } from "../action-error.ts";
import { attempt, entry, would, lane } from "../history/shape.ts";
import { deliveryField } from "../reports/shape.ts";
import { problem } from "../problem.ts";
import { executionIdText } from "#schema/ids.ts";
import * as value from "#schema/values.ts";
import * as query from "../query.ts";

const written = standaloneAction.shape;

/** A JSONLogic rule. This schema accepts any JSON, because the kernel checks the operators. */
export const ruleOf = (description = "A rule in JSONLogic that returns the date to count from.") =>
  value.anyJson.optional().meta({ description, examples: [{ var: "execution.variables.until" }] });
const delay = z.union([
  z.number().int().nonnegative(),
  z.string().min(1).max(100),
  namedDelay.extend({ anchor: ruleOf() }),
]);

/**
 * An action's config. Where /openapi.json finds the mark `x-config-of`, it inserts the config schema of each action
 * type.
 */
const config = value.anyObject.meta({
  description: "The config of the action type. Its templates see `execution.variables`.",
  "x-config-of": "type",
});

const fields = {
  ...written,
  config,
  variables: value.anyObject.optional(),
  namespace: value.namespace.optional(),
  correlationId: value.correlationId.optional(),
  ...dedupFields,
  delay: delay.optional().describe(written.delay.description ?? ""),
  condition: ruleOf(written.condition.description),
  validUntil: ruleOf(written.validUntil.description),
};

const example = {
  type: "webhook",
  config: { url: "{{ secrets.shop_hook }}", payload: { orderId: "{{ execution.variables.orderId }}" } },
  variables: { orderId: "o-17" },
};

const hasKey = { error: "`dedupWindow` requires `dedupKey`: add dedupKey, or omit dedupWindow", path: ["dedupWindow"] };
const isKeyed = (body: { dedupKey?: string | undefined; dedupWindow?: unknown }): boolean =>
  body.dedupWindow === undefined || body.dedupKey !== undefined;

export const actionBody = z
  .strictObject(fields)
  .refine(isKeyed, hasKey)
  .meta({ id: "DispatchAction", examples: [example] })
  .register(fieldHints, hintsFor("standalone"));
export type ActionBody = z.input<typeof actionBody>;

export const actionsBody = z
  .strictObject({
    actions: z
      .array(
        z
          .strictObject({ ...fields, idempotencyKey: value.idempotencyKey.optional() })
          .refine(isKeyed, hasKey)
          .register(fieldHints, hintsFor("standalone")),
      )
      .min(1)
      .max(BATCH_STARTS_MAX),
  })
  .meta({ id: "DispatchActions", examples: [{ actions: [example] }] });
export type ActionsBody = z.input<typeof actionsBody>;

export const retryBody = z
  .strictObject({
    config: value.anyObject.optional().meta({ description: "A JSON merge patch of the action's config as written." }),
    variables: value.anyObject.optional().meta({ description: "A JSON merge patch of the action's variables." }),
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
  attempt: z
    .number()
    .int()
    .meta({ description: "The number of the current or last attempt; 0 before the first attempt." }),
  priority: z.number(),
  createdAt: value.instant,
  dueAt: value.instant.nullable().meta({ description: "When the next attempt starts automatically." }),
  finishedAt: value.instant.nullable(),
  reason: z.string().nullable(),
  costEstimate: z.number().nullable(),
  deadLetterId: z
    .string()
    .nullable()
    .meta({ description: "The id of the dead letter while the action waits for an operator; null otherwise." }),
};

export const actionSummary = z
  .object({ ...summary, error: errorOf.nullable(), delivery: deliveryField.optional() })
  .meta({ id: "ActionSummary" });
export type ApiActionSummary = z.infer<typeof actionSummary>;

export const actionView = z
  .object({
    ...summary,
    description: z.string().nullable(),
    tags: z.array(z.string()),
    variables: value.anyObject,
    dedupKey: z.string().nullable(),
    dedupUntil: value.instant.nullable(),
    maxAttempts: z.number().int().nullable(),
    attempts: z.array(attempt),
    lane: lane.nullable(),
    config: value.anyObject
      .nullable()
      .meta({
        description:
          "The config as rendered at the first attempt. Placeholders stand for secrets, and credentials are redacted.",
      }),
    result: value.anyJson,
    error: errorOf.nullable(),
    delivery: deliveryField.optional(),
    held: runHold
      .nullable()
      .meta({ description: "Why and until when the action is held; null if the action is not held." }),
    startedAt: value.instant.nullable(),
    idempotencyKey: z
      .string()
      .nullable()
      .meta({ description: "The idempotency key given to the provider; the same for every attempt." }),
    redriven: z
      .object({
        at: value.instant,
        times: z.number().int(),
        attemptsBefore: z.number().int(),
        once: z
          .boolean()
          .optional()
          .meta({ description: "true: the run gets exactly one more attempt, regardless of the retry policy." }),
      })
      .nullable()
      .meta({ description: "When an operator last retried the run." }),
    retired: z
      .boolean()
      .meta({ description: "true: the retention is over, and the response is a summary from the catalog." }),
  })
  .meta({ id: "Action" });
export type ApiAction = z.infer<typeof actionView>;

export const actionReply = z
  .object({
    action: actionView,
    repeated: z
      .boolean()
      .meta({ description: "true: the request repeats an earlier request, and the engine did nothing again." }),
    dryRun: z.boolean(),
    entries: z
      .array(entry)
      .optional()
      .meta({ description: "On a dry run: the journal entries that would be written, as in `would.entries`." }),
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
  status: z
    .enum(runStatuses)
    .optional()
    .meta({ description: "Only actions with this status, as the catalog last received it." }),
  type: actionType.max(100).optional().meta({ description: "The action type, such as email." }),
  actionId: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "The label of the action. Default: the action type." }),
  namespace: value.namespace.optional(),
  correlationId: value.correlationId.optional(),
  createdAfter: query.instantQuery
    .optional()
    .meta({ description: "Only actions that were requested at or after this instant." }),
  createdBefore: query.instantQuery
    .optional()
    .meta({ description: "Only actions that were requested before this instant." }),
  dueBefore: query.instantQuery
    .optional()
    .meta({
      description:
        "Only actions whose next attempt is due at or before this instant. With `status=retry`, these are the actions that are due for a retry.",
    }),
});
