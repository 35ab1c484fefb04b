// Configuration documents: API shapes of an export, and of the plan that applies one.
import { z } from "zod";
import { configurationKinds, planActions, stepStates } from "#schema/configuration/document.ts";
import { CONFIGURATION_ITEMS_MAX } from "#schema/limits/upkeep/configuration.ts";
import { anyJson, anyObject, reason } from "#schema/values.ts";
import { finding } from "../problem.ts";
import * as query from "../query.ts";

const kinds = z
  .string()
  .refine((text) => text.split(",").every((kind) => configurationKinds.some((known) => known === kind)), {
    message: `must be kinds separated by commas: ${configurationKinds.join(", ")}`,
  })
  .optional()
  .meta({
    description: "The kinds to export, separated by commas. Default: all.",
    examples: ["templates,definitions"],
  });

export const exportQuery = query.plainQuery.extend({ kinds });
export const applyQuery = query.changeQuery.extend({
  prune: query.flag.meta({
    description: "true: also deletes the resources that the document lacks, of the kinds that the document contains.",
  }),
  reason: reason.optional(),
});

const list = (what: string) =>
  z
    .array(anyObject)
    .max(CONFIGURATION_ITEMS_MAX)
    .optional()
    .meta({ description: `Bodies of ${what}, each with its name.` });

export const configurationDocument = z
  .strictObject({
    templates: list("CreateTemplate"),
    connections: list("CreateConnection"),
    alertChannels: list("CreateAlertChannel"),
    calendars: list("PutCalendar"),
    policies: list("PutPolicy"),
    definitions: list("Definition"),
    triggers: list("CreateTrigger"),
    recurring: list("CreateRecurring"),
    prices: anyObject.optional().meta({ description: "The price list, as in SetPrices." }),
    secrets: z
      .array(z.string())
      .optional()
      .meta({ description: "The names of the secrets that the resources use. Apply does not read this field." }),
    warnings: z
      .array(finding)
      .optional()
      .meta({ description: "Parts that another tenant cannot apply. Apply does not read this field." }),
  })
  .meta({
    id: "Configuration",
    examples: [
      {
        templates: [{ name: "welcome", text: "Welcome, {{ name }}" }],
        connections: [{ name: "mail", provider: "sendgrid", credentials: { apiKey: "sendgrid_api_key" } }],
      },
    ],
  });
export type ApiConfiguration = z.infer<typeof configurationDocument>;

const itemChange = z.object({
  kind: z.enum(["added", "removed", "changed", "reordered"]),
  pointer: z.string().meta({ description: "The pointer to the value in the resource." }),
  was: anyJson.optional(),
  is: anyJson.optional(),
});

const step = z.object({
  kind: z.enum(configurationKinds),
  name: z.string(),
  pointer: z.string().nullable().meta({ description: "The resource in the document; null for a deletion." }),
  action: z.enum(planActions),
  state: z
    .enum(stepStates)
    .meta({ description: "planned: this is a dry run. left: not done yet, so repeat the request." }),
  changes: z.array(itemChange).meta({ description: "The first 50 differences from the stored resource." }),
  more: z.number().int().meta({ description: "The number of further differences." }),
  conflict: finding.nullable().meta({ description: "Why the resource cannot be changed or deleted; null otherwise." }),
});

export const appliedConfiguration = z
  .object({
    dryRun: z.boolean(),
    result: z
      .enum(["changed", "unchanged"])
      .meta({ description: "unchanged: the tenant already has this configuration, and nothing was written." }),
    complete: z
      .boolean()
      .meta({
        description: "false: some steps are left, because one request makes at most 50 writes. Repeat the request.",
      }),
    counts: z.object(Object.fromEntries(planActions.map((action) => [action, z.number().int()]))),
    steps: z.array(step),
    missingSecrets: z
      .array(z.string())
      .meta({ description: "The secrets that the document uses and that are not set." }),
  })
  .meta({ id: "AppliedConfiguration" });
export type ApiAppliedConfiguration = z.infer<typeof appliedConfiguration>;
