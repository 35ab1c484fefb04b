// Executions on the wire, as they are read.
import { z } from "zod";
import { definitionRef } from "#schema/definition/definition.ts";
import { actionError, holdReasons } from "#schema/engine/outcome.ts";
import { childPolicies } from "#schema/engine/child.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { executionStatuses } from "#schema/engine/state.ts";
import { executionIdText, triggerIdText } from "#schema/ids.ts";
import { triggerKinds } from "#schema/inbound/started-by.ts";
import * as value from "#schema/values.ts";
import { reconcilerView } from "../reconcilers/shape.ts";
import { journeyStanding } from "./standing.ts";

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

export const held = z.object({ reason: z.enum(holdReasons), until: value.instant, connection: z.string().nullable() });
export type ApiHold = z.infer<typeof held>;

/** What would move this execution next. */
export const waiting = z
  .discriminatedUnion("for", [
    z.object({ for: z.literal("timer"), timer: z.string(), at: value.instant }),
    z.object({ for: z.literal("variable"), timer: z.string() }),
    z.object({
      for: z.literal("run"),
      run: z.string(),
      action: z.string(),
      status: z.enum(runStatuses),
      held: held.nullable().meta({ description: "Its connection, or its window, lets nothing through just now." }),
    }),
    z.object({
      for: z.literal("event"),
      types: z
        .array(z.string())
        .optional()
        .meta({ description: "Those it takes now. Only where one execution is read." }),
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
      deadLetter: z.string().meta({ description: "Send it again, or archive it." }),
      run: z.string(),
      action: z.string(),
    }),
    z.object({
      for: z.literal("child"),
      run: z.string(),
      action: z.string(),
      execution: executionIdText.nullable(),
    }),
    z.object({ for: z.literal("resume") }),
    z.object({
      for: z.literal("tick"),
      at: value.instant
        .nullable()
        .meta({ description: "Of a reconciler; null: until something that its rules see has changed." }),
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
  wakeAt: value.instant.nullable().meta({ description: "When it moves by itself, as far as known." }),
  reason: z.string().nullable(),
  subject: z.string().nullable().meta({ description: "Whom it is about." }),
  next: z
    .object({ at: value.instant, node: z.string() })
    .nullable()
    .meta({ description: "What it will do next by itself, and when; null: nothing is planned." }),
  startedBy: z
    .object({ trigger: triggerIdText, kind: z.enum(triggerKinds) })
    .optional()
    .meta({ description: "The trigger that brought it about; absent where none did." }),
};

/** The engine cannot go on with it just now; the others of its cell are not held up by that. */
const quarantine = z.object({ reason: z.string(), since: value.instant }).nullable().meta({
  description: "Set where the engine cannot read it, step it or store it. It is tried again, and can be canceled.",
});

export const executionSummary = z
  .object({ ...where, error: z.string().nullable(), quarantine })
  .meta({ id: "ExecutionSummary" });
export type ExecutionSummary = z.infer<typeof executionSummary>;

const child = z
  .object({
    run: z.string(),
    action: z.string(),
    execution: executionIdText.nullable().meta({ description: "null: it is being started, or nobody knows yet." }),
    onCancel: z.enum(childPolicies),
    stopping: z.boolean().meta({ description: "It is to be canceled, and that is not confirmed yet." }),
  })
  .meta({ id: "OwnChild" });

export const execution = z
  .object({
    ...where,
    error: actionError.extend({ details: value.anyObject.optional() }).nullable(),
    retired: z.boolean().meta({
      description: "true: its retention is over. This is what lists keep of it; variables, timers and runs are gone.",
    }),
    variables: value.anyObject,
    seq: z.number().int(),
    pausedAt: value.instant.nullable(),
    retainUntil: value.instant.nullable(),
    timers: z.array(timer),
    waitingFor: z.array(waiting),
    runs: z.record(z.string(), z.number().int()).meta({ description: "How many runs at hand have which status." }),
    eventsBuffered: z.number().int(),
    journey: journeyStanding
      .optional()
      .meta({ description: "Of a journey, where one execution is read: how far it has come." }),
    ...reconcilerView,
    parent: z
      .object({
        execution: executionIdText,
        run: z.string(),
        action: z.string(),
        waits: z.boolean().meta({ description: "Whether that one waits for this one's end." }),
        depth: z.number().int().meta({ description: "How many executions above it wait for the one below." }),
      })
      .optional()
      .meta({ description: "The execution that started it; absent where none did." }),
    restartOf: z
      .object({
        execution: executionIdText,
        from: z.union([z.object({ state: z.string() }), z.object({ node: z.string() })]),
      })
      .optional()
      .meta({
        description: "The earlier execution that it goes on from, and where it began; absent where there is none.",
      }),
    children: z
      .array(child)
      .optional()
      .meta({ description: "Those it has started that have not ended, as far as it knows; its tree has all of them." }),
    ending: z
      .object({ as: z.enum(["canceled", "failed"]), since: value.instant, reason: z.string().nullable() })
      .optional()
      .meta({
        description: "Set while it is over but for children that it waits for; cancel it again to wait no longer.",
      }),
  })
  .meta({ id: "Execution" });
export type Execution = z.infer<typeof execution>;

export const erased = z
  .object({
    id: executionIdText,
    deadLetters: z.number().int().nullable().meta({
      description: "How many of its runs waited for a person. Null where only lists knew of it any more.",
    }),
    dryRun: z.boolean(),
  })
  .meta({ id: "Erased" });
export type ApiErased = z.infer<typeof erased>;
