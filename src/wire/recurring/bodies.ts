// Requests for recurring actions: API shapes. The field names follow the recurring actions' specification, with
// underscores.
import { z } from "zod";
import { hintsFor } from "#schema/definition/action-places.ts";
import { actionId } from "#schema/definition/action-fields.ts";
import { timezone } from "#schema/definition/timing.ts";
import { fieldHints } from "#schema/field-hints.ts";
import { actionSettings, settingNames } from "#schema/recurring/action-settings.ts";
import { DESCRIPTION_CHARS_MAX, ID_CHARS_MAX, REFERENCE_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { CRON_CHARS_MAX } from "#schema/limits/definition-sizes.ts";
import {
  RECURRING_CATCH_UP_WINDOW_MS_MAX,
  RECURRING_DEDUP_KEY_CHARS_MAX,
  RECURRING_EXECUTIONS_MAX,
  RECURRING_GRACE_MS_MAX,
  RECURRING_JITTER_MS_MAX,
  RECURRING_LABELS_MAX,
  RECURRING_LABEL_CHARS_MAX,
  RECURRING_METADATA_CHARS_MAX,
  RECURRING_METADATA_MAX,
  RECURRING_PREVIEW_MAX,
} from "#schema/limits/recurring-actions.ts";
import { recurringStatuses } from "#schema/recurring/state.ts";
import { holidays } from "#schema/definition/holidays.ts";
import { fold, gap } from "#schema/definition/schedule.ts";
import { catchUps, overlaps, recurringName } from "#schema/recurring/spec.ts";
import * as value from "#schema/values.ts";
import { ruleOf } from "../actions/shape.ts";
import * as query from "../query.ts";

const map = (countMax: number, charsMax: number) =>
  z
    .record(z.string().min(1).max(ID_CHARS_MAX), z.string().max(charsMax))
    .refine((entries) => Object.keys(entries).length <= countMax, { message: `must have at most ${countMax} entries` });

const text = z.string().trim().min(1).max(ID_CHARS_MAX);
const moment = z.iso.datetime({ offset: true });
const seconds = (ms: number) =>
  z
    .number()
    .int()
    .min(0)
    .max(ms / 1_000);

const dedupKey = z.string().min(1).max(RECURRING_DEDUP_KEY_CHARS_MAX);

const timing = {
  cron_expr: z
    .string()
    .trim()
    .min(1)
    .max(CRON_CHARS_MAX)
    .meta({
      description: "A cron expression with 5, 6 (with seconds) or 7 fields (with years), or an alias such as @daily.",
    }),
  timezone: timezone.optional().meta({ description: "An IANA time zone. Default: UTC." }),
  gap: gap
    .optional()
    .meta({
      description:
        "The rule for a local time that a clock change skips. shift: the occurrence is later by the length of the gap. skip: there is no occurrence.",
    }),
  fold: fold
    .optional()
    .meta({
      description:
        "The rule for a local time that occurs twice: first, last, both or auto. auto: intervals such as */15 fire both times; fixed times fire only the first time.",
    }),
  holidays: holidays
    .nullable()
    .optional()
    .meta({
      description:
        "The effect of a calendar's dates. before, after: the occurrence moves to the nearest day that is not in the calendar, at the same local time. skip: there is no occurrence. The recurring action follows changes of the calendar. Null removes the field.",
    }),
  starts_at: moment.nullable().optional().meta({ description: "There is no occurrence before this instant." }),
  ends_at: moment.nullable().optional().meta({ description: "There is no occurrence at or after this instant." }),
  max_executions: z
    .number()
    .int()
    .min(1)
    .max(RECURRING_EXECUTIONS_MAX)
    .nullable()
    .optional()
    .meta({ description: "The recurring action ends after this number of started occurrences." }),
  overlap: z
    .enum(overlaps)
    .optional()
    .meta({
      description:
        "The policy while the previous occurrence is still running. Default: allow for actions, skip for definitions.",
    }),
  catch_up: z
    .enum(catchUps)
    .optional()
    .meta({ description: "Which missed occurrences are started later. Default: none." }),
  grace_seconds: seconds(RECURRING_GRACE_MS_MAX)
    .optional()
    .meta({ description: "How many seconds an occurrence may be late before it counts as missed. Default: 600." }),
  catch_up_window_seconds: seconds(RECURRING_CATCH_UP_WINDOW_MS_MAX)
    .optional()
    .meta({
      description: "The maximum age in seconds of missed occurrences that are started later. Default: one day.",
    }),
  jitter_seconds: seconds(RECURRING_JITTER_MS_MAX)
    .optional()
    .meta({
      description:
        "The maximum random delay of each occurrence, in seconds. A delayed occurrence starts before the next occurrence is due. Default: 0.",
    }),
};

const about = {
  description: z.string().max(DESCRIPTION_CHARS_MAX).nullable().optional(),
  labels: map(RECURRING_LABELS_MAX, RECURRING_LABEL_CHARS_MAX).optional(),
  metadata: map(RECURRING_METADATA_MAX, RECURRING_METADATA_CHARS_MAX)
    .optional()
    .meta({
      description:
        "Values that the payload's templates can use as execution.variables. The engine adds _recurring_dispatch, _recurring_id and execution_time.",
    }),
  enabled: z.boolean().optional(),
};

/** The further fields of the action. Null removes a field. */
const settings = {
  ...orNull(actionSettings.shape),
  condition: ruleOf(actionSettings.shape.condition.description),
  validUntil: ruleOf(actionSettings.shape.validUntil.description),
};

function orNull<Shape extends { readonly [name: string]: z.ZodType }>(shape: Shape) {
  const entries = Object.entries(shape).map(([name, field]) => {
    const { description } = field;
    return [name, field.nullable().meta(description === undefined ? {} : { description })];
  });
  // Each field of the shape has become its nullable form.
  return Object.fromEntries(entries) as { readonly [name in keyof Shape]: z.ZodNullable<Shape[name]> };
}

const work = {
  ...settings,
  provider: text.optional().meta({ description: "An action type, or a connection's name." }),
  action_type: actionId
    .optional()
    .meta({ description: "The id of the action, by which lists show the started actions." }),
  payload: value.anyObject.optional().meta({ description: "The action's config." }),
  dedup_key: dedupKey
    .nullable()
    .optional()
    .meta({
      description: "The dedup key of each started action. A template that can read recurring_id and execution_time.",
    }),
  definition: z
    .string()
    .min(1)
    .max(REFERENCE_CHARS_MAX)
    .optional()
    .meta({ description: "The definition to start, instead of provider, action_type and payload." }),
  variables: value.anyObject
    .optional()
    .meta({
      description:
        "With `definition`: the variables of each execution. Strings are templates that can read recurring_id and execution_time.",
    }),
};

const example = {
  namespace: "notifications",
  cron_expr: "0 9 * * MON-FRI",
  timezone: "US/Eastern",
  provider: "webhook",
  action_type: "send_digest",
  payload: { url: "https://example.com/digest", payload: { subject: "Daily Digest", at: "{{ execution_time }}" } },
  metadata: {},
  dedup_key: null,
  description: "Weekday morning digest",
  labels: { team: "engineering" },
  ends_at: null,
  enabled: true,
};

const name = recurringName
  .optional()
  .meta({ description: "A name, unique in the tenant, that may replace the id in paths. It never changes." });

export const createRecurringBody = z
  .strictObject({
    name,
    namespace: value.namespace.optional(),
    tenant: value.tenantId.optional().meta({ description: "The tenant. It must be the tenant of the API key." }),
    ...timing,
    ...work,
    ...about,
  })
  .superRefine((body, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (body.definition === undefined) {
      for (const field of ["provider", "action_type", "payload"] as const)
        if (body[field] === undefined)
          refuse(field, "is missing: set provider, action_type and payload, or definition");
      if (body.variables !== undefined) refuse("variables", "is only allowed together with definition");
      return;
    }
    for (const field of ["provider", "action_type", "payload", "metadata", "dedup_key", ...settingNames] as const)
      if (body[field] != null)
        refuse(field, "is only for an action, but this recurring action starts a definition: omit one of the two");
  })
  .meta({ id: "CreateRecurring", examples: [example] })
  .register(fieldHints, hintsFor("recurring"));
export type CreateRecurringBody = z.input<typeof createRecurringBody>;

export const changeRecurringBody = z.strictObject({
  ...timing,
  cron_expr: timing.cron_expr.optional(),
  ...work,
  ...about,
});
export const updateRecurringBody = changeRecurringBody
  .extend({ name, namespace: value.namespace.optional(), tenant: value.tenantId.optional() })
  .meta({
    id: "UpdateRecurring",
    description:
      "With an id in the path, omitted fields stay unchanged. With a name in the path, the body is the whole recurring action, as in CreateRecurring.",
    examples: [{ cron_expr: "0 8 * * MON-FRI", description: "An hour earlier" }],
  })
  .register(fieldHints, hintsFor("recurring"));
export type UpdateRecurringBody = z.input<typeof updateRecurringBody>;

const reason = { reason: value.reason.optional() };
export const pauseRecurringBody = z.strictObject(reason).meta({ id: "PauseRecurring", examples: [{}] });
export const resumeRecurringBody = z
  .strictObject({
    ...reason,
    catch_up: z
      .enum(["none", "last"])
      .optional()
      .meta({ description: "last: the newest occurrence that the pause held starts now. Default: none." }),
  })
  .meta({ id: "ResumeRecurring", examples: [{ catch_up: "none" }] });
export const skipRecurringBody = z
  .strictObject({
    ...reason,
    occurrence: moment
      .optional()
      .meta({ description: "The instant of the occurrence to skip. Default: the next occurrence." }),
  })
  .meta({ id: "SkipRecurring", examples: [{}] });

/** A recurring action's id, or its name. Any other text names no recurring action, so the answer is 404. */
export const recurringRefText = z
  .string()
  .min(1)
  .meta({ description: "A recurring action's id or name.", examples: ["rec_01KABCDEFGHJKMNPQRSTVWXYZ0"] });
const namespace = value.namespace.optional().meta({ description: "The recurring action must be in this namespace." });
export const recurringQuery = query.plainQuery.extend({ namespace });
export const recurringChangeQuery = query.changeQuery.extend({ namespace });
export const recurringDeleteQuery = recurringChangeQuery.extend(reason);
export const recurringHistoryQuery = query.pageQueryWith({ namespace });
export const recurringListQuery = query.pageQueryWith({
  namespace,
  enabled: z
    .enum(["true", "false"])
    .transform((said) => said === "true")
    .optional(),
  status: z.enum(recurringStatuses).optional(),
  label: z
    .string()
    .regex(/^[^:]{1,100}:.{0,200}$/, { message: "must be a label as name:value, such as team:engineering" })
    .optional(),
});
export const occurrencesQuery = query.plainQuery.extend({
  namespace,
  count: z.coerce.number().int().min(1).max(RECURRING_PREVIEW_MAX).optional(),
  from: query.instantQuery.optional(),
  to: query.instantQuery.optional(),
});
