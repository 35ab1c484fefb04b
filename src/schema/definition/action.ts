// Action definition: one side effect, when it starts, how it is retried, and when it is skipped.
import { z } from "zod";
import { jsonObject, rule } from "../json.ts";
import { DESCRIPTION_CHARS_MAX, ID_CHARS_MAX } from "../limits/api-requests.ts";
import { AUTO_RETRIES_MAX } from "../limits/outgoing/automatic-retries.ts";
import { TIMEOUT_MS_MAX } from "../limits/run-timeouts.ts";
import { actionType } from "./action-type.ts";
import { retryPolicy, retryPreset } from "./retry.ts";
import { schedule } from "./schedule.ts";
import { delay, disambiguation, duration, timezone } from "./timing.ts";
import { eventType } from "../engine/event.ts";

export const lane = z.enum(["auto", "direct", "queue"]);
export type Lane = z.infer<typeof lane>;

export const actionId = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, { message: "must be a letter, then letters, digits, _ or -" });

export const onExhausted = z.union([z.enum(["deadLetter", "pause", "fail"]), z.strictObject({ event: eventType })]);

/** Automatic retry of an action after its provider's recovery: the number of retries, or never. */
export const selfHeal = z.union([
  z.literal(false),
  z.strictObject({ times: z.number().int().min(1).max(AUTO_RETRIES_MAX).optional() }),
]);
export type SelfHeal = z.infer<typeof selfHeal>;

export const actionDefinition = z
  .strictObject({
    actionId: actionId.describe("Unique in the definition: states and transitions refer to it."),
    type: actionType.describe("The type, such as webhook, email or task."),
    triggerState: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Entering the state with this path (such as `open.payment`) starts it. Without it, entry lists or transitions name it.",
      ),
    config: jsonObject.describe("The type's config. It may contain templates."),
    retryPolicy: z
      .union([retryPreset, retryPolicy])
      .optional()
      .describe("A preset's name, or a policy. Default: the type's own."),
    timeout: z
      .number()
      .int()
      .min(1)
      .max(TIMEOUT_MS_MAX)
      .optional()
      .describe("Milliseconds for one attempt. Default: the type's own."),
    enabled: z.boolean().optional().describe("false: each run is skipped. Default: true."),
    delay: delay
      .optional()
      .describe("Delays the start: milliseconds, a duration, the name of a delay, or an inline delay."),
    schedule: schedule
      .optional()
      .describe("A cron expression, or an object with one: each occurrence while in triggerState starts a run."),
    timezone: timezone.optional().describe("For the schedule. Default: the definition's."),
    disambiguation: disambiguation
      .optional()
      .describe("How an ambiguous or missing local time in validUntil is resolved. Default: compatible."),
    condition: rule
      .optional()
      .describe(
        "A rule (JSONLogic), or a text with one, evaluated when the run is due, and when a hold ends: false skips it.",
      ),
    validUntil: rule
      .optional()
      .describe("A date-time, epoch milliseconds, or a rule that returns either: a later run is skipped."),
    maxLateness: duration.optional().describe("A run overdue by more than this is skipped."),
    priority: z
      .number()
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe("Higher goes first; above 90 is critical. Default: 0."),
    onExhausted: onExhausted.optional().describe("What happens after its last failed attempt. Default: deadLetter."),
    selfHeal: selfHeal
      .optional()
      .describe(
        "Its dead letter is retried automatically when the breaker of its connection has closed: at most `times` (1). false: never. Default: the connection's setting.",
      ),
    cancelOnExit: z
      .boolean()
      .optional()
      .describe("Leaving triggerState cancels runs that have not started. Default: true."),
    lane: lane.optional().describe("The lane of its runs. Default: the definition's."),
    description: z.string().max(DESCRIPTION_CHARS_MAX).optional().describe("For people."),
    tags: z.array(z.string().max(100)).max(50).optional().describe("For people."),
    createdAt: z.string().max(40).optional().describe("For people."),
    updatedAt: z.string().max(40).optional().describe("For people."),
  })
  .meta({ id: "DefinitionAction" });
export type ActionDefinition = z.infer<typeof actionDefinition>;
