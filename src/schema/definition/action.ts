// An action definition: one side effect, when it starts, how it is retried, and when it is no longer wanted.
import { z } from "zod";
import { jsonObject, rule } from "../json.ts";
import { limits } from "../limits.ts";
import { actionType } from "./action-type.ts";
import { retryPolicy, retryPreset } from "./retry.ts";
import { delay, disambiguation, duration, timezone } from "./timing.ts";
import { eventType } from "../engine/event.ts";

export const lane = z.enum(["auto", "direct", "queue"]);
export type Lane = z.infer<typeof lane>;

export const actionId = z
  .string()
  .max(limits.idLengthMax)
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, { message: "a letter, then letters, digits, _ or -" });

export const onExhausted = z.union([z.enum(["deadLetter", "pause", "fail"]), z.strictObject({ event: eventType })]);

export const actionDefinition = z
  .strictObject({
    actionId,
    type: actionType,
    /** Path of the state whose entry starts this action (nested: "a.b"). Without it, entry lists or transitions name it. */
    triggerState: z.string().min(1).optional(),
    config: jsonObject,
    retryPolicy: z.union([retryPreset, retryPolicy]).optional(),
    timeout: z.number().int().min(1).max(limits.timeoutMsMax).optional(),
    enabled: z.boolean().optional(),
    delay: delay.optional(),
    /** Cron expression: while the execution is in triggerState, each occurrence starts a run. */
    schedule: z.string().min(1).max(200).optional(),
    timezone: timezone.optional(),
    /** Of local times that validUntil names and that do not exist, or exist twice, in the zone. */
    disambiguation: disambiguation.optional(),
    /** JSONLogic, as JSON or as a string holding JSON. Evaluated when the run would start; false skips it. */
    condition: rule.optional(),
    /** ISO date-time, epoch milliseconds, or a rule giving either: later than this, the run is skipped. */
    validUntil: rule.optional(),
    maxLateness: duration.optional(),
    priority: z.number().int().min(0).max(100).optional(),
    onExhausted: onExhausted.optional(),
    cancelOnExit: z.boolean().optional(),
    lane: lane.optional(),
    description: z.string().max(limits.descriptionCharsMax).optional(),
    tags: z.array(z.string().max(100)).max(50).optional(),
    createdAt: z.string().max(40).optional(),
    updatedAt: z.string().max(40).optional(),
  })
  .meta({ id: "DefinitionAction" });
export type ActionDefinition = z.infer<typeof actionDefinition>;
