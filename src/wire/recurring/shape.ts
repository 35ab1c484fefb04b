// Recurring actions: API shapes of answers. They have the fields of the recurring actions' specification, and further
// fields of the engine.
import { z } from "zod";
import { recurringIdText } from "#schema/ids.ts";
import { actionSettings } from "#schema/recurring/action-settings.ts";
import { occurrenceOutcomes, recurringStatuses } from "#schema/recurring/state.ts";
import { workOutcomes } from "#schema/recurring/work-outcome.ts";
import { holidays, plainDate } from "#schema/definition/holidays.ts";
import { fold, gap } from "#schema/definition/schedule.ts";
import { catchUps, overlaps } from "#schema/recurring/spec.ts";
import { errorOf } from "../action-error.ts";
import { writeResult } from "../configuration/shape.ts";
import * as value from "#schema/values.ts";

/** An instant without milliseconds, as the recurring actions' specification requires. */
const instant = z.string().meta({ format: "date-time", examples: ["2026-02-10T14:00:00Z"] });
const labels = z.record(z.string(), z.string());

export const comingOccurrence = z
  .object({
    at: instant,
    local: z.string().meta({ description: "The local time.", examples: ["2026-02-10T09:00:00"] }),
    utc_offset: z.string().meta({ examples: ["-05:00"] }),
    dst: z
      .enum(["none", "gap", "fold_first", "fold_second"])
      .meta({
        description:
          "The effect of a clock change: the local time does not exist and is shifted, or the local time occurs twice.",
      }),
    goes_at: instant.meta({ description: "The instant with jitter, at or after `at`." }),
    runs_at: instant
      .nullable()
      .meta({
        description:
          "The earliest instant at which the action runs: `goes_at`, or the next opening of its window. null: the action expires before its window opens, so it is skipped.",
      }),
    moved_from: plainDate
      .nullable()
      .meta({
        description: "The date in the calendar of `holidays` from which the occurrence moves; null if it does not.",
      }),
    skipped: z.boolean(),
  })
  .meta({ id: "ComingOccurrence" });
export type ApiComingOccurrence = z.infer<typeof comingOccurrence>;

const inWords = z
  .string()
  .nullable()
  .meta({
    description: "The cron expression in words, in the language of the header Accept-Language if it is available.",
    examples: ["At 09:00, Monday through Friday (US/Eastern)"],
  });
const upcoming = z
  .array(comingOccurrence)
  .meta({ description: "The next five occurrences; empty if the recurring action is not active." });
const status = z.enum(recurringStatuses);
const statusReason = z
  .string()
  .nullable()
  .meta({ description: "Why the recurring action is not active, such as ends_at; null if it is active." });

export const createdRecurring = z
  .object({
    id: recurringIdText,
    recurring_id: recurringIdText.meta({ description: "The same as `id`." }),
    name: z.string().nullable().meta({ description: "The name; null if the recurring action has none." }),
    next_execution_at: instant.nullable(),
    next_execution: instant.nullable().meta({ description: "The same as `next_execution_at`." }),
    cron_expr: z.string(),
    timezone: z.string(),
    enabled: z.boolean(),
    in_words: inWords,
    upcoming,
    repeated: z
      .boolean()
      .meta({ description: "true: the request repeats an earlier request, and the engine did nothing again." }),
    dry_run: z.boolean(),
  })
  .meta({ id: "CreatedRecurring" });
export type ApiCreatedRecurring = z.infer<typeof createdRecurring>;

const health = z
  .object({
    status: z.enum(["healthy", "stale", "failing"]),
    reason: z.string().nullable(),
    last_outcome: z
      .enum(workOutcomes)
      .nullable()
      .meta({ description: "The outcome of the newest started occurrence that has ended; null if none has." }),
    failures_in_a_row: z
      .number()
      .int()
      .meta({ description: "How many of `recent_outcomes` have failed since the newest that succeeded; at most 30." }),
  })
  .meta({
    description:
      "stale: an occurrence is overdue. failing: the last occurrence failed to start, or the started work has failed since the last success.",
  });

const recentOutcome = z
  .object({
    scheduled_for: instant
      .nullable()
      .meta({ description: "The scheduled instant; null if an operator triggered the occurrence." }),
    action_id: z.string().meta({ description: "The id of the started action or execution." }),
    outcome: z
      .enum(workOutcomes)
      .meta({
        description:
          "pending: the work has not ended. unknown: the catalog has no row of it any more, or does not answer.",
      }),
    error: errorOf.nullable().meta({ description: "Why the work failed; null otherwise." }),
  })
  .meta({ id: "RecentOutcome" });

const common = {
  id: recurringIdText,
  name: z.string().nullable().meta({ description: "The name; null if the recurring action has none." }),
  cron_expr: z.string(),
  timezone: z.string(),
  enabled: z.boolean(),
  description: z.string().nullable(),
  next_execution_at: instant.nullable(),
  last_executed_at: instant.nullable(),
  execution_count: z.number().int().meta({ description: "The number of occurrences that were started." }),
  created_at: instant,
  labels,
  status,
  status_reason: statusReason,
  in_words: inWords,
  failed_count: z.number().int().meta({ description: "The number of occurrences that could not be started." }),
  health,
  recent_outcomes: z
    .array(recentOutcome)
    .meta({ description: "The outcomes of the last 30 started occurrences, the newest first." }),
  error: errorOf.nullable().meta({ description: "Why the last occurrence could not be started; null if it was." }),
};

