// The nodes of a journey. Types that are not here are those of runners: such a node is an action.
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

/** A node that acts is an action of its name. */
export const nodeName = z
  .string()
  .max(limits.idLengthMax)
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, { message: "a letter, then letters, digits, _ or -" });

const next = z
  .union([nodeName, z.array(nodeName).min(1).max(WAYS_MAX)])
  .optional()
  .describe("The node that follows, or a list of them: a fork.");
export type Next = z.infer<typeof next>;

export const join = z.union([
  z.enum(["all", "any"]),
  z.strictObject({ of: z.number().int().min(1).describe("It begins with the nth way that is taken.") }),
]);

/** What every node has. */
const placed = {
  join: join
    .optional()
    .describe("Where several ways lead here: all have ended (default), the first is taken, or so many are."),
  description: z.string().max(limits.descriptionCharsMax).optional().describe("For people."),
};
const condition = rule
  .optional()
  .describe("A rule (JSONLogic): false skips the node, and what follows it goes on all the same.");

/** How an action of a journey is carried out; under `defaults` the same by type. */
const acting = {
  config: jsonObject.optional().describe("What the type takes. Templates may stand in it."),
  window: z
    .union([ownName, window])
    .optional()
    .describe("Opening hours: a name of `windows`, or one written out. What comes outside of them waits."),
  cap: capName.optional().describe("A name of `caps`: so many for one subject."),
  condition,
  validUntil: rule
    .optional()
    .describe("A date-time, epoch milliseconds, or a rule giving either: later than this it is skipped."),
  maxLateness: duration.optional().describe("Later than due by this much it is skipped."),
  selfHeal: selfHeal.optional().describe("Whether what failed with its provider goes out again by itself."),
  disambiguation: disambiguation.optional().describe("Which of two, where validUntil names a local time twice."),
  timezone: timezone.optional().describe("For its dates. Default: the definition's."),
  priority: z.number().int().min(0).max(100).optional().describe("Higher goes first; above 90 is critical."),
  retry: z
    .union([retryPreset, retryPolicy])
    .optional()
    .describe("A preset's name, or a policy. Default: that of the type, as e-mail's where it has none."),
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
    .describe("What comes of it when its attempts are used up and no onFailed leads on. Default: deadLetter."),
  lane: lane.optional().describe("How it travels. Default: the definition's."),
};

const runnerType = actionType.refine((type) => !(controlTypes as readonly string[]).includes(type), {
  message: "the type of an action such as email, webhook or task",
  abort: true,
});

/** What lies under the fields of every node of a type. */
export const typeDefaults = z.strictObject(acting).meta({ id: "NodeDefaults" });
export type TypeDefaults = z.infer<typeof typeDefaults>;

/** What takes back what its node has done. */
const undo = z
  .strictObject({
    type: runnerType.describe("What carries it out."),
    config: acting.config,
    retry: acting.retry,
    timeout: acting.timeout,
    lane: acting.lane,
  })
  .superRefine((node, context) => refuseBothNames(node.type, node, context))
  .overwrite((node) => withOwnNames(node.type, node))
  .meta({ id: "Undo" });
export type Undo = z.infer<typeof undo>;

const undone = { undo: undo.optional().describe("The action that takes it back, where the journey is compensated.") };
const onFailed = { onFailed: nodeName.optional().describe("The node that follows when it has failed for good.") };

export const actingNode = z
  .strictObject({
    type: runnerType.describe("What carries it out, such as email, sms, webhook or task."),
    ...acting,
    schedule: delay
      .optional()
      .describe("When: a name of `delays`, a duration after the moment it was planned for, or a delay written out."),
    assign: assign.optional().describe("Variables to set when it is done, each by a rule that sees its result."),
    await: z
      .strictObject({
        for: z.array(eventType).min(1).max(WAYS_MAX).describe("Types of events of its own, such as task_completed."),
        timeout: delay
          .optional()
          .describe("Not done for so long, it takes onFailed, or is passed over where there is none."),
      })
      .optional()
      .describe("It is done when one of these is told of it, and not when the call is made."),
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
    type: z.literal("delay").describe("Goes on later."),
    for: duration.optional().describe("So long after the moment that what came before was planned for."),
    until: delay.optional().describe("A name of `delays`, or a delay written out."),
    config: delayConfig.optional().describe("The moment, as some documents spell it. It is stored as `until`."),
    from: z
      .enum(["planned", "done"])
      .optional()
      .describe("done: counted from when what came before really was done. Default: planned."),
    condition,
    next,
    ...placed,
  })
  .refine(({ until, config }) => until === undefined || config === undefined, {
    message: "config.delayUntil is another name of until: say one of them",
    path: ["config", "delayUntil"],
    abort: true,
  })
  .overwrite(({ config, ...node }) => (config === undefined ? node : { ...node, until: untilOf(config) }))
  .refine((node) => (node.for === undefined) !== (node.until === undefined), {
    message: "a delay is for a duration, or until a moment",
    path: ["for"],
  })
  .meta({ id: "DelayNode" });
