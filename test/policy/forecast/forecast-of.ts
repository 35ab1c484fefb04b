// Forecasts very many executions of one definition, which all start at once by default.
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { compile } from "#kernel/programs/compile.ts";
import { playFleet } from "#kernel/virtual/fleet.ts";
import { openVirtualRun } from "#kernel/virtual/virtual-run.ts";
import { openForecast, type ForecastInput } from "#policy/forecast/forecast.ts";
import { definition } from "#schema/definition/definition.ts";
import type { RateTerms, ConnectionLimits } from "#schema/gate.ts";
import type { JsonObject } from "#schema/json.ts";
import type { KnownConnection } from "#schema/virtual/forecast.ts";
import { ask, day, T0 } from "#test/support/drive.ts";
import type { AssumedInput } from "#schema/virtual/assumptions.ts";
import type { StartCommand } from "#schema/engine/input.ts";

type Part = Omit<Partial<ForecastInput>, "members"> & {
  readonly played?: number;
  readonly startAt?: (member: number) => number;
  readonly variables?: (member: number) => JsonObject;
  readonly until?: number;
  readonly given?: readonly AssumedInput[];
};

export function forecastOf(
  body: unknown,
  { played, startAt, variables, until = T0 + 1_000 * day, given = [], ...part }: Part,
) {
  const parsed = definition.parse(body);
  const program = compile(parsed);
  const { placement = "own" } = parsed;
  const of = part.of ?? 1;
  const { fleet, result } = openForecast({
    assume: {},
    shares: {},
    connections: [],
    quotas: null,
    prices: null,
    slices: null,
    poolSize: part.slices == null ? 4 : 16,
    ...part,
    of,
    members: Array.from({ length: played ?? of }, (_, member) => {
      const start = {
        ...(ask.start(variables?.(member) ?? {}) as StartCommand),
        execution: `exe_${member}`,
        placement,
      }; // the object has all fields of a start command
      const at = startAt?.(member) ?? T0;
      return { startAt: at, open: (watch) => openVirtualRun({ program, start, startAt: at, until, given, watch }) };
    }),
  });
  computeAtOnce(playFleet(fleet));
  return result();
}

export function connection(name: string, terms: Partial<ConnectionLimits>, provider = "http"): KnownConnection {
  return { name, provider, terms: { rate: null, concurrency: null, breaker: null, ...terms } };
}

export function perSecond(calls: number, burst = 1): RateTerms {
  return { calls, perMs: 1_000, burst };
}
