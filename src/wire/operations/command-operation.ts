// Operations over executions: API shapes of the filter, the command, the pace, and the condition that stops the
// operation.
import { withShutdownCheck } from "#schema/definition/reconciler.ts";
import { z } from "zod";
import { actionId } from "#schema/definition/action-fields.ts";
import { defaults } from "#schema/defaults.ts";
import { childPolicies } from "#schema/engine/child.ts";
import { clientEventType } from "#schema/engine/event.ts";
import { executionStatuses } from "#schema/engine/state.ts";
import { executionIdText, triggerIdText } from "#schema/ids.ts";
import { REFERENCE_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { HEALTH_STATES_MAX, OPERATION_PER_SECOND_MAX, STOP_AFTER } from "#schema/limits/upkeep/bulk-operations.ts";
import { subjectKey } from "#schema/subject/key.ts";
import * as value from "#schema/values.ts";

const moment = z.iso.datetime({ offset: true });
const path = z.string().min(1).max(REFERENCE_CHARS_MAX);

const filter = z
  .strictObject({
    definition: z
      .string()
      .min(1)
      .max(REFERENCE_CHARS_MAX)
      .optional()
      .meta({ description: "A definition's name, or the id of one version.", examples: ["lease"] }),
    version: z.number().int().min(1).optional(),
    namespace: value.namespace.optional(),
    correlationId: value.correlationId.optional(),
    subject: subjectKey.optional(),
    trigger: triggerIdText.optional().meta({ description: "Only executions that this trigger started." }),
    status: z.enum(executionStatuses).optional(),
    state: path
      .optional()
      .meta({ description: "Only executions in this state or node, or in one of its inner states." }),
    createdAfter: moment.optional(),
    createdBefore: moment.optional(),
  })
  .refine(({ createdAfter, createdBefore }) => !(Date.parse(createdAfter ?? "") >= Date.parse(createdBefore ?? "")), {
    path: ["createdAfter"],
    message: "must be earlier than createdBefore: the range is empty",
  })
  .meta({ description: "All fields must match. `{}` means every live execution of the tenant." });

const stopAt = z
  .strictObject({
    failedShare: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: "The maximum share of failures. The operation stops above this share." }),
    after: z
      .number()
      .int()
      .min(1)
      .max(STOP_AFTER.most)
      .optional()
      .meta({ description: `The minimum number of items before the share counts. Default: ${STOP_AFTER.usual}.` }),
    states: z
      .array(path)
      .max(HEALTH_STATES_MAX)
      .optional()
      .meta({
        description:
          "The operation checks changed executions every few seconds. Executions that have failed, or are in one of these states, count as failures. With `[]`, only failed executions count.",
      }),
  })
  .meta({ id: "StopAt" });

const common = {
  filter,
  perSecond: z
    .number()
    .int()
    .min(1)
    .max(OPERATION_PER_SECOND_MAX)
    .optional()
    .meta({ description: `Maximum executions per second. Default: ${defaults.steeredPerSecond}.` }),
  stopAt: stopAt.optional(),
  ifState: path
    .optional()
    .meta({
      description: "The required current state of each execution: paths of states, or nodes, separated by commas.",
    }),
  reason: value.reason.optional(),
};
const plain = (verb: "pause" | "resume") => z.strictObject({ verb: z.literal(verb), ...common });
const action = actionId.meta({
  description: "The id of an action. The verb is applied to all runs of this action that can be changed.",
});
const ofRuns = (verb: "hold" | "release") => z.strictObject({ verb: z.literal(verb), action, ...common });
/**
 * Requires either `action` or the node or timer, but not both. A run's id is not accepted, because run ids differ
 * between executions.
 */
const named = <const Other extends "node" | "timer">(other: Other) => ({
  check: (body: { readonly [field: string]: unknown }) =>
    (body["action"] === undefined) !== (body[other] === undefined),
  message: `must name either action or ${other}`,
});
const actionOrNode = named("node");
const actionOrTimer = named("timer");