export type DelayNode = z.infer<typeof delayNode>;

const branchNode = z
  .strictObject({
    type: z.literal("branch").describe("Goes the first way whose guard holds."),
    cases: z
      .array(
        z.strictObject({
          guard: rule.optional().describe("A rule (JSONLogic). Without one it always holds."),
          next,
          description: placed.description,
        }),
      )
      .min(1)
      .max(WAYS_MAX)
      .describe("Looked at in order, on arrival."),
    ...placed,
  })
  .meta({ id: "BranchNode" });

const waitNode = z
  .strictObject({
    type: z.literal("wait").describe("Goes on with the first of several events or rules."),
    for: z
      .array(
        z
          .strictObject({ ...awaited, next })
          .refine(oneOf, eitherOr)
          .refine(isGuardOfEvent, noGuard),
      )
      .min(1)
      .max(WAYS_MAX)
      .describe("What it waits for; the first in the order of events."),
    timeout: z
      .strictObject({ after: delay.describe("How long it waits, or until when."), next })
      .optional()
      .describe("The way that is taken when nothing came. Without `next` the node's own."),
    since: z
      .enum(["enrolment", "arrival"])
      .optional()
      .describe("enrolment: events that came before it was reached count. Default: enrolment."),
    condition,
    next,
    ...placed,
  })
  .meta({ id: "WaitNode" });
export type WaitNode = z.infer<typeof waitNode>;

const splitNode = z
  .strictObject({
    type: z.literal("split").describe("Goes one of several ways, by weight; the same execution always the same."),
    ways: z
      .array(
        z.strictObject({
          name: nodeName.optional().describe("What the way is called in lists. Default: its place."),
          weight: z.number().positive().max(WEIGHT_MAX).describe("Its share, as compared with the other weights."),
          next,
        }),
      )
      .min(1)
      .max(WAYS_MAX),
    by: rule.optional().describe("What decides, such as a customer's id. Default: the execution's id."),
    condition,
    next,
    ...placed,
  })
  .meta({ id: "SplitNode" });

const eachNode = z
  .strictObject({
    type: z.literal("each").describe("Does one node several times: for each item of a list, or so many times."),
    times: z.number().int().min(1).max(EACH_ITEMS_MAX).optional().describe("How often."),
    over: rule.optional().describe("A rule giving a list, frozen on entry; the node sees `item` and `index`."),
    every: delay.optional().describe("So long from one to the next, counted from the planned instant."),
    until: z
      .strictObject({ event: awaited.event, when: awaited.when, guard: awaited.guard })
      .refine(oneOf, eitherOr)
      .refine(isGuardOfEvent, noGuard)
      .optional()
      .describe("What ends it early."),
    tolerate: z.number().int().min(0).max(EACH_ITEMS_MAX).optional().describe("So many may fail. Default: none."),
    node: z
      .strictObject({ type: runnerType.describe("What carries it out."), ...acting })
      .superRefine((node, context) => refuseBothNames(node.type, node, context))
      .overwrite((node) => withOwnNames(node.type, node))
      .describe("What is done each time."),
    condition,
    ...undone,
    ...onFailed,
    next,
    ...placed,
  })
  .refine(({ times, over }) => (times === undefined) !== (over === undefined), {
    message: "it is done so many times, or over a list",
    path: ["times"],
  })
  .meta({ id: "EachNode" });
export type EachNode = z.infer<typeof eachNode>;

const childNode = z
  .strictObject({
    type: z.literal("journey").describe("Another execution, as a step of this one: done when that has ended."),
    definition: z.string().min(1).max(limits.referenceCharsMax).describe("Name, name@version or id."),
    variables: jsonObject.optional().describe("What it is given. Templates may stand in it."),
    correlationId: z.string().min(1).max(200).optional().describe("By which it is found."),
    onCancel: z.enum(childPolicies).optional().describe("Its lot if this one is stopped meanwhile. Default: cancel."),
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
    type: z.literal("exit").describe("Ends the whole journey, whatever else is under way."),
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
