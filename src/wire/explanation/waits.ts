// Waits of an execution: API shapes of each kind of wait in an explanation.
import { z } from "zod";
import { connectionHoldReasons } from "#schema/engine/outcome.ts";
import { limitHoldReasons } from "#schema/key-limits/calls.ts";
import { quarantineKinds } from "#schema/engine/quarantine.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { executionIdText } from "#schema/ids.ts";
import * as value from "#schema/values.ts";
import { errorOf } from "../action-error.ts";
import { evaluatedRule, gate, names, pendingLimits, waitFields, zoneInUse } from "./parts.ts";
import { reconcilingWaits } from "./reconciling.ts";

export const ofRun = { run: z.string(), action: z.string() };

export const wait = z
  .discriminatedUnion("for", [
    z.object({
      for: z.literal("timer"),
      timer: z.string(),
      state: z.string(),
      action: z.string().nullable(),
      guards: z.array(evaluatedRule),
      ...zoneInUse,
      ...waitFields,
    }),
    z.object({
      for: z.literal("run"),
      ...ofRun,
      status: z.enum(runStatuses),
      attempt: z.number().int(),
      attemptsMax: z.number().int(),
      error: errorOf.nullable(),
      expiresAt: value.instant
        .nullable()
        .meta({ description: "The latest start of the run. A run that would start later is skipped." }),
      conditions: z.array(evaluatedRule),
      ...zoneInUse,
      meets: pendingLimits,
      ...waitFields,
    }),
    z.object({
      for: z.literal("anchor"),
      run: z.string().nullable(),
      timer: z.string().nullable(),
      delay: value.anyJson,
      anchor: value.anyJson.meta({
        description: "The rule that returns the date, and the values that the rule reads.",
      }),
      values: value.anyObject,
      ...waitFields,
    }),
    z.object({
      for: z.literal("slot"),
      ...ofRun,
      concurrency: z.number().int(),
      takenBy: names.meta({ description: "The ids of the runs that occupy the slots." }),
      ahead: z.number().int().meta({ description: "The number of runs that wait before this run." }),
      meets: pendingLimits,
      ...waitFields,
    }),
    z.object({
      for: z.literal("connection"),
      ...ofRun,
      connection: z.string().nullable(),
      reason: z.enum(connectionHoldReasons),
      gate: gate.meta({ description: "The current state of the connection; null if unknown." }),
      ...waitFields,
    }),
    z.object({ for: z.literal("quota"), ...ofRun, ...waitFields }),
    z.object({ for: z.literal("queue_share"), ...ofRun, ...waitFields }),
    z.object({
      for: z.literal("quiet_hours"),
      ...ofRun,
      policy: z.string().nullable().meta({ description: "The tenant's policy that holds the run; null if unknown." }),
      meets: pendingLimits,
      ...waitFields,
    }),
    z.object({
      for: z.literal("cap"),
      ...ofRun,
      cap: z.string().nullable(),
      subject: z.string().nullable(),
      max: z.number().int().nullable(),
      meets: pendingLimits,
      ...waitFields,
    }),
    z.object({
      for: z.literal("window"),
      ...ofRun,
      window: value.anyJson,
      ...zoneInUse,
      meets: pendingLimits,
      ...waitFields,
    }),
    z.object({
      for: z.literal("limit"),
      ...ofRun,
      by: z.enum(limitHoldReasons),
      limit: z.string().nullable().meta({ description: "The name of the limit by key; null if unknown." }),
      key: z.string().nullable(),
      ahead: z
        .number()
        .int()
        .nullable()
        .meta({ description: "The number of runs with this key that were before this run when it last asked." }),
      meets: pendingLimits,
      ...waitFields,
    }),
    z.object({
      for: z.literal("start_limit"),
      by: z.enum(limitHoldReasons).nullable().meta({ description: "Null if the limit has not answered yet." }),
      limit: z.string().meta({ description: "The name of the limit on starts." }),
      key: z.string(),
      ahead: z
        .number()
        .int()
        .nullable()
        .meta({ description: "The number of executions with this key that were before this one when it last asked." }),
      ...waitFields,
    }),
    z.object({ for: z.literal("receipt"), ...ofRun, ...waitFields }),
    z.object({
      for: z.literal("event"),
      event: z.string(),
      states: names,
      would: z
        .enum(["accepted", "depends", "refused", "kept"])
        .meta({
          description:
            "The predicted outcome if the event arrived now. depends: the outcome depends on the payload. kept: the event is stored until the execution is resumed.",
        }),
      guards: z.array(evaluatedRule),
      to: names,
      ...waitFields,
    }),
    z.object({ for: z.literal("variables"), states: names, guards: z.array(evaluatedRule), ...waitFields }),
    z.object({ for: z.literal("person"), ...ofRun, deadLetter: z.string(), error: errorOf.nullable(), ...waitFields }),
    z.object({
      for: z.literal("task"),
      task: z.string(),
      title: z
        .string()
        .nullable()
        .meta({ description: "The title with which the task was created; null if the engine no longer stores it." }),
      ...ofRun,
      remindAt: value.instant.nullable(),
      escalateAt: value.instant.nullable(),
      ...waitFields,
    }),
    z.object({ for: z.literal("child"), execution: executionIdText, ...ofRun, events: names, ...waitFields }),
    z.object({
      for: z.literal("release"),
      ...ofRun,
      since: value.instant,
      by: z.string().meta({ description: "The operator who holds the run." }),
      reason: z.string().nullable(),
      dueAt: value.instant
        .nullable()
        .meta({ description: "When the run would start, or would have started, without the hold." }),
      meets: pendingLimits,
      ...waitFields,
    }),
    z.object({
      for: z.literal("resume"),
      since: value.instant,
      reason: z.string().nullable(),
      error: errorOf.nullable(),
      ...waitFields,
    }),
    z.object({ for: z.literal("tenant"), ...waitFields }),
    z.object({
      for: z.literal("children"),
      ...ofRun,
      execution: executionIdText
        .nullable()
        .meta({ description: "The id of the child; null if it is unknown whether the child exists." }),
      how: z
        .enum(["awaited", "canceling"])
        .meta({
          description:
            "awaited: the execution ends when this child has ended. canceling: the child has not confirmed its cancellation.",
        }),
      ...waitFields,
    }),
    z.object({ for: z.literal("parent"), execution: executionIdText, ...waitFields }),
    z.object({ for: z.literal("directory"), key: z.string().nullable(), ...waitFields }),
    z.object({ for: z.literal("subject"), key: z.string(), ...waitFields }),
    z.object({
      for: z.literal("join"),
      node: z.string(),
      needs: z
        .number()
        .int()
        .meta({ description: "The number of incoming edges that must be taken before the node begins." }),
      taken: z.number().int(),
      dead: z.number().int().meta({ description: "The number of incoming edges that can no longer be taken." }),
      from: names.meta({ description: "The nodes whose edges to this node may still be taken." }),
      ...waitFields,
    }),
    ...reconcilingWaits,
    z.object({
      for: z.literal("engine"),
      kind: z.enum(quarantineKinds),
      reason: z.string(),
      since: value.instant,
      ...waitFields,
    }),
  ])
  .meta({ id: "Wait" });
