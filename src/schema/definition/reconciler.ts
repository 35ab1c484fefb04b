// Reconcilers: at fixed intervals, the rules of the current state compare the desired state with the observed state.
// Only one action runs at a time.
import { z } from "zod";
import { reconcilerAction } from "./action.ts";
import { actionId } from "./action-fields.ts";
import { lengthMs } from "./duration-text.ts";
import { assign, calendarsField, delaysField, headFields, limitsFields } from "./head.ts";
import { jsonObject, rule } from "../json.ts";
import { DESCRIPTION_CHARS_MAX } from "../limits/api-requests.ts";
import {
  COLLECT_BACKOFF_MS_MAX,
  COLLECT_EVERY_MS_MAX,
  COLLECT_EVERY_MS_MIN,
  DEFINITION_ACTIONS_MAX,
  REASON_CHARS_MAX,
  RULES_PER_STATE_MAX,
  STALE_MS_MAX,
  STALE_MS_MIN,
  TICK_MS_MAX,
  TICK_MS_MIN,
} from "../limits/definition-sizes.ts";
import { TIMEOUT_MS_MAX } from "../limits/run-attempts.ts";
import { duration, type Duration } from "./timing.ts";

const stateName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9_-]+$/, { message: "must be letters, digits, _ and -" });

const reason = z.string().min(1).max(REASON_CHARS_MAX);

/** Returns the length of a duration. A month has 30 days and a year has 365. */
export function millisecondsOf(length: Duration): number {
  return typeof length === "number" ? length : lengthMs(length);
}

function between(min: number, max: number) {
  const message = `must be from ${min} to ${max} milliseconds, or an ISO 8601 duration in that range`;
  return duration.refine((length) => millisecondsOf(length) >= min && millisecondsOf(length) <= max, { message });
}

/** What a rule may do. A rule has exactly one of these fields. */
const DOES = ["target", "emit", "signal"] as const;

export const reconcilerRule = z
  .strictObject({
    when: rule
      .optional()
      .describe("A JSONLogic rule over observed, desired, action, variables, state and now. Default: always true."),
    target: stateName.optional().describe("The state to enter."),
    emit: actionId.optional().describe("The id of the action to start."),
    signal: z
      .enum(["remove", "restart"])
      .optional()
      .describe("remove: the execution completes. restart: the execution starts again in its initial state."),
    cancelAction: z
      .boolean()
      .optional()
      .describe(
        "true: the rule is also evaluated while another action is in progress, and cancels this action before it is applied. Default: false.",
      ),
    reason: reason
      .optional()
      .describe("The reason that operators see, as a template. Default: the reason of the state."),
    description: z
      .string()
      .max(DESCRIPTION_CHARS_MAX)
      .optional()
      .describe("A description for people; the engine does not read it."),
  })
  .superRefine((said, context) => {
    const named = DOES.filter((field) => said[field] !== undefined);
    if (named.length === 1) return;
    const message = `a rule must have exactly one of target, emit and signal${named.length === 0 ? "" : `, and not ${named.join(" and ")}`}`;
    context.addIssue({ code: "custom", path: named.slice(1, 2), message });
  })
  .meta({ id: "ReconcilerRule" });
export type ReconcilerRule = z.infer<typeof reconcilerRule>;

export const reconcilerState = z
  .strictObject({
    reason: reason.optional().describe("The reason for this state that operators see, as a template."),
    rules: z
      .array(reconcilerRule)
      .max(RULES_PER_STATE_MAX)
      .optional()
      .describe(
        "The rules of this state. After a change, they are evaluated in order at the next tick. The first true rule is taken.",
      ),
    stopping: z
      .boolean()
      .optional()
      .describe("true: the reconciler is shutting down in this state, so onShutdown does not leave it."),
    type: z.literal("final").optional().describe("final: the execution ends here."),
    outcome: z
      .enum(["completed", "failed"])
      .optional()
      .describe("For a final state: the status of the execution that ends there. Default: completed."),
    description: z
      .string()
      .max(DESCRIPTION_CHARS_MAX)
      .optional()
      .describe("A description for people; the engine does not read it."),
  })
  .meta({ id: "ReconcilerState" });
export type ReconcilerState = z.infer<typeof reconcilerState>;

