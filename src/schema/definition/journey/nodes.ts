// Journey nodes. A type that is not listed here is a runner's: such a node is an action.
import { z } from "zod";
import { lane, onExhausted, selfHeal } from "../action.ts";
import { actionType } from "../action-type.ts";
import { assign, ownName } from "../head.ts";
import { childPolicies } from "../../engine/child.ts";
import { eventType } from "../../engine/event.ts";
import { jsonObject, rule } from "../../json.ts";
import { limits } from "../../limits.ts";
import { EACH_ITEMS_MAX, WAYS_MAX, WEIGHT_MAX } from "../../limits/journey-sizes.ts";
import { capName } from "../cap.ts";
import { delayConfig, refuseBothNames, untilOf, withOwnNames } from "./config-names.ts";
import { awaited, eitherOr, ending, isGuardOfEvent, noGuard, oneOf } from "./awaited.ts";
import { retryPolicy, retryPreset } from "../retry.ts";
import { delay, disambiguation, duration, timezone } from "../timing.ts";
import { window } from "../window.ts";

export const controlTypes = ["delay", "branch", "wait", "split", "each", "journey", "exit"] as const;
export type ControlType = (typeof controlTypes)[number];

export const nodeName = z
  .string()
  .max(limits.idLengthMax)
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, { message: "must be a letter, then letters, digits, _ or -" });

const next = z
  .union([nodeName, z.array(nodeName).min(1).max(WAYS_MAX)])
  .optional()
  .describe("The next node, or a list of them: a fork.");
export type Next = z.infer<typeof next>;

export const join = z.union([
  z.enum(["all", "any"]),
  z.strictObject({ of: z.number().int().min(1).describe("The node begins when this many incoming edges are taken.") }),
]);

const placed = {
  join: join
    .optional()
    .describe("With several incoming edges: all have ended (default), the first is taken, or this many are."),
  description: z.string().max(limits.descriptionCharsMax).optional().describe("For people."),
};
const condition = rule
  .optional()
  .describe("A rule (JSONLogic): false skips the node, and the journey continues after it.");

/** Execution settings of a journey's actions; under `defaults` the same by type. */
const acting = {
  config: jsonObject.optional().describe("The type's config. It may contain templates."),
  window: z
    .union([ownName, window])
    .optional()
    .describe("Time window: a name of `windows`, or an inline window. Outside of it a run waits."),
  cap: capName.optional().describe("A name of `caps`: the maximum number of messages for one subject."),
  condition,
  validUntil: rule
    .optional()
    .describe("A date-time, epoch milliseconds, or a rule that returns either: a later run is skipped."),
  maxLateness: duration.optional().describe("A run overdue by more than this is skipped."),
  selfHeal: selfHeal.optional().describe("Whether it is retried automatically after its provider's outage."),
  disambiguation: disambiguation.optional().describe("How an ambiguous local time in validUntil is resolved."),
  timezone: timezone.optional().describe("For its dates. Default: the definition's."),
  priority: z.number().int().min(0).max(100).optional().describe("Higher goes first; above 90 is critical."),
  retry: z
    .union([retryPreset, retryPolicy])
    .optional()
    .describe("A preset's name, or a policy. Default: the type's, or e-mail's if it has none."),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(limits.timeoutMsMax)
    .optional()
    .describe("Milliseconds for one attempt. Default: the type's own."),
  enabled: z.boolean().optional().describe("false: it is skipped. Default: true."),
  onExhausted: onExhausted
    .optional()
    .describe("What happens after its last failed attempt, without an onFailed. Default: deadLetter."),
  lane: lane.optional().describe("The lane of its runs. Default: the definition's."),
};

const runnerType = actionType.refine((type) => !(controlTypes as readonly string[]).includes(type), {
  message: "must be the type of an action such as email, webhook or task",
  abort: true,
});

/** Defaults for every node of a type. */
export const typeDefaults = z.strictObject(acting).meta({ id: "NodeDefaults" });
export type TypeDefaults = z.infer<typeof typeDefaults>;

/** The action that compensates its node. */
const undo = z
  .strictObject({
    type: runnerType.describe("The type."),
    config: acting.config,
    retry: acting.retry,
    timeout: acting.timeout,
    lane: acting.lane,
  })
  .superRefine((node, context) => refuseBothNames(node.type, node, context))
  .overwrite((node) => withOwnNames(node.type, node))
  .meta({ id: "Undo" });
export type Undo = z.infer<typeof undo>;

const undone = { undo: undo.optional().describe("The action that compensates it.") };
const onFailed = { onFailed: nodeName.optional().describe("The next node if it fails permanently.") };

export const actingNode = z
  .strictObject({
    type: runnerType.describe("The type, such as email, sms, webhook or task."),
    ...acting,
    schedule: delay
      .optional()
      .describe("When: a name of `delays`, a duration after its planned time, or an inline delay."),
    assign: assign.optional().describe("Variables to set when it is done, each by a rule that reads its result."),
    await: z
      .strictObject({
        for: z.array(eventType).min(1).max(WAYS_MAX).describe("Types of events of its own, such as task_completed."),
        timeout: delay
          .optional()
          .describe("If it is not done after this time, it takes onFailed, or is skipped without one."),
      })
      .optional()
      .describe("It is done when one of these events arrives, not when the call is made."),
    ...undone,
    ...onFailed,
    next,
    ...placed,
  })
  .superRefine((node, context) => refuseBothNames(node.type, node, context))
  .overwrite((node) => withOwnNames(node.type, node))
  .meta({ id: "ActingNode" });
export type ActingNode = z.infer<typeof actingNode>;

