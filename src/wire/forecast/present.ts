// Forecasts as API objects.
import type { DefinitionRef } from "#schema/definition/definition.ts";
import { FORECAST_HOUR_MS } from "#schema/limits/planning/forecast-sizes.ts";
import { toInstant } from "#schema/values.ts";
import type { Forecast, PlatformCounts } from "#schema/virtual/forecast.ts";
import type { ApiForecast } from "./shape.ts";

type Shown = Omit<Forecast, "platform"> & {
  readonly definition: DefinitionRef;
  readonly isStored: boolean;
  readonly madeAt: number;
  readonly startAt: number;
  readonly until: number;
  readonly currency: string | null;
  readonly platform: PlatformCounts & { readonly dollars: number };
  readonly notes: readonly string[];
};

export function presentForecast(shown: Shown): ApiForecast {
  const { definition, isStored, executions, attempts, runs, holds, times, notes, platform, currency } = shown;
  const costOf = ({ price, attempts: count }: Forecast["attempts"][number]): number | null =>
    price === null ? null : rounded(price * count);
  return {
    definition: isStored ? `${definition.name}@${definition.version}` : definition.name,
    madeAt: toInstant(shown.madeAt),
    startAt: toInstant(shown.startAt),
    until: toInstant(shown.until),
    executions: { ...executions, byStatus: { ...executions.byStatus }, refused: { ...executions.refused } },
    runs: [...runs],
    attempts: attempts.map(({ price, firstAt, lastAt, ...line }) => ({
      ...line,
      firstAt: toInstant(firstAt),
      lastAt: toInstant(lastAt),
      cost: costOf({ ...line, price, firstAt, lastAt }),
    })),
    cost: { currency, amount: rounded(attempts.reduce((sum, line) => sum + (costOf(line) ?? 0), 0)) },
    platform: { ...platform },
    holds: holds.map(({ waitedMs, ...line }) => ({ ...line, waitedSeconds: Math.round(waitedMs / 1_000) })),
    startedBy: toInstant(shown.startedBy ?? shown.startAt),
    lastAt: toInstant(shown.lastAt),
    lastAction: shown.lastAction,
    lastHeldBy: shown.lastHeldBy,
    bottleneck: shown.bottleneck,
    every: shown.everyMs === FORECAST_HOUR_MS ? "PT1H" : "P1D",
    times: times.map(({ from, ...line }) => ({ from: toInstant(from), ...line })),
    notes: [...notes],
  };
}

/** Rounds an amount after very many prices, which are fractions of a cent, were added up. */
function rounded(amount: number): number {
  return Math.round(amount * 1_000_000) / 1_000_000;
}
