// Operations over many executions, on the wire: which, what is done to each, how fast, and when it stops by itself.
import { z } from "zod";
import { actionId } from "#schema/definition/action.ts";
import { defaults } from "#schema/defaults.ts";
import { childPolicies } from "#schema/engine/child.ts";
import { sentType } from "#schema/engine/event.ts";
import { executionStatuses } from "#schema/engine/state.ts";
import { executionIdText, triggerIdText } from "#schema/ids.ts";
import { limits } from "#schema/limits.ts";
import { HEALTH_STATES_MAX, STOP_AFTER } from "#schema/limits/upkeep.ts";
import { subjectKey } from "#schema/subject/key.ts";
import * as value from "#schema/values.ts";

const moment = z.iso.datetime({ offset: true });
const path = z.string().min(1).max(limits.referenceCharsMax);

const filter = z
  .strictObject({
    definition: z
      .string()
      .min(1)
      .max(limits.referenceCharsMax)
      .optional()
      .meta({ description: "A definition's name, or the id of one version.", examples: ["lease"] }),
    version: z.number().int().min(1).optional(),
    namespace: value.namespace.optional(),
    correlationId: value.correlationId.optional(),
    subject: subjectKey.optional(),
    trigger: triggerIdText.optional().meta({ description: "Those that this trigger has brought about." }),
    status: z.enum(executionStatuses).optional(),
    state: path
      .optional()
      .meta({ description: "A state's path, or a node: those that stand there, or in a state within it." }),
    createdAfter: moment.optional(),
    createdBefore: moment.optional(),
  })
  .refine(({ createdAfter, createdBefore }) => !(Date.parse(createdAfter ?? "") >= Date.parse(createdBefore ?? "")), {
    path: ["createdAfter"],
    message: "must be earlier than createdBefore: nothing lies between the two",
  })
  .meta({ description: "All fields must fit. `{}` means every execution of the tenant that has not ended." });

const stopAt = z
  .strictObject({
    failedShare: z.number().min(0).max(1).meta({ description: "A larger share than this stops it." }),
    after: z
      .number()
      .int()
      .min(1)
      .max(STOP_AFTER.most)
      .optional()
      .meta({ description: `Of so many at least. Default: ${STOP_AFTER.usual}.` }),
    states: z
      .array(path)
      .max(HEALTH_STATES_MAX)
      .optional()
      .meta({
        description:
          "Those it has dealt with are looked at, too, every few seconds: who has failed since, or stands in one of these " +
          "states, counts as failed. `[]`: those alone that have failed.",
      }),
  })
  .meta({ id: "StopAt" });

const common = {
  filter,
  perSecond: z
    .number()
    .int()
    .min(1)
    .max(limits.operationPerSecondMax)
    .optional()
    .meta({ description: `At most so many are asked in any second. Default: ${defaults.steeredPerSecond}.` }),
  stopAt: stopAt.optional(),
  ifState: path.optional().meta({
    description: "Each of them only as long as it stands there: paths of states, or nodes, with commas between them.",
  }),
  reason: value.reason.optional(),
};
const plain = (verb: "pause" | "resume") => z.strictObject({ verb: z.literal(verb), ...common });
const action = actionId.meta({ description: "Every run of it that the verb is about." });
const ofRuns = (verb: "hold" | "release") => z.strictObject({ verb: z.literal(verb), action, ...common });
/** A run's id is each execution's own. */
const named = <const Other extends "node" | "timer">(other: Other) => ({
  check: (body: { readonly [field: string]: unknown }) =>
    (body["action"] === undefined) !== (body[other] === undefined),
  message: `name either action or ${other}`,
});
const actionOrNode = named("node");
const actionOrTimer = named("timer");

export const steerBody = z
  .discriminatedUnion("verb", [
    plain("pause"),
    plain("resume"),
    z.strictObject({
      verb: z.literal("cancel"),
      children: z
        .enum(childPolicies)
        .optional()
        .meta({ description: "What becomes of their children. Default: as was said when they were started." }),
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
        type: sentType,
        payload: value.anyJson.optional(),
        source: z.string().min(1).max(200).optional(),
      }),
      ...common,
    }),
    z.strictObject({
      verb: z.literal("desire"),
      desired: value.anyObject.meta({ description: "What reconcilers are to come to." }),
      mode: z.enum(["merge", "replace"]).optional().meta({ description: "Default: merge." }),
      ...common,
    }),
    z
      .strictObject({
        verb: z.literal("skip"),
        node: path.optional().meta({ description: "A node of a journey." }),
        action: action.optional(),
        result: value.anyJson.optional().meta({ description: "What it has come to, for all of them." }),
        ...common,
      })
      .refine(actionOrNode.check, actionOrNode.message),
    z
      .strictObject({
        verb: z.literal("reschedule"),
        timer: path.optional().meta({ description: "A timer's id, which is the same in all executions." }),
        action: action.optional(),
        at: moment.meta({ description: "Ahead of now, and the same for all." }),
        ...common,
      })
      .refine(actionOrTimer.check, actionOrTimer.message),
    ofRuns("hold"),
    ofRuns("release"),
    z.strictObject({
      verb: z.literal("retry"),
      action: actionId.optional().meta({ description: "Dead letters of this action alone." }),
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
export type SteerBody = z.input<typeof steerBody>;

const tally = z.record(z.string(), z.number().int());

export const steerPreview = z
  .object({
    dryRun: z.literal(true),
    matching: z.number().int().meta({ description: "How many would be asked, by what lists know." }),
    estimatedSeconds: z.number().int(),
    oldest: value.instant.nullable().meta({ description: "When the first of them was created." }),
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
            status: z.string().nullable().meta({ description: "As it would be afterwards, and so are states." }),
            states: z.array(z.string()),
            entries: z.array(z.string()).meta({ description: "What its history would gain, by kind." }),
          }),
        ),
      })
      .meta({ description: "What it would come to at this moment for those that were created first, as they say." }),
  })
  .meta({ id: "SteerPreview" });
export type ApiSteerPreview = z.infer<typeof steerPreview>;