export const delayNode = z
  .strictObject({
    type: z.literal("delay").describe("Continues later."),
    for: duration.optional().describe("This long after the planned time of the node before."),
    until: delay.optional().describe("A name of `delays`, or an inline delay."),
    config: delayConfig.optional().describe("The moment, as some documents spell it. It is stored as `until`."),
    from: z
      .enum(["planned", "done"])
      .optional()
      .describe("done: counted from the actual end of the node before. Default: planned."),
    condition,
    next,
    ...placed,
  })
  .refine(({ until, config }) => until === undefined || config === undefined, {
    message: "config.delayUntil is another name of until: use one of them",
    path: ["config", "delayUntil"],
    abort: true,
  })
  .overwrite(({ config, ...node }) => (config === undefined ? node : { ...node, until: untilOf(config) }))
  .refine((node) => (node.for === undefined) !== (node.until === undefined), {
    message: "a delay needs a duration, or a moment",
    path: ["for"],
  })
  .meta({ id: "DelayNode" });
export type DelayNode = z.infer<typeof delayNode>;

const branchNode = z
  .strictObject({
    type: z.literal("branch").describe("Takes the first edge whose guard is true."),
    cases: z
      .array(
        z.strictObject({
          guard: rule.optional().describe("A rule (JSONLogic). Default: always true."),
          next,
          description: placed.description,
        }),
      )
      .min(1)
      .max(WAYS_MAX)
      .describe("Evaluated in order, on arrival."),
    ...placed,
  })
  .meta({ id: "BranchNode" });

const waitNode = z
  .strictObject({
    type: z.literal("wait").describe("Continues with the first of several events or rules."),
    for: z
      .array(
        z
          .strictObject({ ...awaited, next })
          .refine(oneOf, eitherOr)
          .refine(isGuardOfEvent, noGuard),
      )
      .min(1)
      .max(WAYS_MAX)
      .describe("The events and rules; the earliest event wins."),
    timeout: z
      .strictObject({ after: delay.describe("How long it waits, or until when."), next })
      .optional()
      .describe("The edge taken if nothing arrived. Default of `next`: the node's own."),
    since: z
      .enum(["enrolment", "arrival"])
      .optional()
      .describe("enrolment: earlier events count, too. Default: enrolment."),
    condition,
    next,
    ...placed,
  })
  .meta({ id: "WaitNode" });
export type WaitNode = z.infer<typeof waitNode>;

const splitNode = z
  .strictObject({
    type: z.literal("split").describe("Takes one of several edges, by weight; always the same one for an execution."),
    ways: z
      .array(
        z.strictObject({
          name: nodeName.optional().describe("The edge's name in lists. Default: its position."),
          weight: z.number().positive().max(WEIGHT_MAX).describe("Its share, relative to the other weights."),
          next,
        }),
      )
      .min(1)
      .max(WAYS_MAX),
    by: rule.optional().describe("The value that decides, such as a customer's id. Default: the execution's id."),
    condition,
    next,
    ...placed,
  })
  .meta({ id: "SplitNode" });

const eachNode = z
  .strictObject({
    type: z.literal("each").describe("Repeats one node: for each item of a list, or a number of times."),
    times: z.number().int().min(1).max(EACH_ITEMS_MAX).optional().describe("The number of repetitions."),
    over: rule.optional().describe("A rule that returns a list, frozen on entry; the node reads `item` and `index`."),
    every: delay.optional().describe("The time between repetitions, counted from the planned instant."),
    until: z
      .strictObject({ event: awaited.event, when: awaited.when, guard: awaited.guard })
      .refine(oneOf, eitherOr)
      .refine(isGuardOfEvent, noGuard)
      .optional()
      .describe("What ends it early."),
    tolerate: z.number().int().min(0).max(EACH_ITEMS_MAX).optional().describe("How many may fail. Default: none."),
    node: z
      .strictObject({ type: runnerType.describe("The type."), ...acting })
      .superRefine((node, context) => refuseBothNames(node.type, node, context))
      .overwrite((node) => withOwnNames(node.type, node))
      .describe("The repeated node."),
    condition,
    ...undone,
    ...onFailed,
    next,
    ...placed,
  })
  .refine(({ times, over }) => (times === undefined) !== (over === undefined), {
    message: "give either a number of repetitions or a list",
    path: ["times"],
  })
  .meta({ id: "EachNode" });
export type EachNode = z.infer<typeof eachNode>;

const childNode = z
  .strictObject({
    type: z.literal("journey").describe("Another execution, as a step of this one: done when that has ended."),
    definition: z.string().min(1).max(limits.referenceCharsMax).describe("Name, name@version or id."),
    variables: jsonObject.optional().describe("Its variables. May contain templates."),
    correlationId: z.string().min(1).max(200).optional().describe("A label for searching it."),
    onCancel: z
      .enum(childPolicies)
      .optional()
      .describe("What happens to it if this execution is stopped. Default: cancel."),
    schedule: actingNode.shape.schedule,
    assign: actingNode.shape.assign,
    condition,
    retry: acting.retry,
    onExhausted: acting.onExhausted,
    ...undone,
    ...onFailed,
    next,
    ...placed,
  })
  .meta({ id: "JourneyNode" });
export type ChildNode = z.infer<typeof childNode>;

const exitNode = z
  .strictObject({
    type: z.literal("exit").describe("Ends the whole journey, including work in progress."),
    ...ending,
    ...placed,
  })
  .meta({ id: "ExitNode" });

export const journeyNode = z.union([
  delayNode,
  branchNode,
  waitNode,
  splitNode,
  eachNode,
  childNode,
  exitNode,
  actingNode,
]);
export type JourneyNode = z.infer<typeof journeyNode>;
