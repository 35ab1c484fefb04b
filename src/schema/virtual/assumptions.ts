// Assumptions of a virtual run about the outside: actions' outcomes, events, and their times. Data from a request or
// from a definition's tests.
import { z } from "zod";
import { actionId } from "../definition/action.ts";
import { duration } from "../definition/timing.ts";
import { eventType } from "../engine/event.ts";
import { ASSUMED_EVENTS_MAX, ASSUMED_INPUTS_MAX } from "../limits/planning/virtual-runs.ts";
import { ATTEMPTS_MAX } from "../limits/retry-waits.ts";
import { anyJson, anyObject } from "../values.ts";

export const moment = z.iso.datetime({ offset: true });

const place = z.string().min(1).max(1_000);

/** A time: an instant, a duration after the start, or a duration after a state or node was first reached. */
const when = z.union([
  moment.describe("At this instant."),
  duration.describe("This long after the start."),
  z
    .strictObject({
      reached: place.describe("A state's path, or a node's name."),
      after: duration.optional().describe("This long after it was first reached. Default: at once."),
    })
    .describe("After a state or node was first reached."),
]);

const what = {
  event: eventType.optional().describe("The type of the event."),
  patch: anyObject.optional().describe("Variables change: a merge patch, in which null removes."),
  observed: anyObject.optional().describe("The observed state of a reconciler."),
  desired: anyObject.optional().describe("The desired state of a reconciler: a merge patch."),
  pause: z.literal(true).optional().describe("It is paused."),
  resume: z.literal(true).optional().describe("It is resumed."),
  cancel: z.literal(true).optional().describe("It is canceled."),
  retry: actionId.optional().describe("The dead letter of this action or node is retried."),
  archive: actionId.optional().describe("The dead letter of this action or node is archived."),
};

export const assumedInput = z
  .strictObject({
    at: when.describe("When: an instant, a duration since the start, or after a state was reached."),
    ...what,
    payload: anyJson.optional().describe("The event's payload."),
  })
  .superRefine((input, context) => {
    const said = Object.keys(what).filter((name) => name in input);
    const message = `give exactly one of ${Object.keys(what).join(", ")}`;
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
  retryable: z.boolean().optional().describe("Default: as for its type."),
  retryAfter: duration.optional().describe("When the provider allows a retry."),
});

/** A later result of a run: the person completes the task, the child execution ends. */
const end = z.strictObject({
  after: duration.describe("Counted from the run's success."),
  as: z.enum(["completed", "canceled", "failed"]).optional().describe("Default: completed."),
  result: anyJson.optional().describe("The person's input; for a child, its variables."),
});

export const assumedOutcome = z
  .strictObject({
    outcome: z.enum(["ok", "failed"]).optional().describe("Default: ok, or failed with an error."),
    takes: duration.optional().describe("How long the attempt takes. Default: zero."),
    result: anyJson.optional().describe("Its result."),
    events: z
      .array(z.strictObject({ type: eventType, payload: anyJson.optional() }))
      .max(ASSUMED_EVENTS_MAX)
      .optional()
      .describe("The result event. Default: the type's own, without a payload."),
    error: assumedError.optional(),
    end: end.optional().describe("For a task, or a started execution: how that ends, and when."),
  })
  .superRefine(({ outcome, error, result, end }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (outcome === "ok" && error !== undefined) issue("error", "a success must not have an error");
    if ((outcome === "failed" || error !== undefined) && (result ?? end) !== undefined)
      issue(end === undefined ? "result" : "end", "a failure must not have a result");
  })
  .meta({ id: "AssumedOutcome" });
export type AssumedOutcome = z.infer<typeof assumedOutcome>;

/** A list applies attempt by attempt; its last item to all later ones. */
const assumedOutcomes = z.union([assumedOutcome, z.array(assumedOutcome).min(1).max(ATTEMPTS_MAX)]);

export const assumptions = z
  .strictObject({
    actions: z
      .record(z.union([actionId, z.literal("*")]), assumedOutcomes)
      .optional()
      .describe("The outcomes of actions, by action or node; `*`: of all others. Default: each succeeds at once."),
    branches: z
      .record(actionId, actionId)
      .optional()
      .describe("Edges that are taken whatever their rules are: for a `branch` or `split`, the target node."),
  })
  .meta({ id: "Assumptions" });
export type Assumptions = z.infer<typeof assumptions>;
