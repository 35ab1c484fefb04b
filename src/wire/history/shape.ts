// Runs, journal entries and the answer to a change: what an execution tells of itself.
import { z } from "zod";
import { stayReasons } from "#schema/engine/journal.ts";
import { actionError } from "#schema/engine/outcome.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { execution, held } from "../executions/shape.ts";
import { problem } from "../problem.ts";
import * as value from "#schema/values.ts";

export const lane = z.enum(["direct", "queue"]);
export const errorOf = actionError.extend({ details: value.anyObject.optional() }).meta({ id: "ActionError" });

export const attempt = z
  .object({
    attempt: z.number().int(),
    lane,
    startedAt: value.instant,
    endedAt: value.instant.nullable(),
    error: errorOf.nullable(),
    nextAttemptAt: value.instant.nullable(),
    possiblyRepeated: z.boolean().meta({
      description:
        "What went out before it under the same key, an earlier attempt or this one, may have taken effect: nobody knows.",
    }),
    costEstimate: z.number().nullable().meta({ description: "What this try cost, where anybody named a price." }),
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
    idempotencyKey: z.string().meta({ description: "What the provider was given; the same for every attempt." }),
    createdAt: value.instant,
    dueAt: value.instant.nullable(),
    claimedAt: value.instant.nullable(),
    deadlineAt: value.instant.nullable(),
    finishedAt: value.instant.nullable(),
    config: value.anyObject
      .nullable()
      .meta({ description: "As rendered at the first attempt, credentials blotted out." }),
    attempts: z.array(attempt),
    error: errorOf.nullable(),
    result: value.anyJson,
    reason: z.string().nullable(),
    held: held
      .nullable()
      .meta({ description: "Its connection lets nothing through just now. No attempt is spent on it." }),
    heldByHand: z
      .object({ since: value.instant, by: z.string(), reason: z.string().nullable(), dueAt: value.instant.nullable() })
      .nullable()
      .meta({ description: "A person holds it until it is released. `dueAt`: when it would go." }),
    deadLetter: z.boolean(),
    handled: z.boolean().meta({ description: "Its machine has taken care of the failure: it waits for nobody." }),
    costEstimate: z.number().nullable(),
  })
  .meta({ id: "Run" });
export type ApiRun = z.infer<typeof run>;

/** Every kind has its own further fields; they are documented in the reference of the journal. */
export const entry = z
  .looseObject({ seq: z.number().int(), n: z.number().int(), at: value.instant, kind: z.string() })
  .meta({ id: "JournalEntry" });
export type ApiEntry = z.infer<typeof entry>;

const effect = z.looseObject({ kind: z.string() }).meta({
  id: "Effect",
  description:
    "What is sent once a change is stored: `dispatch` hands an attempt of a run to its runner, `project` tells the lists.",
});
export type ApiEffect = z.infer<typeof effect>;

export const would = z
  .object({
    entries: z.array(entry).meta({ description: "What the history would gain." }),
    effects: z.array(effect).meta({ description: "What would be sent." }),
    leftOut: z
      .object({ entries: z.number().int(), effects: z.number().int() })
      .meta({ description: "How many more there was no room for." }),
  })
  .meta({ id: "Would", description: "On a dry run: what would be done." });
export type ApiWould = z.infer<typeof would>;

const move = z.object({ timer: z.string(), from: value.instant.nullable(), to: value.instant.nullable() });

const notMoved = z
  .object({
    kind: z.enum(["timer", "run", "node"]).meta({ description: "node: of a journey, whose run is not kept any more." }),
    id: z.string(),
    action: z.string().nullable(),
    reason: z.enum(stayReasons).meta({
      description:
        "keeps: it says so (`onMove`). brought_forward: a person had it go. under_way: tried, sent, or held on its way. " +
        "The others are over.",
    }),
  })
  .meta({ id: "NotMoved" });

const cameBack = z
  .object({
    run: z.string(),
    action: z.string(),
    dueAt: value.instant,
    because: z.enum(["already_past", "redo"]).meta({
      description:
        "already_past: it was skipped, for its time had passed. redo: it is done, and its delay says `redo`.",
    }),
  })
  .meta({ id: "CameBack" });

export const reply = z
  .object({
    execution,
    seq: z
      .number()
      .int()
      .nullable()
      .meta({
        description:
          "The `seq` of the journal entries that this request wrote; `execution.seq` is how far the execution has come " +
          "since. Null where it wrote none, or where it is repeated so late that the first time's is not known.",
      }),
    repeated: z.boolean().meta({ description: "This was done before, under the same key; nothing was done again." }),
    dryRun: z.boolean(),
    timersMoved: z.array(move),
    notMoved: z.array(notMoved).meta({
      description: "What hangs on a variable that this request has changed, and stays as it is, each with why.",
    }),
    cameBack: z.array(cameBack).meta({
      description: "What was over, and has another run now that its date lies ahead.",
    }),
    entries: z.array(entry).optional().meta({ description: "On a dry run: `would.entries`." }),
    would: would.optional(),
  })
  .meta({ id: "Reply" });
export type ApiReply = z.infer<typeof reply>;

export const eventReply = reply
  .extend({
    execution: execution.partial({ variables: true }).meta({
      id: "ExecutionAfterEvent",
      description: "An execution; its `variables` only where `fields` names them.",
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