/** The waits before a failing collector is called again. The number of calls is unlimited. */
const backoff = z
  .strictObject({
    baseDelay: between(0, COLLECT_BACKOFF_MS_MAX)
      .optional()
      .describe("The wait after the first failure. Default: 1 s."),
    multiplier: z.number().min(1).max(100).optional().describe("The factor between consecutive waits. Default: 2."),
    maxDelay: between(0, COLLECT_BACKOFF_MS_MAX).optional().describe("The longest wait. Default: 1 minute."),
  })
  .meta({ id: "CollectorBackoff" });

const staleAfter = between(STALE_MS_MIN, STALE_MS_MAX);

const collector = z
  .strictObject({
    action: actionId.describe("The id of the action that makes the observations."),
    every: between(COLLECT_EVERY_MS_MIN, COLLECT_EVERY_MS_MAX).describe(
      "The interval between the starts of two observations.",
    ),
    timeout: between(1, TIMEOUT_MS_MAX)
      .optional()
      .describe("The timeout of one observation. Default: the timeout of the action."),
    staleAfter: staleAfter
      .optional()
      .describe("The age above which an observation is stale. Default: three times `every`, plus the timeout."),
    backoff: backoff.optional(),
    observed: rule
      .optional()
      .describe("A JSONLogic rule over `result` that returns the observation, an object. Default: the whole result."),
  })
  .meta({ id: "Collector" });

/** Adds the check of `shutdownRequested` to the schema of a desired state. In a merge patch, null removes the field. */
export function withShutdownCheck<S extends z.ZodType<{ readonly [name: string]: unknown }>>(schema: S): S {
  return schema.superRefine((value, context) => {
    // Zod also calls this function if the value is no object, which it has reported then.
    const requested = Object(value)["shutdownRequested"] ?? false;
    if (typeof requested === "boolean") return;
    context.addIssue({ code: "custom", path: ["shutdownRequested"], message: "must be true, false or null" });
  });
}

const onShutdown = z.union([
  stateName,
  z.strictObject({
    target: stateName.describe("The state to enter."),
    cancelAction: z
      .boolean()
      .optional()
      .describe("true: an action in progress is canceled. false: the shutdown waits for the action. Default: false."),
    reason: reason.optional(),
  }),
]);

export const reconcilerDefinition = z.strictObject({
  kind: z.literal("reconciler").describe("Rules that change the observed state to the desired state."),
  ...headFields,
  tick: between(TICK_MS_MIN, TICK_MS_MAX)
    .optional()
    .describe("The interval between evaluations of the rules. Default: 10 s."),
  desired: withShutdownCheck(jsonObject)
    .optional()
    .describe("The initial desired state. The desired state of a start is merged into it."),
  deriveDesired: assign
    .refine((rules) => !Object.hasOwn(rules, "shutdownRequested"), {
      message: "must not derive shutdownRequested, which only clients set",
      path: ["shutdownRequested"],
    })
    .optional()
    .describe(
      "Fields of the desired state that follow from the variables: each has a JSONLogic rule. They are derived at the start, and when variables change. Clients cannot set these fields.",
    ),
  onShutdown: onShutdown
    .optional()
    .describe("The state to enter when desired.shutdownRequested is true. It is entered before any rule is evaluated."),
  collector: collector
    .optional()
    .describe("The action that fetches observations. Without a collector, clients send observations."),
  staleAfter: staleAfter
    .optional()
    .describe("Without a collector: the age above which an observation is stale. Default: never."),
  afterAction: z
    .enum(["observe", "decide"])
    .optional()
    .describe(
      "observe: after an action, rules wait for a newer observation. decide: rules are evaluated at the next tick. Default: observe if there is a collector, decide if there is none.",
    ),
  delays: delaysField,
  ...limitsFields,
  calendars: calendarsField,
  initial: stateName.describe("The initial state."),
  states: z.record(stateName, reconcilerState).describe("States by name."),
  actions: z
    .array(reconcilerAction)
    .max(DEFINITION_ACTIONS_MAX)
    .optional()
    .describe("The actions that rules start, and the collector's action."),
});
export type ReconcilerDefinition = z.infer<typeof reconcilerDefinition>;
