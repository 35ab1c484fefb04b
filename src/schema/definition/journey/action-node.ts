// Action nodes of a journey, the defaults of their action types, and the actions that compensate them.
import { z } from "zod";
import { lane, onExhausted, autoRetry } from "../action.ts";
import { actionType } from "../action-type.ts";
import { capName } from "../cap.ts";
import { assign, ownName } from "../head.ts";
import { retryPolicy, retryPreset } from "../retry.ts";
import { delay, disambiguation, duration, timezone } from "../timing.ts";
import { window } from "../window.ts";
import { eventType } from "../../engine/event.ts";
import { fieldHints, type FieldHints } from "../../field-hints.ts";
import { jsonObject, rule } from "../../json.ts";
import { NODE_EDGES_MAX } from "../../limits/definition-sizes.ts";
import { TIMEOUT_MS_MAX } from "../../limits/run-attempts.ts";
import { refuseBothNames, withOwnNames } from "./config-names.ts";
import { condition, controlTypes, next, nodeName, nodeFields } from "./node-parts.ts";

/** Settings of an action node. A journey's `defaults` can set the same fields for all nodes of an action type. */
export const acting = {
  config: jsonObject.optional().describe("The config of the action type. Its texts may contain templates."),
  window: z
    .union([ownName, window])
    .optional()
    .describe("The opening hours: a name in `windows`, or an inline window. A run waits outside the opening hours."),
  cap: capName.optional().describe("A name in `caps`, which limits the number of messages for one subject."),
  condition,
  validUntil: rule
    .optional()
    .describe(
      "The latest start of a run: a date-time, epoch milliseconds, or a rule that returns either. A later run is skipped.",
    ),
  maxLateness: duration.optional().describe("How late a run may start. A run that is overdue for longer is skipped."),
  selfHeal: autoRetry
    .optional()
    .describe("Whether a dead letter of this node is retried automatically after an outage of the node's provider."),
  disambiguation: disambiguation
    .optional()
    .describe("Which instant validUntil means if a clock change repeats or skips its local time."),
  timezone: timezone.optional().describe("The time zone of the node's dates. Default: the definition's time zone."),
  priority: z
    .number()
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe("The priority, 0 to 100. A run with a higher priority starts first. Above 90, failures are critical."),
  retryPolicy: z
    .union([retryPreset, retryPolicy])
    .optional()
    .describe(
      "The retry policy: a preset's name or a policy. Default: the policy of the action type, or the preset email.",
    ),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(TIMEOUT_MS_MAX)
    .optional()
    .describe("The time limit of one attempt in milliseconds. Default: the time limit of the action type."),
  enabled: z.boolean().optional().describe("false: the node is skipped. Default: true."),
  onExhausted: onExhausted
    .optional()
    .describe("The reaction to the failure of the last attempt, if the node has no onFailed. Default: deadLetter."),
  lane: lane.optional().describe("The lane of the action's runs. Default: the lane of the definition."),
};

export const runnerType = actionType.refine((type) => !(controlTypes as readonly string[]).includes(type), {
  message: "must be the type of an action such as email, webhook or task",
  abort: true,
});

/** The fields for which other kinds of definitions, or earlier versions, have another name. */
export const nodeHints = {
  retry: "Use `retryPolicy`.",
  schedule: "`schedule` is a cron expression. Use `delay` for the time when the node is due.",
} satisfies FieldHints;

/** The settings that apply to all nodes of this action type, unless a node sets its own. */
export const typeDefaults = z
  .strictObject(acting)
  .meta({ id: "NodeDefaults" })
  .register(fieldHints, { retry: nodeHints.retry });
export type TypeDefaults = z.infer<typeof typeDefaults>;

/** The action that compensates its node after the journey has failed or was canceled. */
const undo = z
  .strictObject({
    type: runnerType.describe("The action type."),
    config: acting.config,
    retryPolicy: acting.retryPolicy,
    timeout: acting.timeout,
    lane: acting.lane,
  })
  .superRefine((node, context) => refuseBothNames(node.type, node, context))
  .overwrite((node) => withOwnNames(node.type, node))
  .meta({ id: "Undo" })
  .register(fieldHints, nodeHints);
export type Undo = z.infer<typeof undo>;

export const undone = { undo: undo.optional().describe("The action that undoes this node.") };
export const onFailed = { onFailed: nodeName.optional().describe("The next node if this node fails permanently.") };

export const actingNode = z
  .strictObject({
    type: runnerType.describe("The action type, such as email, sms, webhook or task."),
    ...acting,
    delay: delay
      .optional()
      .describe(
        "When the action is due: a name in `delays`, a duration after the planned time of the previous node, or an inline delay.",
      ),
    assign: assign
      .optional()
      .describe("Variables to set when the action is done. Each variable has a rule that reads the result."),
    await: z
      .strictObject({
        for: z
          .array(eventType)
          .min(1)
          .max(NODE_EDGES_MAX)
          .describe("Types of events about this action, such as task_completed."),
        timeout: delay
          .optional()
          .describe(
            "The longest wait. After this time the node continues with onFailed, or is skipped if it has no onFailed.",
          ),
      })
      .optional()
      .describe("The node is done when one of these events arrives, not when its call succeeds."),
    ...undone,
    ...onFailed,
    next,
    ...nodeFields,
  })
  .superRefine((node, context) => refuseBothNames(node.type, node, context))
  .overwrite((node) => withOwnNames(node.type, node))
  .meta({ id: "ActingNode" })
  .register(fieldHints, nodeHints);
export type ActingNode = z.infer<typeof actingNode>;
