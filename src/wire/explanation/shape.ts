// Explanations: API shapes of why an execution is in its state. Every part has fields for programs and one plain
// sentence for people.
import { z } from "zod";
import { holdReasons } from "#schema/engine/outcome.ts";
import { quarantineKinds } from "#schema/engine/quarantine.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { executionIdText } from "#schema/ids.ts";
import { definitionPin, executionStatus } from "../executions/shape.ts";
import { errorOf } from "../history/shape.ts";
import * as value from "#schema/values.ts";
import { askedRule, gate, meets, names, says, shared, way } from "./parts.ts";
import { reconcilingWaits } from "./reconciling.ts";

const line = z.looseObject({ kind: z.string() }).meta({ id: "ForeseenLine" });

const foreseen = z
  .object({
    kind: z
      .string()
      .nullable()
      .meta({ description: "The kind of the journal entry; null if no entry will be written." }),
    about: value.anyObject.meta({
      description: "The object of the entry, such as a run or a timer.",
      examples: [{ run: "3.0", action: "mail", attempt: 2 }],
    }),
    by: z
      .enum([
        "time",
        "runner",
        "parent",
        "child",
        "directory",
        "subject",
        "lists",
        "event",
        "person",
        "tenant",
        "retention",
        "nobody",
      ])
      .meta({
        description:
          "The cause of the entry. time: the clock. runner: the attempt in progress. parent, child, directory, subject, lists: other parts of the engine. event, person, tenant: an input from outside.",
      }),
    at: value.instant.nullable().meta({ description: "The exact time; null if it depends on an external event." }),
    earliest: value.instant.nullable(),
    latest: value.instant.nullable(),
    assumes: z
      .enum(["ok", "failed"])
      .nullable()
      .meta({ description: "The assumed outcome of the attempt in progress; null if nothing is assumed." }),
    events: names.optional().meta({ description: "If the cause is an event: the accepted types." }),
    with: z.array(line).meta({ description: "The entries that the same step writes after this entry." }),
    more: z.number().int().meta({ description: "The number of further entries, which are not listed." }),
    says,
  })
  .meta({ id: "Foreseen" });

const ofRun = { run: z.string(), action: z.string() };

const wait = z
  .discriminatedUnion("for", [
    z.object({
      for: z.literal("timer"),
      timer: z.string(),
      state: z.string(),
      action: z.string().nullable(),
      guards: z.array(askedRule),
      ...shared,
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
        .meta({ description: "The run is skipped if it would start later than this." }),
      conditions: z.array(askedRule),
      meets,
      ...shared,
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
      ...shared,
    }),
    z.object({
      for: z.literal("slot"),
      ...ofRun,
      concurrency: z.number().int(),
      takenBy: names.meta({ description: "The ids of the runs that occupy the slots." }),
      ahead: z.number().int().meta({ description: "The number of runs that are before this run." }),
      meets,
      ...shared,
    }),
    z.object({
      for: z.literal("connection"),
      ...ofRun,
      connection: z.string().nullable(),
      reason: z.enum(holdReasons),
      gate: gate.meta({ description: "The current state of the connection; null if unknown." }),
      ...shared,
    }),
    z.object({ for: z.literal("quota"), ...ofRun, ...shared }),
    z.object({ for: z.literal("queue_share"), ...ofRun, ...shared }),
    z.object({
      for: z.literal("cap"),
      ...ofRun,
      cap: z.string().nullable(),
      subject: z.string().nullable(),
      max: z.number().int().nullable(),
      meets,
      ...shared,
    }),
    z.object({ for: z.literal("window"), ...ofRun, window: value.anyJson, meets, ...shared }),
    z.object({ for: z.literal("receipt"), ...ofRun, ...shared }),
    z.object({
      for: z.literal("event"),
      event: z.string(),
      states: names,
      would: z
        .enum(["taken", "depends", "refused", "kept"])
        .meta({
          description:
            "The predicted outcome of the event now. depends: it depends on the payload. kept: the event is stored until the execution is resumed.",
        }),
      guards: z.array(askedRule),
      to: names,
      ...shared,
    }),
    z.object({ for: z.literal("variables"), states: names, guards: z.array(askedRule), ...shared }),
    z.object({ for: z.literal("person"), ...ofRun, deadLetter: z.string(), error: errorOf.nullable(), ...shared }),
    z.object({
      for: z.literal("task"),
      task: z.string(),
      ...ofRun,
      remindAt: value.instant.nullable(),
      escalateAt: value.instant.nullable(),
      ...shared,
    }),
    z.object({ for: z.literal("child"), execution: executionIdText, ...ofRun, events: names, ...shared }),
    z.object({
      for: z.literal("release"),
      ...ofRun,
      since: value.instant,
      by: z.string().meta({ description: "The operator who holds the run." }),
      reason: z.string().nullable(),
      dueAt: value.instant
        .nullable()
        .meta({ description: "When the run would start, or would have started, without the hold." }),
      meets,
      ...shared,
    }),
    z.object({
      for: z.literal("resume"),
      since: value.instant,
      reason: z.string().nullable(),
      error: errorOf.nullable(),
      ...shared,
    }),
    z.object({ for: z.literal("tenant"), ...shared }),
    z.object({
      for: z.literal("parting"),
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
      ...shared,
    }),
    z.object({ for: z.literal("parent"), execution: executionIdText, ...shared }),
    z.object({ for: z.literal("directory"), key: z.string().nullable(), ...shared }),
    z.object({ for: z.literal("subject"), key: z.string(), ...shared }),
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
      ...shared,
    }),
    ...reconcilingWaits,
    z.object({
      for: z.literal("engine"),
      kind: z.enum(quarantineKinds),
      reason: z.string(),
      since: value.instant,
      ...shared,
    }),
  ])
  .meta({ id: "Wait" });

