// Forecasts of definitions: API shapes.
import { z } from "zod";
import { actionId } from "#schema/definition/action-fields.ts";
import { FORECAST_COUNT_MAX, FORECAST_SHARES_MAX } from "#schema/limits/planning/forecast-sizes.ts";
import { PREVIEW_SUBJECTS_MAX } from "#schema/limits/planning/previews.ts";
import { OPERATION_PER_SECOND_MAX } from "#schema/limits/upkeep/bulk-operations.ts";
import { instant } from "#schema/values.ts";
import { assumedOutcome, assumptions, assumedInputs } from "#schema/virtual/assumptions.ts";
import { definitionBody } from "../definitions/shape.ts";
import { givenConnections } from "../preview/assumed-connections.ts";
import { at, previewSubject } from "../preview/shape.ts";

const share = z.number().gt(0).max(1);
const summing = (parts: readonly { readonly share: number }[]): boolean =>
  parts.reduce((sum, each) => sum + each.share, 0) <= 1 + Number.EPSILON * parts.length;

const shares = z
  .record(
    z.union([actionId, z.literal("*")]),
    z
      .array(z.strictObject({ share, outcome: assumedOutcome }))
      .min(1)
      .max(FORECAST_SHARES_MAX)
      .refine(summing, { message: "must add up to at most 1" }),
  )
  .meta({
    description:
      "For each action, the share of its attempts with this outcome. The other attempts have the outcome in `assume`. `*` means all other actions.",
  });

const body = {
  subjects: z
    .array(previewSubject)
    .min(1)
    .max(PREVIEW_SUBJECTS_MAX)
    .meta({ description: "The subjects; with `count`, a sample." }),
  count: z
    .number()
    .int()
    .min(1)
    .max(FORECAST_COUNT_MAX)
    .optional()
    .meta({
      description:
        "The total number of executions. The given subjects repeat in turn. Default: the number of given subjects.",
    }),
  perSecond: z
    .number()
    .int()
    .min(1)
    .max(OPERATION_PER_SECOND_MAX)
    .optional()
    .meta({ description: "The number of starts per second. Default: all executions start at the same time." }),
  startAt: at.optional().meta({ description: "The start. Default: now." }),
  until: at.optional().meta({ description: "End of the simulation. Default: five years after the start." }),
  given: assumedInputs.optional().meta({ description: "The external inputs of each subject, with their times." }),
  sometimes: z
    .array(z.strictObject({ share, given: assumedInputs }))
    .max(FORECAST_SHARES_MAX)
    .optional()
    .meta({ description: "External inputs that only a share of the subjects receives." }),
  assume: assumptions.optional(),
  shares: shares.optional(),
  connections: givenConnections
    .optional()
    .meta({ description: "Limits of connections, instead of the stored ones. null: no limits." }),
};

const example = {
  subjects: [{ variables: { dueDate: "2026-12-24" } }],
  count: 10_000,
  perSecond: 50,
  startAt: "2026-12-01T08:00:00Z",
  shares: { "*": [{ share: 0.02, outcome: { error: { type: "service_unavailable" } } }] },
  connections: { mail: { provider: "sendgrid", rateLimit: { perSecond: 20 } } },
};

export const forecastBody = z.strictObject(body).meta({ id: "ForecastDefinition", examples: [example] });
export type ForecastDefinitionBody = z.input<typeof forecastBody>;
export type ReadForecast = z.output<typeof forecastBody>;

export const inlineForecastBody = z
  .strictObject({ definition: definitionBody, ...body })
  .meta({ id: "ForecastInlineDefinition" });
export type ForecastInlineBody = z.input<typeof inlineForecastBody>;

const count = z.number().int();
const counts = z.record(z.string(), count);
const connection = z.string().nullable();

export const forecast = z
  .object({
    definition: z
      .string()
      .meta({ description: "The definition as name@version; for an unsaved definition, only its name." }),
    madeAt: instant,
    startAt: instant,
    until: instant,
    executions: z.object({
      of: count,
      played: count.meta({
        description:
          "The number of simulated executions. Each simulated execution represents `of / played` executions.",
      }),
      byStatus: counts.meta({
        description: "The number of executions by final status, as far as the simulation goes.",
      }),
      refused: counts.meta({ description: "The number of refused starts, by code." }),
      cut: counts.meta({ description: "The number of simulations that were stopped early, by reason." }),
      liveMax: count.meta({ description: "The maximum number of executions that are live at the same time." }),
    }),
    runs: z.array(z.object({ action: z.string(), type: z.string(), status: z.string(), runs: count })),
    attempts: z.array(
      z.object({
        type: z.string(),
        provider: z.string().nullable(),
        connection,
        attempts: count,
        ok: count,
        failed: count,
        retries: count.meta({ description: "The number of attempts after the first attempt." }),
        firstAt: instant,
        lastAt: instant,
        cost: z.number().nullable().meta({ description: "The cost by the tenant's prices; null if no price is set." }),
      }),
    ),
    cost: z.object({ currency: z.string().nullable(), amount: z.number() }),
    platform: z
      .object({
        objectRows: count,
        objectRequests: count,
        queueMessages: count,
        catalogRows: count,
        dollars: z.number(),
      })
      .meta({ description: "The usage of the platform, and its price beyond the amounts that the plan includes." }),
    holds: z
      .array(z.object({ reason: z.string(), connection, holds: count, waitedSeconds: z.number() }))
      .meta({ description: "The causes of waits, the longest total first." }),
    startedBy: instant.meta({ description: "When the last execution has started." }),
    lastAt: instant.nullable().meta({ description: "When the last message is sent; null if none is sent." }),
    lastAction: z.string().nullable(),
    lastHeldBy: z.object({ reason: z.string(), connection }).nullable(),
    bottleneck: connection.meta({ description: "The connection with the longest total wait." }),
    every: z.enum(["PT1H", "P1D"]).meta({ description: "The length of the interval that each row of `times` covers." }),
    times: z.array(
      z.object({
        from: instant,
        connection,
        attempts: count,
        used: z
          .number()
          .nullable()
          .meta({ description: "The share of the connection's rate that is used in this interval." }),
      }),
    ),
    notes: z.array(z.string()),
  })
  .meta({ id: "Forecast" });
export type ApiForecast = z.infer<typeof forecast>;
