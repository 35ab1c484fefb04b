// Assumptions of a virtual run: the outcomes of actions, the events, and when they occur. They come from a request or
// from a definition's tests.
import { z } from "zod";
import { actionId } from "../definition/action-fields.ts";
import { duration } from "../definition/timing.ts";
import { eventType } from "../engine/event.ts";
import { ASSUMED_EVENTS_MAX, ASSUMED_INPUTS_MAX } from "../limits/planning/virtual-runs.ts";
import { ATTEMPTS_MAX } from "../limits/run-attempts.ts";
import { anyJson, anyObject } from "../values.ts";
import { actionReference } from "./action-reference.ts";

export const moment = z.iso.datetime({ offset: true });

const place = z.string().min(1).max(1_000);

/**
 * A time: an instant, or a duration. The duration counts from the start, or from when a state or node was first
 * reached.
 */
const when = z.union([
  moment.describe("The instant of the input."),
  duration.describe("The duration between the start and the input."),
  z
    .strictObject({
      reached: place.describe("A state's path, or a node's name."),
      after: duration
        .optional()
        .describe("The duration after the state or node is reached for the first time. Default: zero."),
    })
    .describe("A time after a state or node is reached for the first time."),
]);

const what = {
  event: eventType.optional().describe("The type of the event."),
  patch: anyObject.optional().describe("A change of the variables: a merge patch, in which null removes a variable."),
  observed: anyObject.optional().describe("The observed state of a reconciler."),
  desired: anyObject.optional().describe("The desired state of a reconciler: a merge patch."),
  pause: z.literal(true).optional().describe("The execution is paused."),
  resume: z.literal(true).optional().describe("The execution is resumed."),
  cancel: z.literal(true).optional().describe("The execution is canceled."),
  retry: actionReference.optional().describe("The dead letter of this action, node, undo step or item is retried."),
  archive: actionReference.optional().describe("The dead letter of this action, node, undo step or item is archived."),
};

export const assumedInput = z
  .strictObject({
    at: when.describe(
      "The time of the input: an instant, a duration since the start, or a time after a state is reached.",
    ),
    ...what,
    payload: anyJson.optional().describe("The event's payload."),
  })
  .superRefine((input, context) => {
    const said = Object.keys(what).filter((name) => name in input);
    const message = `set exactly one of ${Object.keys(what).join(", ")}`;
    if (said.length !== 1) context.addIssue({ code: "custom", path: [], message });
    if (input.payload !== undefined && input.event === undefined)
      context.addIssue({ code: "custom", path: ["payload"], message: "only an event can have a payload" });
  })
  .meta({ id: "Given" });
export type AssumedInput = z.infer<typeof assumedInput>;

export const assumedInputs = z.array(assumedInput).max(ASSUMED_INPUTS_MAX);

const assumedError = z.strictObject({
  type: z
    .string()
    .max(100)
    .regex(/^[a-z][a-z0-9_]*$/, { message: "must be an error's type, such as service_unavailable" }),
  message: z.string().max(1_000).optional(),
  code: z.string().max(200).optional(),
  retryable: z.boolean().optional().describe("Whether the error is retried. Default: the type of the error decides."),
  retryAfter: duration.optional().describe("The earliest retry that the provider allows."),
});

/** How the task or child execution of a run ends. */
const end = z.strictObject({
  after: duration.describe("The duration between the success of the run and the end of the task or child."),
  as: z
    .enum(["completed", "canceled", "failed"])
    .optional()
    .describe("How the task or child ends. Default: completed."),
  result: anyJson.optional().describe("The result that the person enters; for a child, its variables."),
});

export const assumedOutcome = z
  .strictObject({
    outcome: z
      .enum(["ok", "failed"])
      .optional()
      .describe("The outcome of the attempt. Default: failed if there is an error, ok if there is none."),
    takes: duration.optional().describe("How long the attempt takes. Default: zero."),
    result: anyJson.optional().describe("The result of the action."),
    events: z
      .array(z.strictObject({ type: eventType, payload: anyJson.optional() }))
      .max(ASSUMED_EVENTS_MAX)
      .optional()
      .describe("The result event. Default: the result event of the action type, without a payload."),
    error: assumedError.optional(),
    end: end.optional().describe("For a task or a started execution: how and when it ends."),
  })
  .superRefine(({ outcome, error, result, end }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (outcome === "ok" && error !== undefined) issue("error", "a success must not have an error");
    if ((outcome === "failed" || error !== undefined) && (result ?? end) !== undefined)
      issue(end === undefined ? "result" : "end", "a failure must not have a result");
  })
  .meta({ id: "AssumedOutcome" });
export type AssumedOutcome = z.infer<typeof assumedOutcome>;

/**
 * The assumed outcomes of an action. The first outcome of a list is for the first attempt, the second for the second
 * attempt. The last one is for all further attempts.
 */
const assumedOutcomes = z.union([assumedOutcome, z.array(assumedOutcome).min(1).max(ATTEMPTS_MAX)]);

export const assumptions = z
  .strictObject({
    actions: z
      .record(z.union([actionReference, z.literal("*")]), assumedOutcomes)
      .optional()
      .describe(
        "The outcomes of actions, by action, node, undo step (`pay:undo`) or item (`invite/0`). `*` means all other actions. Default: each action succeeds immediately.",
      ),
    branches: z
      .record(actionId, actionId)
      .optional()
      .describe("For a `branch` or `split`: the next node that is taken, regardless of the rules."),
  })
  .meta({ id: "Assumptions" });
export type Assumptions = z.infer<typeof assumptions>;
