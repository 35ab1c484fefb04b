// Runs, journal entries and the answer to a change: API shapes of an execution's history.
import { z } from "zod";
import { unmovedReasons } from "#schema/engine/journal.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { execution, runHold } from "../executions/shape.ts";
import { errorOf } from "../action-error.ts";
import { deliveryField } from "../reports/shape.ts";
import { problem } from "../problem.ts";
import * as value from "#schema/values.ts";

export const lane = z.enum(["direct", "queue"]);

export const durationOfAttempt = z
  .number()
  .nullable()
  .meta({ description: "The duration of the attempt in milliseconds; null while it is in flight." });

export const attempt = z
  .object({
    attempt: z.number().int(),
    lane,
    startedAt: value.instant,
    endedAt: value.instant.nullable(),
    durationMs: durationOfAttempt,
    error: errorOf.nullable(),
    nextAttemptAt: value.instant.nullable(),
    possiblyRepeated: z
      .boolean()
      .meta({ description: "true: an earlier attempt with the same key may have taken effect." }),
    costEstimate: z.number().nullable().meta({ description: "The cost of this attempt; null if no price is set." }),
  })
  .meta({ id: "Attempt" });

export const run = z
  .object({
    id: z.string(),
    action: z.string(),
    type: z.string(),
    status: z.enum(runStatuses),
    priority: z.number(),
    attempt: z.number().int(),
    lane: lane.nullable(),
    idempotencyKey: z
      .string()
      .meta({ description: "The idempotency key given to the provider; the same for every attempt." }),
    createdAt: value.instant,
    dueAt: value.instant.nullable(),
    plannedAt: value.instant
      .nullable()
      .meta({
        description: "The planned instant, also after the run's end. null if it depends on a missing variable.",
      }),
    claimedAt: value.instant.nullable(),
    deadlineAt: value.instant.nullable(),
    finishedAt: value.instant.nullable(),
    config: value.anyObject
      .nullable()
      .meta({ description: "The config as rendered at the first attempt, with credentials redacted." }),
    attempts: z.array(attempt),
    error: errorOf.nullable(),
    result: value.anyJson,
    reason: z.string().nullable(),
    held: runHold
      .nullable()
      .meta({
        description: "Why and until when the run is held; null if the run is not held. A hold uses no attempt.",
      }),
    heldByOperator: z
      .object({ since: value.instant, by: z.string(), reason: z.string().nullable(), dueAt: value.instant.nullable() })
      .nullable()
      .meta({
        description:
          "Present while an operator holds the run. `dueAt` is the instant at which the run would start without the hold.",
      }),
    deadLetter: z.boolean(),
    handled: z.boolean().meta({ description: "true: the definition handled the failure, so no operator is needed." }),
    costEstimate: z.number().nullable(),
    delivery: deliveryField.optional(),
  })
  .meta({ id: "Run" });
export type ApiRun = z.infer<typeof run>;

/** A journal entry. The further fields depend on `kind`; docs/reference lists them. */
export const entry = z
  .looseObject({ seq: z.number().int(), n: z.number().int(), at: value.instant, kind: z.string() })
  .meta({ id: "JournalEntry" });
export type ApiEntry = z.infer<typeof entry>;

const effect = z
  .looseObject({ kind: z.string() })
  .meta({
    id: "Effect",
    description:
      "An effect after the commit: `dispatch` sends an attempt to its runner, `project` updates the catalog.",
  });
export type ApiEffect = z.infer<typeof effect>;

export const would = z
  .object({
    entries: z.array(entry).meta({ description: "Journal entries that would be written." }),
    effects: z.array(effect).meta({ description: "Messages that would be sent." }),
    leftOut: z
      .object({ entries: z.number().int(), effects: z.number().int() })
      .meta({ description: "The number of items that the response omits, because it would be too long." }),
  })
  .meta({ id: "Would", description: "On a dry run: what the request would do." });
export type ApiWould = z.infer<typeof would>;

const move = z.object({
  timer: z.string().meta({ description: "The id of the timer or run." }),
  node: z.string().optional().meta({ description: "The journey's node. Absent for other kinds of executions." }),
  from: value.instant.nullable(),
  to: value.instant.nullable(),
});

const notMoved = z
  .object({
    kind: z
      .enum(["timer", "run", "node"])
      .meta({ description: "node: the attempt belongs to a journey's node, and the node's run is no longer stored." }),
    id: z.string(),
    action: z.string().nullable(),
    reason: z
      .enum(unmovedReasons)
      .meta({
        description:
          "Why the timer or run keeps its instant. keeps: its `onMove` is keep. brought_forward: an operator started the work early. in_progress: the work was attempted, sent or held. Other reasons: the work has ended.",
      }),
  })
  .meta({ id: "NotMoved" });

const reactivated = z
  .object({
    run: z.string(),
    action: z.string(),
    dueAt: value.instant,
    because: z
      .enum(["already_past", "redo"])
      .meta({
        description:
          "Why the work runs again. already_past: the work was skipped because its instant had passed. redo: the work was done, and `onMove` of its delay is redo.",
      }),
  })
  .meta({ id: "Reactivated" });

export const reply = z
  .object({
    execution,
    seq: z
      .number()
      .int()
      .nullable()
      .meta({
        description:
          "`seq` of the journal entries that this request wrote; `execution.seq` is the current `seq`. null if the request wrote no entry, or if the first entry is no longer known.",
      }),
    repeated: z
      .boolean()
      .meta({
        description:
          "true: the request repeats an earlier request with the same key, and the engine did nothing again.",
      }),
    dryRun: z.boolean(),
    timersMoved: z.array(move),
    notMoved: z
      .array(notMoved)
      .meta({
        description: "Timers and runs that depend on a changed variable but keep their instant, with the reason.",
      }),
    reactivated: z
      .array(reactivated)
      .meta({
        description: "Completed or skipped work that runs again, because the change moved its date into the future.",
      }),
    entries: z
      .array(entry)
      .optional()
      .meta({ description: "On a dry run: the journal entries that would be written, as in `would.entries`." }),
    would: would.optional(),
  })
  .meta({ id: "Reply" });
export type ApiReply = z.infer<typeof reply>;

export const eventReply = reply
  .extend({
    execution: execution
      .partial({ variables: true })
      .meta({
        id: "ExecutionAfterEvent",
        description: "The execution. It has `variables` only if `fields` names them.",
      }),
  })
  .meta({ id: "EventReply" });

export const batchReply = z
  .object({
    started: z.number().int(),
    repeated: z.number().int(),
    refused: z.number().int(),
    results: z.array(
      z.discriminatedUnion("ok", [
        z.object({ ok: z.literal(true), id: z.string(), status: z.string(), repeated: z.boolean() }),
        z.object({ ok: z.literal(false), problem }),
      ]),
    ),
  })
  .meta({ id: "BatchReply" });
export type ApiBatchReply = z.infer<typeof batchReply>;
