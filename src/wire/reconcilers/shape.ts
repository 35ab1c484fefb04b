// Reconcilers: API shapes of the desired and observed state.
import { withShutdownCheck } from "#schema/definition/reconciler.ts";
import { z } from "zod";
import * as value from "#schema/values.ts";

/**
 * The seven fields with which the action executor pattern describes the latest action. Rules and templates read the
 * same fields under the name `action`.
 */
export const actionStatus = z
  .object({
    inProgress: z.boolean(),
    actionName: z.string().meta({ description: "The id of the latest action; empty before the first action." }),
    startedAt: value.instant.nullable(),
    succeeded: z.boolean(),
    failed: z.boolean().meta({ description: "true: the latest action failed permanently, and no attempt is left." }),
    errorMessage: z.string().nullable(),
    retries: z.number().int().meta({ description: "The number of attempts after the first attempt." }),
    delivery: z
      .object({
        event: z.string().meta({ description: "The event of the report, such as email_bounced." }),
        type: z.string().nullable().meta({ description: "For a bounce: hard or soft." }),
        at: z.string().nullable(),
        code: z.string().nullable(),
        reason: z.string().nullable(),
      })
      .optional()
      .meta({ description: "The latest report about the action's message. Absent: none has arrived." }),
  })
  .meta({ id: "ActionStatus" });
export type ApiActionStatus = z.infer<typeof actionStatus>;

export const revisedReconciler = z
  .object({
    value: value.anyObject.nullable().meta({ description: "The value; null if there is no observation yet." }),
    revision: z
      .number()
      .int()
      .meta({ description: "The revision of the value. `ETag` returns it, and `If-Match` compares with it." }),
    at: value.instant
      .nullable()
      .meta({ description: "When the value was set; for an observation, when it was last observed." }),
  })
  .meta({ id: "Revised" });
export type ApiRevised = z.infer<typeof revisedReconciler>;

/** The additional fields of an execution that is a reconciler. */
export const reconcilerView = {
  state: z
    .string()
    .optional()
    .meta({ description: "For reconcilers: the current state. `reason` explains the state." }),
  actionStatus: actionStatus.optional().meta({ description: "For reconcilers: the status of the latest action." }),
  desired: revisedReconciler.optional().meta({ description: "For reconcilers: the desired state." }),
  observed: revisedReconciler.optional().meta({ description: "For reconcilers: the latest observation." }),
};

export const desiredBody = z
  .strictObject({
    value: withShutdownCheck(value.anyObject),
    mode: z
      .enum(["replace", "merge"])
      .optional()
      .meta({ description: "merge: a JSON merge patch of the current desired state. Default: replace." }),
    reason: value.reason.optional(),
  })
  .meta({ id: "Desired", examples: [{ value: { running: true }, reason: "switched on" }] });
export type DesiredBody = z.input<typeof desiredBody>;

export const observedBody = z
  .strictObject({
    value: value.anyObject,
    observedAt: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({
        description:
          "When the value was observed. Default: now. An observation that is not newer than the stored one changes nothing.",
      }),
  })
  .meta({ id: "Observed", examples: [{ value: { processRunning: true }, observedAt: "2026-11-19T10:00:00.000Z" }] });
export type ObservedBody = z.input<typeof observedBody>;
