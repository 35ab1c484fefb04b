// What is asked of recurring actions, on the wire: in the words of their specification, which has underscores.
import { z } from "zod";
import { timezone } from "#schema/definition/timing.ts";
import { limits } from "#schema/limits.ts";
import { recurringLimits } from "#schema/limits/recurring.ts";
import { recurringStatuses } from "#schema/recurring/state.ts";
import { fold, gap } from "#schema/definition/schedule.ts";
import { catchUps, overlaps } from "#schema/recurring/spec.ts";
import * as value from "#schema/values.ts";
import * as query from "../query.ts";

const map = (countMax: number, charsMax: number) =>
  z
    .record(z.string().min(1).max(limits.idLengthMax), z.string().max(charsMax))
    .refine((entries) => Object.keys(entries).length <= countMax, { message: `at most ${countMax} entries` });

const text = z.string().trim().min(1).max(limits.idLengthMax);
const moment = z.iso.datetime({ offset: true });
const seconds = (ms: number) =>
  z
    .number()
    .int()
    .min(0)
    .max(ms / 1_000);

const dedupKey = z
  .string()
  .min(1)
  .max(recurringLimits.dedupKeyCharsMax)
  .refine((key) => !/\{[{%]/.test(key.replaceAll(/\{\{(?:recurring_id|execution_time)\}\}/g, "")), {
    message: "knows the placeholders {{recurring_id}} and {{execution_time}} only",
  });

const timing = {
  cron_expr: z
    .string()
    .trim()
    .min(1)
    .max(recurringLimits.cronCharsMax)
    .meta({ description: "5, 6 (with seconds) or 7 fields (with years), or @daily and the like." }),
  timezone: timezone.optional().meta({ description: "An IANA zone, or an alias of one. Default: UTC." }),
  gap: gap
    .optional()
    .meta({ description: "A time that a change of the clocks leaves out: an hour later (shift), or not at all." }),
  fold: fold
    .optional()
    .meta({ description: "A time that comes twice. auto: patterns such as */15 both times, fixed times the first." }),
  starts_at: moment.nullable().optional().meta({ description: "No occurrence before this." }),
  ends_at: moment.nullable().optional().meta({ description: "No occurrence then or later." }),
  max_executions: z
    .number()
    .int()
    .min(1)
    .max(recurringLimits.executionsMax)
    .nullable()
    .optional()
    .meta({ description: "It is completed after so many were dispatched." }),
  overlap: z
    .enum(overlaps)
    .optional()
    .meta({ description: "While the one before still runs. Default: allow for actions, skip for definitions." }),
  catch_up: z.enum(catchUps).optional().meta({ description: "What becomes of missed occurrences. Default: none." }),
  grace_seconds: seconds(recurringLimits.graceMsMax)
    .optional()
    .meta({ description: "So late is not missed. Default: 600." }),
  catch_up_window_seconds: seconds(recurringLimits.catchUpWindowMsMax)
    .optional()
    .meta({ description: "Nothing older is caught up with. Default: a day." }),
  jitter_seconds: seconds(recurringLimits.jitterMsMax)
    .optional()
    .meta({ description: "Each occurrence goes up to so much later, always before the next one. Default: 0." }),
};

const about = {
  description: z.string().max(limits.descriptionCharsMax).nullable().optional(),
  labels: map(recurringLimits.labelsMax, recurringLimits.labelCharsMax).optional(),
  metadata: map(recurringLimits.metadataMax, recurringLimits.metadataCharsMax).optional().meta({
    description: "Templates in the payload see it as execution.variables, with _recurring_id and execution_time.",
  }),
  enabled: z.boolean().optional(),
};

const work = {
  provider: text.optional().meta({ description: "An action type, or a connection's name." }),
  action_type: text.optional().meta({ description: "What it is called in lists: the action's id." }),
  payload: value.anyObject.optional().meta({ description: "The action's config." }),
  dedup_key: dedupKey.nullable().optional().meta({ description: "With {{recurring_id}} and {{execution_time}}." }),
  definition: z
    .string()
    .min(1)
    .max(limits.referenceCharsMax)
    .optional()
    .meta({ description: "Instead of provider, action_type and payload: what executions are started of." }),
  variables: value.anyObject.optional().meta({
    description:
      "With definition: what each execution begins with; strings may hold {{recurring_id}} and {{execution_time}}.",
  }),
};

const example = {
  namespace: "notifications",
  cron_expr: "0 9 * * MON-FRI",
  timezone: "US/Eastern",
  provider: "webhook",
  action_type: "send_digest",
  payload: { url: "https://example.com/digest", body: { subject: "Daily Digest" } },
  metadata: {},
  dedup_key: null,
  description: "Weekday morning digest",
  labels: { team: "engineering" },
  ends_at: null,
  enabled: true,
};

export const createRecurringBody = z
  .strictObject({
    namespace: value.namespace.optional(),
    tenant: value.tenantId.optional().meta({ description: "As the key's, which decides." }),
    ...timing,
    ...work,
    ...about,
  })
  .superRefine((body, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (body.definition === undefined) {
      for (const field of ["provider", "action_type", "payload"] as const)
        if (body[field] === undefined) refuse(field, "is missing: say what is to be carried out, or name a definition");
      if (body.variables !== undefined) refuse("variables", "goes with definition");
      return;
    }
    for (const field of ["provider", "action_type", "payload", "metadata", "dedup_key"] as const)
      if (body[field] != null) refuse(field, "is for an action, and this starts a definition: leave one of them out");
  })
  .meta({ id: "CreateRecurring", examples: [example] });
export type CreateRecurringBody = z.input<typeof createRecurringBody>;

export const updateRecurringBody = z
  .strictObject({ ...timing, cron_expr: timing.cron_expr.optional(), ...work, ...about })
  .meta({
    id: "UpdateRecurring",
    description: "Only what is given is changed.",
    examples: [{ cron_expr: "0 8 * * MON-FRI", description: "An hour earlier" }],
  });
export type UpdateRecurringBody = z.input<typeof updateRecurringBody>;

const reason = { reason: value.reason.optional() };
export const pauseRecurringBody = z.strictObject(reason).meta({ id: "PauseRecurring", examples: [{}] });
export const resumeRecurringBody = z
  .strictObject({
    ...reason,
    catch_up: z
      .enum(["none", "last"])
      .optional()
      .meta({ description: "last: the newest that the pause held back goes now. Default: none." }),
  })
  .meta({ id: "ResumeRecurring", examples: [{ catch_up: "none" }] });
export const skipRecurringBody = z
  .strictObject({ ...reason, occurrence: moment.optional().meta({ description: "Which one. Default: the next." }) })
  .meta({ id: "SkipRecurring", examples: [{}] });

const namespace = value.namespace.optional().meta({ description: "One of another namespace is none." });
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
    .regex(/^[^:]{1,100}:.{0,200}$/, { message: "a label as name:value, such as team:engineering" })
    .optional(),
});
export const occurrencesQuery = query.plainQuery.extend({
  namespace,
  count: z.coerce.number().int().min(1).max(recurringLimits.previewMax).optional(),
  from: query.instantQuery.optional(),
  to: query.instantQuery.optional(),
});
