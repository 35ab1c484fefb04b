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
      `${played} executions were simulated. Each one represents ${Math.round((of / played) * 10) / 10} executions.`,
    );
  for (const [why, count] of Object.entries(cut)) {
    if (why === "until")
      notes.push(`${count} executions are still running at "until". Nothing after "until" is counted.`);
    else notes.push(`${count} executions were stopped early (${why}). Later events are not counted.`);
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
  if (timesLeft > 0) notes.push(`${timesLeft} more lines of send times are omitted.`);
  return notes;
}
