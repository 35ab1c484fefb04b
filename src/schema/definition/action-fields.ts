// Fields of an action, each described once. Every place in which clients write an action has the fields that
// `action-places.ts` leaves to it.
import { z } from "zod";
import { jsonObject, rule } from "../json.ts";
import { DESCRIPTION_CHARS_MAX, ID_CHARS_MAX } from "../limits/api-requests.ts";
import { AUTO_RETRIES_MAX, TIMEOUT_MS_MAX } from "../limits/run-attempts.ts";
import { actionType } from "./action-type.ts";
import { capName } from "./cap.ts";
import { keyLimits } from "./key-limit.ts";
import { ownName } from "./own-name.ts";
import { retryPolicy, retryPreset } from "./retry.ts";
import { schedule } from "./schedule.ts";
import { delay, disambiguation, duration, zoneSetting } from "./timing.ts";
import { window } from "./window.ts";
import { eventType } from "../engine/event.ts";

export const lane = z.enum(["auto", "direct", "queue"]);
export type Lane = z.infer<typeof lane>;

export const actionId = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, { message: "must be a letter, then letters, digits, _ or -" });

/** Automatic retry of an action's dead letters after its provider has recovered: the number of retries, or never. */
export const autoRetry = z.union([
  z.literal(false),
  z.strictObject({ times: z.number().int().min(1).max(AUTO_RETRIES_MAX).optional() }),
]);
export type AutoRetry = z.infer<typeof autoRetry>;

const forPeople = "A description for people; the engine does not read it.";
const date = z.string().max(40).optional().describe(forPeople);

export const actionFields = {
  actionId: actionId.describe(
    "The action's id, unique in the definition. States and transitions name the action by this id.",
  ),
  type: actionType.describe("The action type, such as webhook, email or task."),
  config: jsonObject.describe("The config of the action type. Its texts may contain templates."),
  retryPolicy: z
    .union([retryPreset, retryPolicy])
    .optional()
    .describe("The retry policy: a preset's name or a policy. Default: the policy of the action type."),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(TIMEOUT_MS_MAX)
    .optional()
    .describe("The time limit of one attempt in milliseconds. Default: the time limit of the action type."),
  priority: z
    .number()
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe(
      "The priority, 0 to 100. A run with a higher priority starts first. Above 90, failures are critical. Default: 0.",
    ),
  lane: lane.optional().describe("The lane of the action's runs. Default: the lane of the definition."),
  enabled: z.boolean().optional().describe("false: each run of the action is skipped. Default: true."),
  delay: delay
    .optional()
    .describe(
      "The delay before the action starts: milliseconds, a duration, the name of a delay, or an inline delay. In a journey it counts from the planned instant of the previous node.",
    ),
  condition: rule
    .optional()
    .describe(
      "A rule (JSONLogic), or a text that contains a rule. The rule is evaluated when the run is due and when a hold ends. If it is false, the run is skipped.",
    ),
  validUntil: rule
    .optional()
    .describe(
      "The latest start of a run: a date-time, epoch milliseconds, or a rule that returns either. A later run is skipped.",
    ),
  maxLateness: duration.optional().describe("How late a run may start. A run that is overdue for longer is skipped."),
  timezone: zoneSetting
    .optional()
    .describe(
      "The time zone of the action's dates and of its schedule, or a rule that returns it. Default: the definition's time zone.",
    ),
  disambiguation: disambiguation
    .optional()
    .describe("Which instant validUntil means if a clock change repeats or skips its local time. Default: compatible."),
  onExhausted: z
    .union([z.enum(["deadLetter", "pause", "fail"]), z.strictObject({ event: eventType })])
    .optional()
    .describe("The reaction to the failure of the last attempt. Default: deadLetter."),
  selfHeal: autoRetry
    .optional()
    .describe(
      "Retries the dead letter of this action automatically after its connection's circuit breaker has closed, up to `times` times (default 1). false: never. Default: the connection's setting.",
    ),
  triggerState: z
    .string()
    .min(1)
    .optional()
    .describe(
      "The path of a state, such as `open.payment`. Entering this state starts the action. Without `triggerState`, an entry list or a transition must name the action.",
    ),
  schedule: schedule
    .optional()
    .describe("A cron expression, or an object with one: each occurrence while in triggerState starts a run."),
  cancelOnExit: z
    .boolean()
    .optional()
    .describe("true: leaving triggerState cancels the runs of this action that have not started. Default: true."),
  window: z
    .union([ownName, window])
    .optional()
    .describe("The opening hours: a name in `windows`, or an inline window. A run waits outside the opening hours."),
  quietHours: z
    .enum(["heed", "ignore"])
    .optional()
    .describe(
      "ignore: the tenant's policies of quiet hours do not apply, such as for a password reset. Default: heed.",
    ),
  cap: capName.optional().describe("A name in `caps`, which limits the number of actions for one subject."),
  limit: keyLimits
    .optional()
    .describe("Limits by key, such as two runs at a time for each customer. A run must pass all of them."),
  dedupKey: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Requests with the same key within `dedupWindow` return the action of the first request."),
  dedupWindow: duration
    .optional()
    .describe("How long the dedup key is recognised: one second to 30 days. Default: PT24H."),
  description: z.string().max(DESCRIPTION_CHARS_MAX).optional().describe(forPeople),
  tags: z.array(z.string().max(100)).max(50).optional().describe("Labels for people; the engine does not read them."),
  createdAt: date,
  updatedAt: date,
};

export type ActionField = keyof typeof actionFields;
