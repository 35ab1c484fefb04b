// Action nodes of a journey, the defaults of their action types, and the actions that compensate them.
import { z } from "zod";
import { actionFields } from "../action-fields.ts";
import { fieldsIn, hintsFor } from "../action-places.ts";
import { assign } from "../head.ts";
import { delay } from "../timing.ts";
import { eventType } from "../../engine/event.ts";
import { fieldHints } from "../../field-hints.ts";
import { NODE_EDGES_MAX } from "../../limits/definition-sizes.ts";
import { refuseBothNames, withOwnNames } from "./config-names.ts";
import { controlTypes, next, nodeName, nodeFields } from "./node-parts.ts";

/** Fields of an action that have another default in journeys. */
export const acting = {
  config: actionFields.config.optional(),
  retryPolicy: actionFields.retryPolicy.describe(
    "The retry policy: a preset's name or a policy. Default: the policy of the action type, or the preset email.",
  ),
  onExhausted: actionFields.onExhausted.describe(
    "The reaction to the failure of the last attempt, if the node has no onFailed. Default: pause.",
  ),
};

const nodeFieldsOfActions = fieldsIn("node");

/**
 * Fields that a node may set to null, so that the default of its action type does not apply. Rules are not among them,
 * because null is a rule that is false.
 */
export const unsettable = {
  window: orUnset(nodeFieldsOfActions.window),
  cap: orUnset(nodeFieldsOfActions.cap),
  limit: orUnset(nodeFieldsOfActions.limit),
  maxLateness: orUnset(nodeFieldsOfActions.maxLateness),
  timeout: orUnset(nodeFieldsOfActions.timeout),
};

function orUnset<Field extends z.ZodType>(field: z.ZodOptional<Field>) {
  const description = `${field.description ?? ""} null: the default of the action type does not apply.`;
  return field.unwrap().nullable().optional().describe(description.trim());
}

export const runnerType = actionFields.type.refine((type) => !(controlTypes as readonly string[]).includes(type), {
  message: "must be the type of an action such as email, webhook or task",
  abort: true,
});

/** The settings that apply to all nodes of this action type, unless a node sets its own. */
export const typeDefaults = z
  .strictObject({ ...fieldsIn("defaults"), ...acting })
  .meta({ id: "NodeDefaults" })
  .register(fieldHints, hintsFor("defaults"));
export type TypeDefaults = z.infer<typeof typeDefaults>;

/** The action that compensates its node after the journey has failed or was canceled. */
export const undo = z
  .strictObject({ ...fieldsIn("undo"), type: runnerType, config: acting.config, retryPolicy: acting.retryPolicy })
  .superRefine((node, context) => refuseBothNames(node.type, node, context))
  .overwrite((node) => withOwnNames(node.type, node))
  .meta({ id: "Undo" })
  .register(fieldHints, hintsFor("undo"));
export type Undo = z.infer<typeof undo>;

export const undone = { undo: undo.optional().describe("The action that undoes this node.") };
export const onFailed = { onFailed: nodeName.optional().describe("The next node if this node fails permanently.") };

export const actingNode = z
  .strictObject({
    ...nodeFieldsOfActions,
    ...acting,
    ...unsettable,
    type: runnerType,
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
  .register(fieldHints, hintsFor("node"));
export type ActingNode = z.infer<typeof actingNode>;
