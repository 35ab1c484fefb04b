// Journey nodes of the engine's own types. A node of any other type is an action (`action-node.ts`).
import { z } from "zod";
import { childPolicies } from "../../engine/child.ts";
import { fieldHints } from "../../field-hints.ts";
import { jsonObject, rule } from "../../json.ts";
import { REFERENCE_CHARS_MAX } from "../../limits/api-requests.ts";
import { EACH_ITEMS_MAX, NODE_EDGES_MAX, WEIGHT_MAX } from "../../limits/definition-sizes.ts";
import { delay, duration } from "../timing.ts";
import { fieldsIn, hintsFor } from "../action-places.ts";
import { acting, actingNode, onFailed, runnerType, undone, unsettable } from "./action-node.ts";
import { awaitedFields, eitherOr, ending, isGuardOfEvent, noGuard, oneOf } from "./wait-conditions.ts";
import { delayConfig, refuseBothNames, untilOf, withOwnNames } from "./config-names.ts";
import { condition, next, nodeName, nodeFields } from "./node-parts.ts";

export const delayNode = z
  .strictObject({
    type: z.literal("delay").describe("A node that waits for a duration or until a date."),
    for: duration.optional().describe("A duration after the planned time of the previous node."),
    until: delay.optional().describe("The end of the wait: a name in `delays`, or an inline delay."),
    config: delayConfig.optional().describe("Another name of `until`. The engine stores it as `until`."),
    from: z
      .enum(["planned", "done"])
      .optional()
      .describe(
        "Where the duration begins. planned (default): at the planned time of the previous node. done: at its actual end.",
      ),
    condition,
    next,
    ...nodeFields,
  })
  .refine(({ until, config }) => until === undefined || config === undefined, {
    message: "config.delayUntil is another name of until: use one of them",
    path: ["config", "delayUntil"],
    abort: true,
  })
  .overwrite(({ config, ...node }) => (config === undefined ? node : { ...node, until: untilOf(config) }))
  .refine((node) => (node.for === undefined) !== (node.until === undefined), {
    message: 'a delay must have "for" (a duration) or "until" (a date)',
    path: ["for"],
  })
  .meta({ id: "DelayNode" });
export type DelayNode = z.infer<typeof delayNode>;

const branchNode = z
  .strictObject({
    type: z.literal("branch").describe("A node that continues with the first case whose guard is true."),
    cases: z
      .array(
        z.strictObject({
          guard: rule.optional().describe("A rule (JSONLogic). Without a rule, the case is always taken."),
          next,
          description: nodeFields.description,
        }),
      )
      .min(1)
      .max(NODE_EDGES_MAX)
      .describe("The cases, which are evaluated in order when the node is reached."),
    ...nodeFields,
  })
  .meta({ id: "BranchNode" });

const waitNode = z
  .strictObject({
    type: z.literal("wait").describe("A node that waits for the first of several events or rules."),
    for: z
      .array(
        z
          .strictObject({ ...awaitedFields, next })
          .refine(oneOf, eitherOr)
          .refine(isGuardOfEvent, noGuard),
      )
      .min(1)
      .max(NODE_EDGES_MAX)
      .describe(
        "The events and rules. The first event that arrives, or rule that is true, decides how the journey continues.",
      ),
    timeout: z
      .strictObject({ after: delay.describe("The end of the wait: a duration or a date."), next })
      .optional()
      .describe(
        "How the journey continues if the wait ends without an event or rule. Default of `next`: the `next` of the node.",
      ),
    since: z
      .enum(["enrolment", "arrival"])
      .optional()
      .describe(
        "enrolment: events since the start also count. arrival: only events after the node is reached count. Default: enrolment.",
      ),
    condition,
    next,
    ...nodeFields,
  })
  .meta({ id: "WaitNode" });
export type WaitNode = z.infer<typeof waitNode>;

const splitNode = z
  .strictObject({
    type: z
      .literal("split")
      .describe(
        "A node that continues in one of several ways, chosen by weight. The choice is always the same for an execution.",
      ),
    ways: z
      .array(
        z.strictObject({
          name: nodeName.optional().describe("The name of this way in lists. Default: the position of the way."),
          weight: z
            .number()
            .positive()
            .max(WEIGHT_MAX)
            .describe("The weight of this way, relative to the weights of the other ways."),
          next,
        }),
      )
      .min(1)
      .max(NODE_EDGES_MAX),
    by: rule
      .optional()
      .describe("A rule for the value that decides, such as a customer's id. Default: the execution's id."),
    condition,
    next,
    ...nodeFields,
  })
  .meta({ id: "SplitNode" });

export const repeatedNode = z
  .strictObject({ ...fieldsIn("repeated"), ...acting, ...unsettable, type: runnerType })
  .superRefine((node, context) => refuseBothNames(node.type, node, context))
  .overwrite((node) => withOwnNames(node.type, node))
  .describe("The inner node that is repeated.")
  .register(fieldHints, hintsFor("repeated"));

const eachNode = z
  .strictObject({
    type: z.literal("each").describe("Repeats one node: for each item of a list, or a number of times."),
    times: z.number().int().min(1).max(EACH_ITEMS_MAX).optional().describe("The number of repetitions."),
    over: rule
      .optional()
      .describe(
        "A rule that returns a list. It is evaluated once, when the node is reached. The inner node reads `item` and `index`.",
      ),
    every: delay.optional().describe("The time between two repetitions, counted from their planned instants."),
    until: z
      .strictObject({ event: awaitedFields.event, when: awaitedFields.when, guard: awaitedFields.guard })
      .refine(oneOf, eitherOr)
      .refine(isGuardOfEvent, noGuard)
      .optional()
      .describe("An event or rule that ends the repetitions early."),
    tolerate: z
      .number()
      .int()
      .min(0)
      .max(EACH_ITEMS_MAX)
      .optional()
      .describe("The number of repetitions that may fail. Default: none."),
    node: repeatedNode,
    condition,
    ...undone,
    ...onFailed,
    next,
    ...nodeFields,
  })
  .refine(({ times, over }) => (times === undefined) !== (over === undefined), {
    message: 'set either "times" (a number of repetitions) or "over" (a list)',
    path: ["times"],
  })
  .meta({ id: "EachNode" });
export type EachNode = z.infer<typeof eachNode>;

export const childNode = z
  .strictObject({
    ...fieldsIn("child"),
    retryPolicy: acting.retryPolicy,
    onExhausted: acting.onExhausted,
    type: z
      .literal("journey")
      .describe("A node that starts another execution and is done when that execution has completed."),
    definition: z
      .string()
      .min(1)
      .max(REFERENCE_CHARS_MAX)
      .describe("The definition to start: a name, name@version or id."),
    variables: jsonObject.optional().describe("The variables of the other execution. They may contain templates."),
    correlationId: z.string().min(1).max(200).optional().describe("A label by which the other execution can be found."),
    onCancel: z
      .enum(childPolicies)
      .optional()
      .describe("How the engine handles the other execution if this execution is stopped. Default: cancel."),
    assign: actingNode.shape.assign,
    ...undone,
    ...onFailed,
    next,
    ...nodeFields,
  })
  .meta({ id: "JourneyNode" })
  .register(fieldHints, hintsFor("child"));
export type ChildNode = z.infer<typeof childNode>;

const exitNode = z
  .strictObject({
    type: z.literal("exit").describe("A node that ends the whole journey, including work in progress."),
    ...ending,
    ...nodeFields,
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
