// Action nodes of a journey, their defaults by type, and the actions that compensate them.
import { z } from "zod";
import { lane, onExhausted, selfHeal } from "../action.ts";
import { actionType } from "../action-type.ts";
import { capName } from "../cap.ts";
import { assign, ownName } from "../head.ts";
import { retryPolicy, retryPreset } from "../retry.ts";
import { delay, disambiguation, duration, timezone } from "../timing.ts";
import { window } from "../window.ts";
import { eventType } from "../../engine/event.ts";
import { jsonObject, rule } from "../../json.ts";
import { NODE_EDGES_MAX } from "../../limits/definitions/journey-sizes.ts";
import { TIMEOUT_MS_MAX } from "../../limits/run-timeouts.ts";
import { refuseBothNames, withOwnNames } from "./config-names.ts";
import { condition, controlTypes, next, nodeName, placed } from "./node-parts.ts";

/** Settings of an action node. `defaults` of a journey has the same settings by action type. */
export const acting = {
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
    .max(TIMEOUT_MS_MAX)
    .optional()
    .describe("Milliseconds for one attempt. Default: the type's own."),
  enabled: z.boolean().optional().describe("false: it is skipped. Default: true."),
  onExhausted: onExhausted
    .optional()
    .describe("What happens after its last failed attempt, without an onFailed. Default: deadLetter."),
  lane: lane.optional().describe("The lane of its runs. Default: the definition's."),
};

export const runnerType = actionType.refine((type) => !(controlTypes as readonly string[]).includes(type), {
  message: "must be the type of an action such as email, webhook or task",
  abort: true,
});

/** The defaults of all nodes with one action type. */
export const typeDefaults = z.strictObject(acting).meta({ id: "NodeDefaults" });
export type TypeDefaults = z.infer<typeof typeDefaults>;

/** The action that compensates its node after the journey has failed or was canceled. */
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

export const undone = { undo: undo.optional().describe("The action that compensates it.") };
export const onFailed = { onFailed: nodeName.optional().describe("The next node if it fails permanently.") };

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
        for: z
          .array(eventType)
          .min(1)
          .max(NODE_EDGES_MAX)
          .describe("Types of events of its own, such as task_completed."),
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
