// Journey nodes of the engine's own types. A node of any other type is an action (`action-node.ts`).
import { z } from "zod";
import { childPolicies } from "../../engine/child.ts";
import { jsonObject, rule } from "../../json.ts";
import { REFERENCE_CHARS_MAX } from "../../limits/api-requests.ts";
import { EACH_ITEMS_MAX, NODE_EDGES_MAX, WEIGHT_MAX } from "../../limits/definitions/journey-sizes.ts";
import { delay, duration } from "../timing.ts";
import { acting, actingNode, onFailed, runnerType, undone } from "./action-node.ts";
import { awaited, eitherOr, ending, isGuardOfEvent, noGuard, oneOf } from "./awaited.ts";
import { delayConfig, refuseBothNames, untilOf, withOwnNames } from "./config-names.ts";
import { condition, next, nodeName, placed } from "./node-parts.ts";

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
      .max(NODE_EDGES_MAX)
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
      .max(NODE_EDGES_MAX)
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
      .max(NODE_EDGES_MAX),
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
    definition: z.string().min(1).max(REFERENCE_CHARS_MAX).describe("Name, name@version or id."),
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