const notDone = z
  .discriminatedUnion("what", [
    z.object({
      what: z.literal("run"),
      ...ofRun,
      status: z.enum(["skipped", "canceled", "failed"]),
      reason: z.string(),
      at: value.instant,
      error: errorOf.nullable(),
      heard: z
        .object({ event: z.string(), state: z.string() })
        .nullable()
        .meta({ description: "For a failure that the definition handled: the event and the resulting state." }),
      deadLetter: z.string().nullable(),
      conditions: z
        .array(askedRule)
        .meta({
          description:
            "The values that the condition read at that time; the current values if those are no longer stored.",
        }),
      says,
      can: z.array(way),
    }),
    z.object({
      what: z.literal("event"),
      event: z.string(),
      id: z.string().nullable(),
      fate: z.enum(["kept", "ignored", "dropped"]),
      reason: z.string(),
      at: value.instant.nullable(),
      says,
      can: z.array(way),
    }),
    z.object({
      what: z.literal("node"),
      node: z.string(),
      reason: z.string(),
      at: value.instant.nullable(),
      says,
      can: z.array(way),
    }),
    z.object({
      what: z.literal("timer"),
      timer: z.string(),
      reason: z.string(),
      at: value.instant,
      says,
      can: z.array(way),
    }),
  ])
  .meta({ id: "NotDone" });

const count = z.number().int();

export const explanation = z
  .object({
    execution: executionIdText,
    definition: definitionPin,
    status: executionStatus
      .nullable()
      .meta({ description: "The status of the execution; null if the engine cannot read the execution." }),
    states: names,
    asOf: value.instant,
    retired: z
      .boolean()
      .meta({ description: "true: the journal is deleted, and this is the summary from the catalog." }),
    says,
    ended: z
      .object({
        status: executionStatus,
        at: value.instant,
        reason: z.string().nullable(),
        error: errorOf.nullable(),
        says,
      })
      .nullable(),
    next: foreseen.meta({ description: "The next journal entry without external input." }),
    or: z.array(foreseen).meta({ description: "External inputs that may come first." }),
    waits: z.array(wait),
    notNow: z
      .array(z.object({ event: z.string(), would: z.enum(["kept", "refused"]), code: z.string().nullable(), says }))
      .meta({ description: "Events that other states accept." }),
    notDone: z.array(notDone).meta({ description: "Work that was not done, the newest first." }),
    leftOut: z
      .object({ waits: count, notNow: count, notDone: count })
      .meta({ description: "The number of items that were omitted for lack of space." }),
  })
  .meta({ id: "Explanation" });
export type ApiExplanation = z.infer<typeof explanation>;
