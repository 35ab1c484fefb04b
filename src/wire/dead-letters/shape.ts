// Dead letters: API shapes of a list row, of the full view, and of the result of a decision.
import { z } from "zod";
import { executionStatuses } from "#schema/engine/state.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { errorOf } from "../action-error.ts";
import { durationOfAttempt, entry, would } from "../history/shape.ts";
import { connectionIdText, deadLetterIdText, executionIdText, runIdText } from "#schema/ids.ts";
import * as value from "#schema/values.ts";
import * as query from "../query.ts";

const text = z.string().min(1).max(200);

/** Dead-letter filters. */
export const deadLetterFilters = {
  execution: executionIdText.optional(),
  definition: text.optional().meta({ description: "The name of a definition." }),
  namespace: value.namespace.optional(),
  correlationId: value.correlationId.optional(),
  action: text.optional().meta({ description: "The action's id." }),
  type: text.optional().meta({ description: "The action type, such as email." }),
  errorType: text.optional().meta({ description: "The type of the error, such as service_unavailable." }),
  connection: connectionIdText.optional().meta({ description: "The id of the connection of the last failed attempt." }),
  errorCode: text.optional().meta({ description: "The code of the error, such as http_503 or a provider's own code." }),
  minPriority: z.coerce
    .number()
    .int()
    .min(0)
    .max(100)
    .optional()
    .meta({ description: "Only dead letters of actions with this priority or a higher priority." }),
  critical: z
    .enum(["true", "false"])
    .transform((flag) => flag === "true")
    .optional()
    .meta({ description: "true: only failures that raised an alert (blockchain_mint, or priority above 90)." }),
  handled: z
    .enum(["true", "false"])
    .transform((flag) => flag === "true")
    .optional()
    .meta({
      description: "true: only failures that the definition handled. false: only failures that wait for an operator.",
    }),
  failedAfter: query.instantQuery
    .optional()
    .meta({ description: "Only dead letters that failed permanently at or after this instant." }),
  failedBefore: query.instantQuery
    .optional()
    .meta({ description: "Only dead letters that failed permanently before this instant." }),
};
export const deadLetterQuery = query.pageQueryWith(deadLetterFilters);

const why = z.string().meta({ description: "The error message in one sentence." });

const fixFields = {
  recoverable: z.boolean().meta({ description: "true: a retry may succeed, perhaps after a fix." }),
  manualReviewRequired: z
    .boolean()
    .meta({ description: "true: an operator has to check or change something before a retry." }),
  suggestedFix: z.string().meta({ description: "The suggested fix in one or two sentences." }),
};

const summaryFields = {
  id: deadLetterIdText,
  execution: executionIdText,
  run: z.string(),
  actionId: z.string(),
  type: z.string(),
  definition: z.string().meta({ description: "Name of the definition; `$action` for a standalone action." }),
  namespace: z.string(),
  correlationId: z.string().nullable(),
  priority: z.number(),
  critical: z.boolean(),
  attempts: z.number().int(),
  failedAt: value.instant.nullable(),
  handled: z.boolean().meta({ description: "true: the definition handled the failure, so no operator is needed." }),
  connection: z
    .string()
    .nullable()
    .meta({
      description:
        "The id of the connection of the last failed attempt; null if there was no connection, or the connection is unknown.",
    }),
  error: errorOf.nullable(),
  ...fixFields,
};

export const deadLetterSummary = z.object(summaryFields).meta({ id: "DeadLetterSummary" });
export type ApiDeadLetterSummary = z.infer<typeof deadLetterSummary>;

const standings = ["waiting", "handled", "sent_again", "ok", "skipped", "canceled", "archived"] as const;
export const standing = z
  .enum(standings)
  .meta({
    description:
      "`waiting`: the dead letter waits for an operator. `handled`: the definition handled the failure. `sent_again`: a retry is in progress. `archived`: an operator archived it. After a later result, the final status of the run.",
  });

const attempt = z.object({
  attempt: z.number().int(),
  lane: z.enum(["direct", "queue"]),
  startedAt: value.instant,
  endedAt: value.instant.nullable(),
  durationMs: durationOfAttempt,
  error: errorOf.nullable(),
  provider: z
    .object({ status: z.number().nullable(), body: z.string().nullable(), details: value.anyObject })
    .nullable()
    .meta({ description: "The provider's response, redacted and shortened; null if unknown." }),
  nextAttemptAt: value.instant.nullable(),
  possiblyRepeated: z.boolean(),
  costEstimate: z.number().nullable(),
});

const request = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: value.anyJson,
});
/** A call to the platform or to the engine that does not use HTTP. */
const portCall = z.object({ port: z.string(), call: z.string(), arguments: value.anyJson });

const step = z.object({
  verb: z.enum(["retry", "retry_changed", "retry_forced", "archive", "resume", "read"]),
  method: z.enum(["GET", "POST"]),
  path: z.string(),
  why,
});

