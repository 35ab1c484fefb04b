// Operations over many dead letters, subjects or executions, on the wire.
import { z } from "zod";
import { operationStatuses, shownVerbs } from "#schema/operation.ts";
import { connectionIdText, deadLetterIdText, executionIdText, operationIdText } from "#schema/ids.ts";
import * as value from "#schema/values.ts";
import { defaults } from "#schema/defaults.ts";
import { limits } from "#schema/limits.ts";
import * as query from "../query.ts";

const text = z.string().min(1).max(200);
const moment = z.iso.datetime({ offset: true });

const filterFields = {
  execution: executionIdText.optional(),
  definition: text.optional().meta({ description: "A definition's name." }),
  namespace: value.namespace.optional(),
  correlationId: value.correlationId.optional(),
  action: text.optional().meta({ description: "An action's id." }),
  type: text.optional().meta({ description: "An action type.", examples: ["webhook"] }),
  errorType: text.optional().meta({ examples: ["service_unavailable"] }),
  connection: connectionIdText.optional().meta({ description: "The connection that they failed over, by its id." }),
  errorCode: text.optional().meta({ examples: ["http_503"] }),
  minPriority: z.number().int().min(0).max(100).optional().meta({ description: "Of this priority or a higher one." }),
  critical: z.boolean().optional().meta({ description: "true: only those whose failure raised an alert." }),
  failedAfter: moment.optional().meta({ description: "Failed for good then or later." }),
  failedBefore: moment.optional().meta({ description: "Failed for good earlier than that." }),
};
type Span = { readonly failedAfter?: string | undefined; readonly failedBefore?: string | undefined };
const isSpan = ({ failedAfter, failedBefore }: Span) =>
  !(Date.parse(failedAfter ?? "") >= Date.parse(failedBefore ?? ""));
const noSpan = { path: ["failedAfter"], message: "must be earlier than failedBefore: nothing lies between the two" };
const all = "All fields must fit. `{}` means every dead letter of the tenant that waits for a person.";
const filter = z.strictObject(filterFields).refine(isSpan, noSpan).meta({ description: all });
const archiveFilter = z
  .strictObject({
    ...filterFields,
    handled: z.boolean().optional().meta({ description: "true: those that their machines have taken care of." }),
  })
  .refine(isSpan, noSpan)
  .meta({ description: all });

const perSecond = z
  .number()
  .int()
  .min(1)
  .max(limits.operationPerSecondMax)
  .meta({ description: `At most so many are sent again in any second. Default: ${defaults.retriedPerSecond}.` });

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
  verb: z.enum(shownVerbs).optional().meta({ description: "What they do." }),
  status: z.enum(operationStatuses).optional().meta({ description: "How they stand." }),
});

const tally = z.record(z.string(), z.number().int());

export const operation = z
  .object({
    id: operationIdText,
    verb: z.enum(shownVerbs),
    of: z.enum(["deadLetters", "subjects", "executions"]).meta({ description: "What it is about many of." }),
    asks: value.anyObject.nullable().meta({
      description: "Of executions, what each is given: variables, an event, the action whose dead letters are sent.",
    }),
    status: z.enum(operationStatuses),
    filter: value.anyObject,
    perSecond: z.number().int(),
    reason: z.string().nullable(),
    actor: z.string().meta({ description: "Who asked for it, as in the audit log." }),
    createdAt: value.instant,
    finishedAt: value.instant.nullable(),
    estimatedEndAt: value.instant.nullable().meta({ description: "Null once it has ended." }),
    progress: z.object({
      matched: z.number().int().meta({ description: "How many there were when it began; of a list, its lines." }),
      released: z
        .number()
        .int()
        .meta({ description: "Sent again, archived, enrolled, or steered: what was asked for." }),
      skipped: tally.meta({
        description:
          "Not done, by reason: `late`, `no_longer_valid`; `handled`, where the machine took care of it; of executions " +
          "`no_longer_matching`, `state_changed`, `ended`, `paused`, `not_paused`, `nothing_to_retry`, and so on.",
      }),
      gone: z
        .number()
        .int()
        .meta({ description: "Dead letters, or executions, that were none any more in their turn." }),
      refused: tally.meta({ description: "Left as they were, by the refusal's code." }),
      remaining: z.number().int(),
    }),
    trouble: z
      .object({ since: value.instant, error: z.string(), tries: z.number().int() })
      .nullable()
      .meta({ description: "What holds it up just now. It is tried again by itself; nothing is lost by it." }),
    ifState: z.string().nullable(),
    stopAt: z
      .object({ failedShare: z.number(), after: z.number().int(), states: z.array(z.string()).optional() })
      .nullable(),
    stopped: z
      .object({ why: z.enum(["refused", "unhealthy", "away"]), failed: z.number().int(), of: z.number().int() })
      .nullable()
      .meta({ description: "Why it stopped by itself: of so many asked, or looked at, so many have gone wrong." }),
  })
  .meta({ id: "Operation" });
export type ApiOperation = z.infer<typeof operation>;

export const changedOperation = z
  .object({
    operation,
    repeated: z.boolean().meta({ description: "It was so before; nothing was done again." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "ChangedOperation" });
export type ApiChangedOperation = z.infer<typeof changedOperation>;

const sampledItem = z.object({
  id: deadLetterIdText,
  outcome: z.enum(["sent", "waits", "skipped", "failed", "refused", "gone", "unknown"]),
  reason: z.string().nullable().meta({ description: "Such as handled, late, paused, history_gone, id_used_again." }),
  says: z.string().nullable(),
  repeatSafe: z.boolean().nullable().meta({ description: "Null where it would not be sent." }),
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
    description:
      "What it would come to at this moment for those that failed first, as their executions say, and for some that are handled.",
  });

export const operationPreview = z
  .object({
    dryRun: z.literal(true),
    matching: z.number().int().meta({ description: "How many would be tried." }),
    skipped: tally.meta({ description: "How many more the filter finds that are left alone, by reason: `handled`." }),
    sample: sample.nullable().meta({ description: "Null where nothing is to be sent." }),
    estimatedSeconds: z.number().int(),
    oldest: value.instant.nullable().meta({ description: "When the first of them failed." }),
    newest: value.instant.nullable(),
    byErrorType: tally,
  })
  .meta({ id: "OperationPreview" });
export type ApiOperationPreview = z.infer<typeof operationPreview>;
