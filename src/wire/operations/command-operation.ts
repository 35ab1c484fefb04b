// Operations over many executions: API shapes of which ones, what is done to each, how fast, and when it stops
// automatically.
import { z } from "zod";
import { actionId } from "#schema/definition/action.ts";
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
    trigger: triggerIdText.optional().meta({ description: "Executions started by this trigger." }),
    status: z.enum(executionStatuses).optional(),
    state: path.optional().meta({ description: "A state's path or a node: executions in it or in a nested state." }),
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
      .meta({ description: "Maximum share of failures; above it the operation stops." }),
    after: z
      .number()
      .int()
      .min(1)
      .max(STOP_AFTER.most)
      .optional()
      .meta({ description: `Minimum number before the share counts. Default: ${STOP_AFTER.usual}.` }),
    states: z
      .array(path)
      .max(HEALTH_STATES_MAX)
      .optional()
      .meta({
        description:
          "Executions already changed are checked every few seconds: those that have failed since, or are in one of these states, count as failures. `[]`: only those that have failed.",
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
    .meta({ description: "Required current state of each: paths of states, or nodes, separated by commas." }),
  reason: value.reason.optional(),
};
const plain = (verb: "pause" | "resume") => z.strictObject({ verb: z.literal(verb), ...common });
const action = actionId.meta({ description: "All its runs that the verb applies to." });
const ofRuns = (verb: "hold" | "release") => z.strictObject({ verb: z.literal(verb), action, ...common });
/** A run's id differs in each execution. */
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
        .meta({ description: "What happens to their children. Default: as set at their start." }),
      ...common,
    }),
    z.strictObject({
      verb: z.literal("patch"),
      variables: value.anyObject.meta({ description: "A JSON merge patch, the same for all." }),
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
      desired: value.anyObject.meta({ description: "Desired state of the reconcilers." }),
      mode: z.enum(["merge", "replace"]).optional().meta({ description: "Default: merge." }),
      ...common,
    }),
    z
      .strictObject({
        verb: z.literal("skip"),
        node: path.optional().meta({ description: "A node of a journey." }),
        action: action.optional(),
        result: value.anyJson.optional().meta({ description: "The result, the same for all." }),
        ...common,
      })
      .refine(actionOrNode.check, actionOrNode.message),
    z
      .strictObject({
        verb: z.literal("reschedule"),
        timer: path.optional().meta({ description: "A timer's id, which is the same in all executions." }),
        action: action.optional(),
        at: moment.meta({ description: "A future instant, the same for all." }),
        ...common,
      })
      .refine(actionOrTimer.check, actionOrTimer.message),
    ofRuns("hold"),
    ofRuns("release"),
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
    matching: z.number().int().meta({ description: "Number of matches, from the catalog." }),
    estimatedSeconds: z.number().int(),
    oldest: value.instant.nullable().meta({ description: "When the oldest of them was created." }),
    newest: value.instant.nullable(),
    byStatus: tally,
    byDefinition: tally.meta({ description: "By name@version, the largest first." }),
    sample: z
      .object({
        of: z.number().int(),
        outcomes: tally,
        items: z.array(
          z.object({
            execution: executionIdText,
            outcome: z.enum(["done", "skipped", "refused", "gone", "unknown"]),
            reason: z.string().nullable().meta({ description: "Such as no_longer_matching, or the refusal's code." }),
            says: z.string().nullable(),
            status: z.string().nullable().meta({ description: "Status afterwards; `states` likewise." }),
            states: z.array(z.string()),
            entries: z.array(z.string()).meta({ description: "Journal entries that would be written, by kind." }),
          }),
        ),
      })
      .meta({ description: "Predicted results now for the oldest matches." }),
  })
  .meta({ id: "SteerPreview" });
export type ApiCommandPreview = z.infer<typeof commandPreview>;
