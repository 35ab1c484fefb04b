// Requests to start an execution or send it a command: API shapes of their bodies.
import { withShutdownCheck } from "#schema/definition/reconciler.ts";
import { z } from "zod";
import { clientEventType } from "#schema/engine/event.ts";
import { childPolicies } from "#schema/engine/child.ts";
import { ownExecutionIdText, sentEventId } from "#schema/ids.ts";
import { BATCH_STARTS_MAX, REFERENCE_CHARS_MAX } from "#schema/limits/api-requests.ts";
import * as value from "#schema/values.ts";

const ownId = ownExecutionIdText.meta({
  description: "A custom id. For pooled definitions use Idempotency-Key instead.",
});

const start = {
  definition: z
    .string()
    .min(1)
    .max(REFERENCE_CHARS_MAX)
    .meta({
      description: "A definition: its name (published version), name@version, name@draft, or id.",
      examples: ["order@2"],
    }),
  variables: value.anyObject.optional(),
  namespace: value.namespace.optional(),
  correlationId: value.correlationId.optional(),
  id: ownId.optional(),
  desired: withShutdownCheck(value.anyObject)
    .optional()
    .meta({ description: "For reconcilers: the desired state, as a JSON merge patch of the definition's `desired`." }),
};

export const startExecutionBody = z
  .strictObject(start)
  .meta({
    id: "StartExecution",
    examples: [
      { definition: "order", variables: { orderId: "o-17", email: "ada@example.com" }, correlationId: "o-17" },
    ],
  });
export type StartExecutionBody = z.input<typeof startExecutionBody>;

export const startExecutionsBody = z
  .strictObject({
    executions: z
      .array(z.strictObject({ ...start, idempotencyKey: value.idempotencyKey.optional() }))
      .min(1)
      .max(BATCH_STARTS_MAX),
  })
  .meta({ id: "StartExecutions", examples: [{ executions: [{ definition: "welcome", variables: { name: "Ada" } }] }] });
export type StartExecutionsBody = z.input<typeof startExecutionsBody>;

export const eventBody = z
  .strictObject({
    id: sentEventId
      .optional()
      .meta({
        description: "The id of the event. A repeated id changes nothing. Default: the Idempotency-Key, or a new id.",
      }),
    type: clientEventType,
    payload: value.anyJson.optional(),
    source: z.string().min(1).max(200).optional(),
    correlationId: value.correlationId.optional(),
  })
  .meta({ id: "Event", examples: [{ type: "payment.received", payload: { amount: 42 } }] });
export type EventBody = z.input<typeof eventBody>;

export const controlBody = z
  .strictObject({ reason: value.reason.optional() })
  .meta({ id: "Control", examples: [{ reason: "customer asked to wait" }] });
export type ControlBody = z.input<typeof controlBody>;

export const cancelBody = controlBody
  .extend({
    children: z
      .enum(childPolicies)
      .optional()
      .meta({
        description:
          "Overrides the children's `onCancel`: cancel them, leave them running, or wait for them. A second request with another value ends the wait.",
      }),
  })
  .meta({ id: "Cancel", examples: [{ reason: "ordered twice", children: "cancel" }] });
export type CancelBody = z.input<typeof cancelBody>;

export const patchBody = z
  .strictObject({
    variables: value.anyObject.meta({
      description: "A JSON merge patch: objects merge at every depth, null removes a key, other values replace.",
    }),
    reason: value.reason.optional(),
  })
  .meta({ id: "Patch", examples: [{ variables: { weddingDate: "2027-06-12" }, reason: "date moved" }] });
export type PatchBody = z.input<typeof patchBody>;

const targetName = z.string().min(1).max(300);
export const runNowBody = z
  .strictObject({
    run: targetName.optional(),
    timer: targetName.optional(),
    action: targetName.optional(),
    reason: value.reason.optional(),
  })
  .refine((body) => [body.run, body.timer, body.action].filter((name) => name !== undefined).length === 1, {
    message: "must name exactly one of run, timer and action",
  })
  .meta({ id: "RunNow", examples: [{ action: "notify", reason: "customer is on the phone" }] });
export type RunNowBody = z.input<typeof runNowBody>;