export const deadLetter = z
  .object({
    ...summaryFields,
    standing,
    handledBy: z
      .object({
        event: z.string(),
        state: z.string(),
        at: value.instant,
        parent: z
          .string()
          .nullable()
          .meta({ description: "The parent execution that handled the failure of its child; null if no parent did." }),
      })
      .nullable()
      .meta({
        description:
          "The event by which the definition handled the failure, the resulting state, and the time. null: the dead letter waits for an operator.",
      }),
    expiresAt: value.instant
      .nullable()
      .meta({ description: "When the engine archives the dead letter automatically." }),
    destination: z
      .object({ kind: z.string(), to: z.array(z.string()) })
      .nullable()
      .meta({ description: "The recipient or address to which the action sends." }),
    sends: z.object({
      frozen: z.boolean().meta({ description: "true: a retry sends the same bytes." }),
      config: value.anyObject
        .nullable()
        .meta({
          description:
            "The config to send. Credentials are redacted. A secret is a placeholder `{ $secret: [… { name } …] }`, never a value.",
        }),
      why,
      requests: z
        .array(z.union([request, portCall]))
        .nullable()
        .meta({
          description:
            "The requests that a retry would send now, without secrets. null: the config is not rendered yet.",
        }),
      hindrance: errorOf
        .nullable()
        .meta({
          description: "Why the requests are incomplete, such as a deleted connection; null if they are complete.",
        }),
    }),
    idempotencyKey: z
      .string()
      .meta({ description: "The idempotency key, which is the same for every attempt and retry." }),
    providerDropsRepeats: z.object({ honoured: z.boolean(), windowMs: z.number().nullable() }),
    repeatSafe: z.object({ safe: z.boolean(), why }),
    lateness: z
      .object({
        ifRetriedNow: z.enum(["sent", "waits", "skipped", "failed", "refused"]),
        reason: z
          .string()
          .nullable()
          .meta({ description: "The reason, such as late, no_longer_valid or paused, or a sentence." }),
      })
      .nullable()
      .meta({ description: "The predicted result of a retry now. null: the run is no longer a dead letter." }),
    attemptsMade: z.array(attempt),
    redriven: z
      .object({
        at: value.instant,
        times: z.number().int(),
        attemptsBefore: z.number().int(),
        once: z
          .boolean()
          .optional()
          .meta({ description: "true: the run gets exactly one more attempt, regardless of the retry policy." }),
      })
      .nullable()
      .meta({ description: "When an operator last retried the run." }),
    context: z.object({
      variables: value.anyObject,
      message: value.anyJson.meta({ description: "The event that started the action; null if no event did." }),
      previousState: z.string().nullable(),
      currentState: z.string().nullable(),
    }),
    machineReaction: z
      .array(z.object({ kind: z.string(), says: z.string() }))
      .nullable()
      .meta({ description: "The journal entries that followed the failure. null: the journal is not available now." }),
    executionNow: z.object({
      id: executionIdText,
      status: z.enum(executionStatuses),
      states: z.array(z.string()),
      reason: z.string().nullable(),
    }),
    next: z.array(step).meta({ description: "The requests that are possible for this dead letter now." }),
  })
  .meta({ id: "DeadLetter" });
export type ApiDeadLetter = z.infer<typeof deadLetter>;

const change = {
  config: value.anyObject
    .optional()
    .meta({
      description:
        "A JSON merge patch of the action's config. The config is then rendered again. Without a patch, the same bytes are sent.",
    }),
  variables: value.anyObject.optional().meta({ description: "A JSON merge patch of the execution's variables." }),
  force: z
    .boolean()
    .optional()
    .meta({
      description: "true: retries the run even if the definition handled the failure. false: such a retry is refused.",
    }),
  resetRetryCount: z
    .boolean()
    .optional()
    .meta({
      description: "false: the run gets exactly one more attempt. true: the retry policy starts again. Default: true.",
    }),
  reason: value.reason.optional(),
};

export const retryDeadLetterBody = z
  .strictObject(change)
  .meta({ id: "RetryDeadLetter", examples: [{ config: { to: "ada@example.com" }, reason: "address corrected" }] });
export type RetryDeadLetterBody = z.input<typeof retryDeadLetterBody>;

export const retryRunBody = z
  .strictObject({ run: runIdText, ...change })
  .meta({ id: "RetryRun", examples: [{ run: "3.0", reason: "the provider is up again" }] });
export type RetryRunBody = z.input<typeof retryRunBody>;

export const redriven = z
  .object({
    id: deadLetterIdText,
    standing,
    run: z.object({
      id: z.string(),
      status: z.enum(runStatuses),
      reason: z
        .string()
        .nullable()
        .meta({
          description:
            "The reason why the run was skipped, such as late or no_longer_valid; null if it was not skipped.",
        }),
      attempt: z.number().int(),
      dueAt: value.instant.nullable(),
    }),
    execution: z.object({ id: executionIdText, status: z.enum(executionStatuses), states: z.array(z.string()) }),
    repeated: z
      .boolean()
      .meta({
        description:
          "true: the request repeats an earlier request with the same key, and the engine did nothing again.",
      }),
    dryRun: z.boolean(),
    entries: z
      .array(entry)
      .optional()
      .meta({ description: "On a dry run: the journal entries that would be written, as in `would.entries`." }),
    would: would.optional(),
  })
  .meta({ id: "RedrivenDeadLetter" });
export type ApiRedriven = z.infer<typeof redriven>;