export const listedRecurring = z
  .object({
    ...common,
    provider: z.string().nullable(),
    action_type: z.string().nullable(),
    definition: z.string().nullable(),
    namespace: z.string(),
  })
  .meta({ id: "ListedRecurring" });
export type ApiListedRecurring = z.infer<typeof listedRecurring>;

/** The answer to the dry run of a deletion. */
export const undeletedRecurring = listedRecurring
  .extend({ dry_run: z.literal(true) })
  .meta({ id: "UndeletedRecurring" });
export type ApiUndeletedRecurring = z.infer<typeof undeletedRecurring>;

export const recurringList = z
  .object({ recurring_actions: z.array(listedRecurring), next_cursor: z.string().nullable() })
  .meta({ id: "RecurringList" });
export type ApiRecurringList = z.infer<typeof recurringList>;

export const recurringAction = z
  .object({
    ...common,
    namespace: z.string(),
    tenant: z.string(),
    action_template: z
      .object({
        provider: z.string(),
        action_type: z.string(),
        payload: value.anyObject,
        metadata: labels,
        dedup_key: z.string().nullable(),
        ...actionSettings.shape,
      })
      .nullable()
      .meta({ description: "The action; null if the recurring action starts executions of a definition." }),
    definition_template: z
      .object({ definition: z.string(), variables: value.anyObject })
      .nullable()
      .meta({ description: "The definition; null if the recurring action starts an action." }),
    updated_at: instant,
    starts_at: instant.nullable(),
    ends_at: instant.nullable(),
    max_executions: z.number().int().nullable(),
    gap,
    fold,
    holidays: holidays.nullable(),
    overlap: z.enum(overlaps),
    catch_up: z.enum(catchUps),
    grace_seconds: z.number().int(),
    catch_up_window_seconds: z.number().int(),
    jitter_seconds: z.number().int(),
    paused_at: instant.nullable(),
    waiting_since: instant
      .nullable()
      .meta({
        description:
          "Since when an occurrence waits for the end of the previous occurrence; null if no occurrence waits.",
      }),
    last_error: z.string().nullable().meta({ description: "The message of `error`." }),
    upcoming,
  })
  .meta({ id: "RecurringAction" });
export type ApiRecurringAction = z.infer<typeof recurringAction>;

/** The answer has no `result` if the path contains an id. */
export const putRecurringAnswer = recurringAction
  .extend({ result: writeResult.optional() })
  .meta({ id: "PutRecurringAnswer" });
export type ApiPutRecurring = z.infer<typeof putRecurringAnswer>;

export const switchedRecurring = z
  .object({ id: recurringIdText, enabled: z.boolean(), next_execution_at: instant.nullable() })
  .meta({ id: "SwitchedRecurring" });
export type ApiSwitchedRecurring = z.infer<typeof switchedRecurring>;

export const occurrence = z
  .object({
    scheduled_for: instant
      .nullable()
      .meta({ description: "The scheduled instant; null if an operator triggered the occurrence." }),
    until: instant
      .nullable()
      .meta({
        description:
          "The instant of the last of several occurrences with the same outcome; null for a single occurrence.",
      }),
    count: z.number().int(),
    count_is_lower_bound: z.boolean().meta({ description: "true: there were more occurrences than `count` says." }),
    outcome: z.enum(occurrenceOutcomes),
    reason: z.string().nullable(),
    dispatched_at: instant.nullable(),
    action_id: z
      .string()
      .nullable()
      .meta({ description: "The id of the action or execution that the occurrence started." }),
    error: errorOf
      .nullable()
      .meta({ description: "Why the occurrence could not be started; null if it was, or if no start was attempted." }),
    recorded_at: instant,
  })
  .meta({ id: "Occurrence" });
export type ApiOccurrence = z.infer<typeof occurrence>;

export const recurringHistory = z
  .object({ history: z.array(occurrence), next_cursor: z.string().nullable() })
  .meta({ id: "RecurringHistory" });
export type ApiRecurringHistory = z.infer<typeof recurringHistory>;

export const changedOccurrence = z
  .object({
    id: recurringIdText,
    occurrence: occurrence
      .nullable()
      .meta({
        description: "The occurrence; null while it waits for the previous occurrence, and in a repeated request.",
      }),
    next_execution_at: instant.nullable(),
    repeated: z.boolean(),
    dry_run: z.boolean(),
  })
  .meta({ id: "ChangedOccurrence" });
export type ApiChangedOccurrence = z.infer<typeof changedOccurrence>;

export const recurringOccurrences = z
  .object({ timezone: z.string(), occurrences: z.array(comingOccurrence), has_more: z.boolean() })
  .meta({ id: "RecurringOccurrences" });
export type ApiRecurringOccurrences = z.infer<typeof recurringOccurrences>;
