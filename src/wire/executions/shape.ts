// Executions: API shapes of reads.
import { z } from "zod";
import { definitionRef } from "#schema/definition/definition.ts";
import { holdReasons } from "#schema/engine/outcome.ts";
import { childPolicies } from "#schema/engine/child.ts";
import { limitHoldReasons, limitSkipReasons } from "#schema/key-limits/calls.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { executionStatuses } from "#schema/engine/state.ts";
import { executionIdText, triggerIdText } from "#schema/ids.ts";
import { triggerKinds } from "#schema/inbound/started-by.ts";
import * as value from "#schema/values.ts";
import { errorOf } from "../action-error.ts";
import { reconcilerView } from "../reconcilers/shape.ts";
import { journeyStanding } from "./progress.ts";

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
    at: value.instant
      .nullable()
      .meta({ description: "The due instant; null while the instant depends on a missing variable." }),
  })
  .meta({ id: "Timer" });

export const runHold = z.object({
  reason: z.enum(holdReasons),
  until: value.instant,
  connection: z.string().nullable(),
  policy: z.string().optional().meta({ description: "The tenant's policy that holds the run. Absent if none does." }),
});
export type ApiHold = z.infer<typeof runHold>;

/** The times, events and runs that would change this execution next. */
export const waiting = z
  .discriminatedUnion("for", [
    z.object({ for: z.literal("timer"), timer: z.string(), at: value.instant }),
    z.object({ for: z.literal("variable"), timer: z.string() }),
    z.object({
      for: z.literal("run"),
      run: z.string(),
      action: z.string(),
      status: z.enum(runStatuses),
      held: runHold
        .nullable()
        .meta({ description: "Why and until when the run is held; null if the run is not held." }),
    }),
    z.object({
      for: z.literal("event"),
      types: z
        .array(z.string())
        .optional()
        .meta({ description: "The event types that the execution accepts now. Only for a single execution." }),
    }),
    z.object({
      for: z.literal("task"),
      task: z.string(),
      run: z.string(),
      action: z.string(),
      remindAt: value.instant.nullable(),
      escalateAt: value.instant.nullable(),
    }),
    z.object({
      for: z.literal("person"),
      deadLetter: z.string().meta({ description: "The dead letter to retry or archive." }),
      run: z.string(),
      action: z.string(),
    }),
    z.object({ for: z.literal("child"), run: z.string(), action: z.string(), execution: executionIdText.nullable() }),
    z.object({
      for: z.literal("limit"),
      limit: z.string().meta({ description: "The limit on starts that delays the first move." }),
      key: z.string(),
      reason: z.enum(limitHoldReasons),
      ahead: z.number().int().meta({ description: "How many executions with this key are before this one." }),
      until: value.instant.meta({ description: "When the execution asks again. A free slot lets it ask earlier." }),
    }),
    z.object({ for: z.literal("resume") }),
    z.object({
      for: z.literal("tick"),
      at: value.instant
        .nullable()
        .meta({
          description:
            "For reconcilers: the next tick at which rules are evaluated; null until an input of the rules changes.",
        }),
    }),
  ])
  .meta({ id: "Waiting" });

const where = {
  id: executionIdText,
  namespace: z.string(),
  definition: definitionPin,
  placement: z.enum(["own", "pooled"]),
  correlationId: z.string().nullable(),
  status: executionStatus,
  states: z.array(z.string()).meta({ description: "Paths of the active states." }),
  createdAt: value.instant,
  updatedAt: value.instant,
  finishedAt: value.instant.nullable(),
  wakeAt: value.instant
    .nullable()
    .meta({ description: "When the execution continues without input; null if it waits for an input." }),
  reason: z.string().nullable(),
  subject: z
    .string()
    .nullable()
    .meta({ description: "The key of the subject, the customer that the journey is about." }),
  next: z
    .object({ at: value.instant, node: z.string() })
    .nullable()
    .meta({ description: "The next planned node and its instant; null if none is planned." }),
  startedBy: z
    .object({ trigger: triggerIdText, kind: z.enum(triggerKinds) })
    .optional()
    .meta({ description: "The trigger that started the execution; absent if no trigger did." }),
};

/**
 * The quarantine of an execution whose steps fail or whose rows cannot be read. The other executions of its cell
 * continue.
 */
const quarantine = z
  .object({ reason: z.string(), since: value.instant })
  .nullable()
  .meta({
    description:
      "Why the engine cannot read, continue or store the execution; null if it can. The engine tries again automatically. The execution can be canceled.",
  });

export const executionSummary = z
  .object({ ...where, error: errorOf.nullable(), quarantine })
  .meta({ id: "ExecutionSummary" });
export type ExecutionSummary = z.infer<typeof executionSummary>;

const child = z
  .object({
    run: z.string(),
    action: z.string(),
    execution: executionIdText
      .nullable()
      .meta({ description: "The id of the child; null while it is being started or is unknown." }),
    onCancel: z.enum(childPolicies),
    stopping: z.boolean().meta({ description: "true: the child has not confirmed its cancellation yet." }),
  })
  .meta({ id: "OwnChild" });

export const execution = z
  .object({
    ...where,
    error: errorOf.nullable(),
    retired: z
      .boolean()
      .meta({
        description:
          "true: the retention is over, and the response is a summary from the catalog. Variables, timers and runs are deleted.",
      }),
    variables: value.anyObject,
    seq: z.number().int(),
    pausedAt: value.instant.nullable(),
    retainUntil: value.instant.nullable(),
    timers: z.array(timer),
    waitingFor: z.array(waiting),
    runs: z.record(z.string(), z.number().int()).meta({ description: "The number of stored runs by status." }),
    eventsBuffered: z.number().int(),
    journey: journeyStanding
      .optional()
      .meta({ description: "The progress of a journey. Only in `GET /v1/executions/{id}`." }),
    ...reconcilerView,
    parent: z
      .object({
        execution: executionIdText,
        run: z.string(),
        action: z.string(),
        waits: z.boolean().meta({ description: "Whether the parent waits for the end of this execution." }),
        depth: z
          .number()
          .int()
          .meta({ description: "The number of executions above this execution that wait for their child." }),
      })
      .optional()
      .meta({ description: "The parent execution; absent if the execution has none." }),
    restartOf: z
      .object({
        execution: executionIdText,
        from: z.union([z.object({ state: z.string() }), z.object({ node: z.string() })]),
      })
      .optional()
      .meta({
        description:
          "The earlier execution that this execution restarted, and the state or node of the restart; absent if there is none.",
      }),
    children: z
      .array(child)
      .optional()
      .meta({ description: "Live children, as far as they are known; the family tree lists all children." }),
    ending: z
      .object({ as: z.enum(["canceled", "failed"]), since: value.instant, reason: z.string().nullable() })
      .optional()
      .meta({
        description:
          "Present while the execution waits for its children to end. To stop waiting, cancel the execution again.",
      }),
    skipped: z
      .object({
        limit: z.string(),
        key: z.string(),
        reason: z.enum(limitSkipReasons),
        nextAt: value.instant
          .nullable()
          .meta({ description: "When a start with this key may be admitted again; null if unknown." }),
      })
      .optional()
      .meta({ description: "The limit on starts that skipped the execution; absent if none did." }),
  })
  .meta({ id: "Execution" });
export type Execution = z.infer<typeof execution>;

export const erasedExecution = z
  .object({
    id: executionIdText,
    deadLetters: z
      .number()
      .int()
      .nullable()
      .meta({ description: "The number of runs that waited for an operator; null if only the catalog had them." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "Erased" });
export type ApiErased = z.infer<typeof erasedExecution>;
