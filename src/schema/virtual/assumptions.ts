// What a virtual run takes for granted of the world: what comes of actions, what is sent to it, and when. Data that
// somebody writes, in a request or in a definition's tests.
import { z } from "zod";
import { actionId } from "../definition/action.ts";
import { duration } from "../definition/timing.ts";
import { eventType } from "../engine/event.ts";
import { limits } from "../limits.ts";
import { ASSUMED_EVENTS_MAX, GIVEN_MAX } from "../limits/virtual.ts";
import { anyJson, anyObject } from "../values.ts";

export const moment = z.iso.datetime({ offset: true });

const place = z.string().min(1).max(1_000);

/** When something comes: at an instant, so long after the start, or so long after a state or node was first reached. */
const when = z.union([
  moment.describe("At this instant."),
  duration.describe("So long after the start."),
  z
    .strictObject({
      reached: place.describe("A state's path, or a node's name."),
      after: duration.optional().describe("So long after it was first reached. Default: at once."),
    })
    .describe("After a state or node was first reached."),
]);

const what = {
  event: eventType.optional().describe("An event of this type comes."),
  patch: anyObject.optional().describe("Variables are changed: a merge patch, in which null removes."),
  observed: anyObject.optional().describe("This is observed, of a reconciler."),
  desired: anyObject.optional().describe("This is desired of a reconciler: a merge patch."),
  pause: z.literal(true).optional().describe("It is paused."),
  resume: z.literal(true).optional().describe("It is resumed."),
  cancel: z.literal(true).optional().describe("It is canceled."),
  retry: actionId.optional().describe("The dead letter of this action or node is sent again."),
  archive: actionId.optional().describe("The dead letter of this action or node is let lie."),
};

export const given = z
  .strictObject({
    at: when.describe("When: an instant, a duration since the start, or after a state was reached."),
    ...what,
    payload: anyJson.optional().describe("What the event brings."),
  })
  .superRefine((input, context) => {
    const said = Object.keys(what).filter((name) => name in input);
    const message = `exactly one of ${Object.keys(what).join(", ")}`;
    if (said.length !== 1) context.addIssue({ code: "custom", path: [], message });
    if (input.payload !== undefined && input.event === undefined)
      context.addIssue({ code: "custom", path: ["payload"], message: "only an event has a payload" });
  })
  .meta({ id: "Given" });
export type Given = z.infer<typeof given>;

export const givenList = z.array(given).max(GIVEN_MAX);

const assumedError = z.strictObject({
  type: z
    .string()
    .max(100)
    .regex(/^[a-z][a-z0-9_]*$/, { message: "an error's type, such as service_unavailable" }),
  message: z.string().max(1_000).optional(),
  code: z.string().max(200).optional(),
  retryable: z.boolean().optional().describe("Default: as its type is."),
  retryAfter: duration.optional().describe("What the provider says about when to come back."),
});

/** What comes later of what a run has made: a person does the task, the child execution ends. */
const end = z.strictObject({
  after: duration.describe("Counted from the run's success."),
  as: z.enum(["completed", "canceled", "failed"]).optional().describe("Default: completed."),
  result: anyJson.optional().describe("What a person fills in; of a child, its variables."),
});

export const assumedOutcome = z
  .strictObject({
    outcome: z.enum(["ok", "failed"]).optional().describe("Default: ok, or failed where an error is given."),
    takes: duration.optional().describe("How long the attempt takes. Default: no time."),
    result: anyJson.optional().describe("What it results in."),
    events: z
      .array(z.strictObject({ type: eventType, payload: anyJson.optional() }))
      .max(ASSUMED_EVENTS_MAX)
      .optional()
      .describe("What its runner says happened. Default: as the type says it, without a payload."),
    error: assumedError.optional(),
    end: end.optional().describe("Of a task, or of an execution that was started: how that ends, and when."),
  })
  .superRefine(({ outcome, error, result, end }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (outcome === "ok" && error !== undefined) issue("error", "a success has no error");
    if ((outcome === "failed" || error !== undefined) && (result ?? end) !== undefined)
      issue(end === undefined ? "result" : "end", "a failure results in nothing");
  })
  .meta({ id: "AssumedOutcome" });
export type AssumedOutcome = z.infer<typeof assumedOutcome>;

/** A list goes attempt by attempt; its last one for all that come after. */
const assumedOutcomes = z.union([assumedOutcome, z.array(assumedOutcome).min(1).max(limits.attemptsMax)]);

export const assumptions = z
  .strictObject({
    actions: z
      .record(z.union([actionId, z.literal("*")]), assumedOutcomes)
      .optional()
      .describe("What comes of actions, by action or node; `*`: of all others. Default: each succeeds at once."),
    branches: z
      .record(actionId, actionId)
      .optional()
      .describe("Ways that are taken whatever their rules say: of a `branch` or `split`, the node it goes to."),
  })
  .meta({ id: "Assumptions" });
export type Assumptions = z.infer<typeof assumptions>;