export const commandOperationBody = z
  .discriminatedUnion("verb", [
    plain("pause"),
    plain("resume"),
    z.strictObject({
      verb: z.literal("cancel"),
      children: z
        .enum(childPolicies)
        .optional()
        .meta({ description: "The handling of the executions' children. Default: as their `onCancel` says." }),
      ...common,
    }),
    z.strictObject({
      verb: z.literal("patch"),
      variables: value.anyObject.meta({
        description: "A JSON merge patch of the variables, the same for all executions.",
      }),
      ...common,
    }),
    z.strictObject({
      verb: z.literal("event"),
      event: z.strictObject({
        type: clientEventType,
        payload: value.anyJson.optional(),
        source: z.string().min(1).max(200).optional(),
      }),
      ...common,
    }),
    z.strictObject({
      verb: z.literal("desire"),
      desired: withShutdownCheck(value.anyObject).meta({ description: "Desired state of the reconcilers." }),
      mode: z
        .enum(["merge", "replace"])
        .optional()
        .meta({ description: "How `desired` is applied: merge or replace. Default: merge." }),
      ...common,
    }),
    z
      .strictObject({
        verb: z.literal("skip"),
        node: path.optional().meta({ description: "A node of a journey." }),
        action: action.optional(),
        result: value.anyJson
          .optional()
          .meta({ description: "The result of the skipped work, the same for all executions." }),
        ...common,
      })
      .refine(actionOrNode.check, actionOrNode.message),
    z
      .strictObject({
        verb: z.literal("reschedule"),
        timer: path.optional().meta({ description: "A timer's id, which is the same in all executions." }),
        action: action.optional(),
        at: moment.meta({ description: "A future instant, the same for all executions." }),
        ...common,
      })
      .refine(actionOrTimer.check, actionOrTimer.message),
    ofRuns("hold"),
    ofRuns("release"),
    z.strictObject({
      verb: z.literal("cancel-action"),
      action,
      result: value.anyJson
        .optional()
        .meta({ description: "The result of the canceled actions, the same for all executions." }),
      ...common,
    }),
    z.strictObject({
      verb: z.literal("retry"),
      action: actionId.optional().meta({ description: "Only dead letters of this action." }),
      ...common,
    }),
  ])
  .meta({
    id: "StartOperation",
    examples: [
      {
        verb: "event",
        event: { type: "prices.changed", payload: { list: "2027" } },
        filter: { definition: "lease", state: "renewing" },
        perSecond: 100,
        stopAt: { failedShare: 0.05 },
        reason: "price list of 2027",
      },
    ],
  });
export type CommandOperationBody = z.input<typeof commandOperationBody>;

const tally = z.record(z.string(), z.number().int());

export const commandPreview = z
  .object({
    dryRun: z.literal(true),
    matching: z.number().int().meta({ description: "The number of matching executions in the catalog." }),
    estimatedSeconds: z.number().int(),
    oldest: value.instant
      .nullable()
      .meta({ description: "When the oldest matching execution was created; null if none matches." }),
    newest: value.instant.nullable(),
    byStatus: tally,
    byDefinition: tally.meta({
      description: "The number of executions by definition (name@version), the largest number first.",
    }),
    sample: z
      .object({
        of: z.number().int(),
        outcomes: tally,
        items: z.array(
          z.object({
            execution: executionIdText,
            outcome: z.enum(["done", "skipped", "refused", "gone", "unknown"]),
            reason: z
              .string()
              .nullable()
              .meta({
                description:
                  "The reason, such as no_longer_matching, or the code of the refusal; null if the verb was applied.",
              }),
            says: z.string().nullable(),
            status: z
              .string()
              .nullable()
              .meta({
                description: "The status of the execution after the verb. `states` has the states after the verb.",
              }),
            states: z.array(z.string()),
            entries: z.array(z.string()).meta({ description: "Journal entries that would be written, by kind." }),
          }),
        ),
      })
      .meta({ description: "The predicted results for the oldest matching executions." }),
  })
  .meta({ id: "SteerPreview" });
export type ApiCommandPreview = z.infer<typeof commandPreview>;
