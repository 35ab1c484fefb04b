// Operations over many dead letters, subjects or executions: API shapes.
import { z } from "zod";
import { operationStatuses, shownVerbs } from "#schema/operation.ts";
import { connectionIdText, deadLetterIdText, executionIdText, operationIdText } from "#schema/ids.ts";
import * as value from "#schema/values.ts";
import { defaults } from "#schema/defaults.ts";
import { OPERATION_PER_SECOND_MAX } from "#schema/limits/upkeep/bulk-operations.ts";
import { errorOf } from "../action-error.ts";
import * as query from "../query.ts";

const text = z.string().min(1).max(200);
const moment = z.iso.datetime({ offset: true });

const filterFields = {
  execution: executionIdText.optional(),
  definition: text.optional().meta({ description: "The name of a definition." }),
  namespace: value.namespace.optional(),
  correlationId: value.correlationId.optional(),
  action: text.optional().meta({ description: "An action's id." }),
  type: text.optional().meta({ description: "An action type.", examples: ["webhook"] }),
  errorType: text.optional().meta({ examples: ["service_unavailable"] }),
  connection: connectionIdText.optional().meta({ description: "The id of the connection of the last failed attempt." }),
  errorCode: text.optional().meta({ examples: ["http_503"] }),
  minPriority: z
    .number()
    .int()
    .min(0)
    .max(100)
    .optional()
    .meta({ description: "Only dead letters with this priority or a higher priority." }),
  critical: z.boolean().optional().meta({ description: "true: only dead letters that raised an alert." }),
  failedAfter: moment
    .optional()
    .meta({ description: "Only dead letters that failed permanently at or after this instant." }),
  failedBefore: moment
    .optional()
    .meta({ description: "Only dead letters that failed permanently before this instant." }),
};
type Span = { readonly failedAfter?: string | undefined; readonly failedBefore?: string | undefined };
const isSpan = ({ failedAfter, failedBefore }: Span) =>
  !(Date.parse(failedAfter ?? "") >= Date.parse(failedBefore ?? ""));
const noSpan = { path: ["failedAfter"], message: "must be earlier than failedBefore: the range is empty" };
const all = "All fields must match. `{}` means every dead letter of the tenant that waits for an operator.";
const filter = z.strictObject(filterFields).refine(isSpan, noSpan).meta({ description: all });
const archiveFilter = z
  .strictObject({
    ...filterFields,
    handled: z.boolean().optional().meta({ description: "true: only dead letters that the definition handled." }),
  })
  .refine(isSpan, noSpan)
  .meta({ description: all });

const perSecond = z
  .number()
  .int()
  .min(1)
  .max(OPERATION_PER_SECOND_MAX)
  .meta({ description: `Maximum retries per second. Default: ${defaults.retriedPerSecond}.` });

export const retryAllBody = z
  .strictObject({ filter, perSecond: perSecond.optional(), reason: value.reason.optional() })
  .meta({
    id: "RetryAll",
    examples: [{ filter: { errorType: "service_unavailable" }, perSecond: 20, reason: "the provider is back" }],
  });
export type RetryAllBody = z.input<typeof retryAllBody>;

export const archiveAllBody = z
  .strictObject({ filter: archiveFilter, reason: value.reason.optional() })
  .meta({ id: "ArchiveAll", examples: [{ filter: { definition: "order" }, reason: "settled by hand" }] });
export type ArchiveAllBody = z.input<typeof archiveAllBody>;

export const abortBody = z
  .strictObject({ reason: value.reason.optional() })
  .meta({ id: "AbortOperation", examples: [{ reason: "the provider is down again" }] });
export type AbortBody = z.input<typeof abortBody>;

export const operationQuery = query.pageQueryWith({
  verb: z.enum(shownVerbs).optional().meta({ description: "The verb that the operation applies." }),
  status: z.enum(operationStatuses).optional().meta({ description: "The status of the operation." }),
});

const tally = z.record(z.string(), z.number().int());

