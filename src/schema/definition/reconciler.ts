// A reconciler: rules by state that are looked at on a grid of instants, over what is desired, what was observed and how the
// last action went. One action at a time.
import { z } from "zod";
import { actionDefinition, actionId } from "./action.ts";
import { lengthMs } from "./duration-text.ts";
import { delaysField, headFields } from "./head.ts";
import { jsonObject, rule } from "../json.ts";
import { limits } from "../limits.ts";
import {
  COLLECT_BACKOFF_MS_MAX,
  COLLECT_EVERY_MS_MAX,
  COLLECT_EVERY_MS_MIN,
  REASON_CHARS_MAX,
  RULES_PER_STATE_MAX,
  STALE_MS_MAX,
  STALE_MS_MIN,
  TICK_MS_MAX,
  TICK_MS_MIN,
} from "../limits/reconciler-sizes.ts";
import { duration, type Duration } from "./timing.ts";

const stateName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9_-]+$/, { message: "letters, digits, _ and -" });

const reason = z.string().min(1).max(REASON_CHARS_MAX);

/** Months and years are as long as they are elsewhere: 30 and 365 days. */
export function millisecondsOf(length: Duration): number {
  return typeof length === "number" ? length : lengthMs(length);
}

function between(min: number, max: number) {
  const message = `from ${min} to ${max} milliseconds, or a duration as long`;
  return duration.refine((length) => millisecondsOf(length) >= min && millisecondsOf(length) <= max, { message });
}

/** What a rule does, of which it names one. */
const DOES = ["target", "emit", "signal"] as const;

export const reconcilerRule = z
  .strictObject({
    when: rule
      .optional()
      .describe(
        "JSONLogic over observed, desired, action, variables, state and now. Without it the rule always holds.",
      ),
    target: stateName.optional().describe("The state to go to."),
    emit: actionId.optional().describe("The action to start, by its id."),
    signal: z
      .enum(["remove", "restart"])
      .optional()
      .describe("remove: it is done with, and completes. restart: it begins anew in its initial state."),
    reason: reason.optional().describe("Why, for people; a template. Default: the state's own."),
    description: z.string().max(limits.descriptionCharsMax).optional().describe("For people."),
  })
  .superRefine((said, context) => {
    const named = DOES.filter((field) => said[field] !== undefined);
    if (named.length === 1) return;
    const message = `a rule has one of target, emit and signal${named.length === 0 ? "" : `, and not ${named.join(" and ")}`}`;
    context.addIssue({ code: "custom", path: named.slice(1, 2), message });
  })
  .meta({ id: "ReconcilerRule" });
export type ReconcilerRule = z.infer<typeof reconcilerRule>;

export const reconcilerState = z
  .strictObject({
    reason: reason.optional().describe("Why it stands here, for people; a template."),
    rules: z
      .array(reconcilerRule)
      .max(RULES_PER_STATE_MAX)
      .optional()
      .describe("Looked at in order, on every tick that anything has changed for: the first that holds is taken."),
    stopping: z.boolean().optional().describe("true: it is on its way out, and onShutdown does not take it elsewhere."),
    type: z.literal("final").optional().describe("final: the execution ends here."),
    outcome: z
      .enum(["completed", "failed"])
      .optional()
      .describe("Of a final state: what the execution then is. Default: completed."),
    description: z.string().max(limits.descriptionCharsMax).optional().describe("For people."),
  })
  .meta({ id: "ReconcilerState" });
export type ReconcilerState = z.infer<typeof reconcilerState>;

/** How long between the tries of a collector that fails: growing, and never given up. */
const backoff = z
  .strictObject({
    baseDelay: between(0, COLLECT_BACKOFF_MS_MAX).optional().describe("After the first failure. Default: 1 s."),
    multiplier: z.number().min(1).max(100).optional().describe("How many times longer each wait is. Default: 2."),
    maxDelay: between(0, COLLECT_BACKOFF_MS_MAX).optional().describe("No wait is longer. Default: 1 minute."),
  })
  .meta({ id: "CollectorBackoff" });

const staleAfter = between(STALE_MS_MIN, STALE_MS_MAX);

const collector = z
  .strictObject({
    action: actionId.describe("The action that observes, by its id."),
    every: between(COLLECT_EVERY_MS_MIN, COLLECT_EVERY_MS_MAX).describe(
      "From the beginning of one to that of the next.",
    ),
    timeout: between(1, limits.timeoutMsMax).optional().describe("Of one observation. Default: its action's."),
    staleAfter: staleAfter
      .optional()
      .describe("Older than this an observation is not gone by. Default: three times every, and the timeout."),
    backoff: backoff.optional(),
    observed: rule
      .optional()
      .describe(
        "What of its result is the observation: JSONLogic over `result`, giving an object. Default: all of it.",
      ),
  })
  .meta({ id: "Collector" });

const onShutdown = z.union([
  stateName,
  z.strictObject({
    target: stateName.describe("The state to go to."),
    cancelAction: z
      .boolean()
      .optional()
      .describe("true: an action under way is canceled for it, instead of waited for. Default: false."),
    reason: reason.optional(),
  }),
]);

export const reconcilerDefinition = z.strictObject({
  kind: z.literal("reconciler").describe("Rules that bring what is observed to what is desired."),
  ...headFields,
  tick: between(TICK_MS_MIN, TICK_MS_MAX)
    .optional()
    .describe("Between the instants at which rules are looked at. Default: 10 s."),
  desired: jsonObject.optional().describe("What is desired to begin with; a start's own is merged over it."),
  onShutdown: onShutdown
    .optional()
    .describe("Where it goes, before any rule is looked at, once desired.shutdownRequested is true."),
  collector: collector.optional().describe("Who observes. Without it observations are sent."),
  staleAfter: staleAfter
    .optional()
    .describe("Without a collector: older than this an observation is not gone by. Default: it never is too old."),
  afterAction: z
    .enum(["observe", "decide"])
    .optional()
    .describe(
      "observe: after an action rules wait for an observation that was begun after it. Default: observe where there is a collector, else decide.",
    ),
  delays: delaysField,
  initial: stateName.describe("The state it begins in."),
  states: z.record(stateName, reconcilerState).describe("States by name."),
  actions: z.array(actionDefinition).max(limits.actionsMax).optional().describe("What rules start, and what observes."),
});
export type ReconcilerDefinition = z.infer<typeof reconcilerDefinition>;
