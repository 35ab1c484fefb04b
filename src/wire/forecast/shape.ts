// Forecasts of definitions on the wire.
import { z } from "zod";
import { actionId } from "#schema/definition/action.ts";
import { limits } from "#schema/limits.ts";
import { FORECAST_COUNT_MAX, FORECAST_SHARES_MAX, PREVIEW_SUBJECTS_MAX } from "#schema/limits/virtual.ts";
import { instant } from "#schema/values.ts";
import { assumedOutcome, assumptions, givenList } from "#schema/virtual/assumptions.ts";
import { definitionBody } from "../definitions/shape.ts";
import { givenConnections } from "../preview/given-connections.ts";
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
      .refine(summing, { message: "the shares come to more than 1" }),
  )
  .meta({ description: "Of an action's attempts, so many come to this; the rest as in `assume`. `*`: of all others." });

const body = {
  subjects: z
    .array(previewSubject)
    .min(1)
    .max(PREVIEW_SUBJECTS_MAX)
    .meta({ description: "For whom; with `count`, a sample of them." }),
  count: z
    .number()
    .int()
    .min(1)
    .max(FORECAST_COUNT_MAX)
    .optional()
    .meta({ description: "How many there are to be: the subjects come again in turn. Default: those that are named." }),
  perSecond: z
    .number()
    .int()
    .min(1)
    .max(limits.operationPerSecondMax)
    .optional()
    .meta({ description: "How fast a list enrols them. Default: all at once." }),
  startAt: at.optional().meta({ description: "When it begins. Default: now." }),
  until: at.optional().meta({ description: "Nothing after it is looked at. Default: five years after the start." }),
  given: givenList.optional().meta({ description: "What comes to each of them, and when." }),
  sometimes: z
    .array(z.strictObject({ share, given: givenList }))
    .max(FORECAST_SHARES_MAX)
    .optional()
    .meta({ description: "What comes to a share of them only." }),
  assume: assumptions.optional(),
  shares: shares.optional(),
  connections: givenConnections
    .optional()
    .meta({ description: "What connections let through, instead of what is stored of them. null: everything." }),
};

const example = {
  subjects: [{ variables: { dueDate: "2026-12-24" } }],
  ...{ count: 10_000, perSecond: 50, startAt: "2026-12-01T08:00:00Z" },
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
    definition: z.string().meta({ description: "name@version; of one that came along, its name." }),
    madeAt: instant,
    startAt: instant,
    until: instant,
    executions: z.object({
      of: count,
      played: count.meta({ description: "Each stands for `of / played`." }),
      byStatus: counts.meta({ description: "How they end, as far as was looked." }),
      refused: counts.meta({ description: "Those that cannot be started, by the refusal's code." }),
      cut: counts.meta({ description: "Those not looked at to their end, by why." }),
      liveMax: count.meta({ description: "Live at once, at the most." }),
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
        retries: count.meta({ description: "Attempts that are not their run's first." }),
        firstAt: instant,
        lastAt: instant,
        cost: z.number().nullable().meta({ description: "By the price book; null: it has no price for them." }),
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
      .meta({ description: "What the platform counts, and its price beyond what a plan includes." }),
    holds: z
      .array(z.object({ reason: z.string(), connection, holds: count, waitedSeconds: z.number() }))
      .meta({ description: "What makes runs wait, the longest in all first." }),
    startedBy: instant.meta({ description: "When the last one has started." }),
    lastAt: instant.nullable().meta({ description: "When the last message leaves; null: none does." }),
    lastAction: z.string().nullable(),
    lastHeldBy: z.object({ reason: z.string(), connection }).nullable(),
    bottleneck: connection.meta({ description: "The connection that makes runs wait longest in all." }),
    every: z.enum(["PT1H", "P1D"]).meta({ description: "How long a line of `times` is." }),
    times: z.array(
      z.object({
        from: instant,
        connection,
        attempts: count,
        used: z.number().nullable().meta({ description: "Of what the connection's rate lets through in that time." }),
      }),
    ),
    notes: z.array(z.string()),
  })
  .meta({ id: "Forecast" });
export type ApiForecast = z.infer<typeof forecast>;