export const operation = z
  .object({
    id: operationIdText,
    verb: z.enum(shownVerbs),
    of: z
      .enum(["deadLetters", "subjects", "executions"])
      .meta({ description: "The kind of items that the operation processes." }),
    asks: value.anyObject
      .nullable()
      .meta({
        description:
          "For an operation on executions: the input of the verb, such as variables, an event, or the action whose dead letters are retried.",
      }),
    status: z.enum(operationStatuses),
    filter: value.anyObject,
    perSecond: z.number().int(),
    reason: z.string().nullable(),
    actor: z.string().meta({ description: "The actor, as in the audit log." }),
    createdAt: value.instant,
    finishedAt: value.instant.nullable(),
    estimatedEndAt: value.instant
      .nullable()
      .meta({ description: "The expected end of the operation; null after the end." }),
    progress: z.object({
      matched: z
        .number()
        .int()
        .meta({ description: "The number of matching items at the start; for an enrolment, the number of lines." }),
      released: z
        .number()
        .int()
        .meta({ description: "The number of items that were retried, archived, enrolled, or changed by the verb." }),
      skipped: tally.meta({
        description:
          "The number of items that needed no change, by reason: `late`, `no_longer_valid`, `handled` (by the definition). For executions also `no_longer_matching`, `state_changed`, `ended`, `paused`, `not_paused`, `nothing_to_retry` and others.",
      }),
      gone: z.number().int().meta({ description: "The number of dead letters or executions that no longer matched." }),
      refused: tally.meta({ description: "The number of refused items, by code." }),
      remaining: z.number().int(),
    }),
    trouble: z
      .object({ since: value.instant, error: errorOf, tries: z.number().int() })
      .nullable()
      .meta({
        description:
          "What blocks the operation now; null if nothing blocks it. The operation retries automatically, and nothing is lost.",
      }),
    ifState: z.string().nullable(),
    stopAt: z
      .object({ failedShare: z.number(), after: z.number().int(), states: z.array(z.string()).optional() })
      .nullable(),
    stopped: z
      .object({
        why: z.enum(["refused", "unhealthy", "provider_outage"]),
        failed: z.number().int(),
        of: z.number().int(),
      })
      .nullable()
      .meta({
        description:
          "Why the operation stopped automatically, with the number of checked and of failed items; null if the operation did not stop.",
      }),
  })
  .meta({ id: "Operation" });
export type ApiOperation = z.infer<typeof operation>;

export const changedOperation = z
  .object({
    operation,
    repeated: z
      .boolean()
      .meta({ description: "true: the request repeats an earlier request, and the engine did nothing again." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "ChangedOperation" });
export type ApiChangedOperation = z.infer<typeof changedOperation>;

const sampledItem = z.object({
  id: deadLetterIdText,
  outcome: z.enum(["sent", "waits", "skipped", "failed", "refused", "gone", "unknown"]),
  reason: z
    .string()
    .nullable()
    .meta({ description: "The reason, such as handled, late, paused, history_gone or id_reused." }),
  says: z.string().nullable(),
  repeatSafe: z
    .boolean()
    .nullable()
    .meta({ description: "Whether a repeat is safe; null if the run would not be sent." }),
  executionEnded: z.boolean().nullable(),
});
const sample = z
  .object({
    of: z.number().int(),
    outcomes: tally,
    reasons: tally,
    repeatSafe: z.object({ safe: z.number().int(), unsafe: z.number().int() }),
    executionsEnded: z.number().int(),
    items: z.array(sampledItem),
  })
  .meta({
    id: "OperationSample",
    description: "The predicted results for the oldest dead letters, and for some that the definition handled.",
  });

export const operationPreview = z
  .object({
    dryRun: z.literal(true),
    matching: z.number().int().meta({ description: "The number of dead letters that would be retried." }),
    skipped: tally.meta({
      description: "The number of matching dead letters that would not be changed, by reason: `handled`.",
    }),
    sample: sample
      .nullable()
      .meta({ description: "The predicted results for a sample; null if nothing has to be sent." }),
    estimatedSeconds: z.number().int(),
    oldest: value.instant
      .nullable()
      .meta({ description: "When the oldest matching dead letter failed; null if none matches." }),
    newest: value.instant.nullable(),
    byErrorType: tally,
  })
  .meta({ id: "OperationPreview" });
export type ApiOperationPreview = z.infer<typeof operationPreview>;
