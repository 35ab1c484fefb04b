// Forecast notes: sentences that explain a forecast's limits and results to its readers.
import type { Limits } from "#schema/quota.ts";
import type { Forecast, KnownConnection } from "#schema/virtual/forecast.ts";

export function notesOf(
  { executions, attempts, timesLeft }: Omit<Forecast, "platform">,
  limits: Limits,
  connections: readonly KnownConnection[],
): readonly string[] {
  const { of, played, liveMax, cut } = executions;
  const notes: string[] = [];
  if (played < of)
    notes.push(
      `The number of simulated executions is ${played}. Each simulated execution represents ${Math.round((of / played) * 10) / 10} executions.`,
    );
  for (const [why, count] of Object.entries(cut)) {
    if (why === "until")
      notes.push(
        `The number of executions that still run at "until" is ${count}. The forecast counts nothing after "until".`,
      );
    else
      notes.push(
        `The number of simulations that were stopped early (${why}) is ${count}. The forecast does not count their later events.`,
      );
  }
  if (liveMax > limits.liveExecutions)
    notes.push(
      `Up to ${liveMax} executions are live at the same time; the tenant's limit is ${limits.liveExecutions} (liveExecutions).`,
    );
  for (const { type, provider, connection } of attempts) {
    if (connection !== null || provider === null || connections.some((each) => each.provider === provider)) continue;
    notes.push(
      `There is no connection for ${provider}. Actions of the type ${type} would fail, and the forecast applies no limit to them.`,
    );
  }
  const unpriced = attempts.filter(({ price }) => price === null).map(({ type }) => type);
  if (unpriced.length > 0) notes.push(`No price is set for ${[...new Set(unpriced)].join(", ")}.`);
  if (timesLeft > 0) notes.push(`The list of send times omits further lines (number: ${timesLeft}).`);
  return notes;
}
