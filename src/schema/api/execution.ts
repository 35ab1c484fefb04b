// Executions on the wire: what comes in to start and steer one.
import { z } from "zod";
import { definitionRef } from "#schema/definition.ts";
import { eventType } from "#schema/event.ts";
import { limits } from "#schema/limits.ts";
import { actionError } from "#schema/outcome.ts";
import { runStatuses } from "#schema/run.ts";
import { executionStatuses } from "#schema/state.ts";
import * as value from "./values.ts";

const ownId = z
  .string()
  .regex(/^exe_[A-Za-z0-9-]{1,80}$/, { message: "exe_ and then 1 to 80 letters, digits or -" })
  .meta({ description: "An id of your own. For pooled definitions use Idempotency-Key instead." });

const start = {
  definition: z.string().min(1).max(220).meta({
    description: "A definition: its name (newest version), name@version, or id.",
    examples: ["order@2"],
  }),
  variables: value.anyObject.optional(),
  namespace: value.namespace.optional(),
  correlationId: value.correlationId.optional(),
  id: ownId.optional(),
};

export const startExecutionBody = z.strictObject(start).meta({
  id: "StartExecution",
  examples: [{ definition: "order", variables: { orderId: "o-17", email: "ada@example.com" }, correlationId: "o-17" }],
});
export type StartExecutionBody = z.input<typeof startExecutionBody>;

export const startExecutionsBody = z
  .strictObject({
    executions: z
      .array(z.strictObject({ ...start, idempotencyKey: value.idempotencyKey.optional() }))
      .min(1)
      .max(limits.batchStartMax),
  })
  .meta({ id: "StartExecutions", examples: [{ executions: [{ definition: "welcome", variables: { name: "Ada" } }] }] });
export type StartExecutionsBody = z.input<typeof startExecutionsBody>;

export const eventBody = z
  .strictObject({
    id: z.string().min(1).max(limits.idLengthMax).optional().meta({
      description: "An event with an id that was seen before changes nothing. Default: Idempotency-Key, or a new id.",
    }),
    type: eventType,
    payload: value.anyJson.optional(),
    source: z.string().min(1).max(200).optional(),
    correlationId: value.correlationId.optional(),
  })
  .meta({ id: "Event", examples: [{ type: "payment.received", payload: { amount: 42 } }] });
export type EventBody = z.input<typeof eventBody>;

export const controlBody = z.strictObject({ reason: value.reason.optional() }).meta({
  id: "Control",
  examples: [{ reason: "customer asked to wait" }],
});
export type ControlBody = z.input<typeof controlBody>;

export const patchBody = z
  .strictObject({
    variables: value.anyObject.meta({ description: "Merged over the execution's own, key by key." }),
    reason: value.reason.optional(),
  })
  .meta({ id: "Patch", examples: [{ variables: { weddingDate: "2027-06-12" }, reason: "date moved" }] });
export type PatchBody = z.input<typeof patchBody>;

const targetName = z.string().min(1).max(300);
export const runNowBody = z
  .strictObject({
    run: targetName.optional(),
    timer: targetName.optional(),
    action: targetName.optional(),
    reason: value.reason.optional(),
  })
  .refine((body) => [body.run, body.timer, body.action].filter((name) => name !== undefined).length === 1, {
    message: "name exactly one of run, timer and action",
  })
  .meta({ id: "RunNow", examples: [{ action: "sendReminder", reason: "customer is on the phone" }] });
export type RunNowBody = z.input<typeof runNowBody>;

export const executionStatus = z.enum(executionStatuses);
export const definitionPin = definitionRef.meta({ id: "DefinitionRef" });

const timer = z
  .object({
    id: z.string(),
    kind: z.enum(["after", "cron"]),
    state: z.string(),
    expression: z.string(),
    action: z.string().nullable(),
    armedAt: value.instant,
    at: value.instant.nullable().meta({ description: "null: waits for a variable that is not there yet." }),
  })
  .meta({ id: "Timer" });

/** What would move this execution next. */
const waiting = z
  .discriminatedUnion("for", [
    z.object({ for: z.literal("timer"), timer: z.string(), at: value.instant }),
    z.object({ for: z.literal("variable"), timer: z.string() }),
    z.object({ for: z.literal("run"), run: z.string(), action: z.string(), status: z.enum(runStatuses) }),
    z.object({ for: z.literal("event") }),
    z.object({ for: z.literal("resume") }),
  ])
  .meta({ id: "Waiting" });

const where = {
  id: value.executionId,
  namespace: z.string(),
  definition: definitionPin,
  placement: z.enum(["own", "pooled"]),
  correlationId: z.string().nullable(),
  status: executionStatus,
  states: z.array(z.string()).meta({ description: "Paths of the active states." }),
  createdAt: value.instant,
  updatedAt: value.instant,
  finishedAt: value.instant.nullable(),
  wakeAt: value.instant.nullable().meta({ description: "When it moves by itself, as far as known." }),
  reason: z.string().nullable(),
};

export const executionSummary = z.object({ ...where, error: z.string().nullable() }).meta({ id: "ExecutionSummary" });
export type ExecutionSummary = z.infer<typeof executionSummary>;

export const execution = z
  .object({
    ...where,
    error: actionError.extend({ details: value.anyObject.optional() }).nullable(),
    variables: value.anyObject,
    seq: z.number().int(),
    pausedAt: value.instant.nullable(),
    retainUntil: value.instant.nullable(),
    timers: z.array(timer),
    waitingFor: z.array(waiting),
    runs: z.record(z.string(), z.number().int()).meta({ description: "How many runs at hand have which status." }),
    eventsBuffered: z.number().int(),
  })
  .meta({ id: "Execution" });
export type Execution = z.infer<typeof execution>;
