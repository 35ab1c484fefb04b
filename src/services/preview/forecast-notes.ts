// What somebody who reads a forecast should know of it, in sentences.
import type { Limits } from "#schema/quota.ts";
import type { Forecast, KnownConnection } from "#schema/virtual/forecast.ts";

export function notesOf(
  { executions, attempts, timesLeft }: Omit<Forecast, "platform">,
  limits: Limits,
  connections: readonly KnownConnection[],
): readonly string[] {
  const { of, played, liveMax, cut } = executions;
  const notes: string[] = [];
  if (played < of) notes.push(`${played} were played; each stands for ${Math.round((of / played) * 10) / 10}.`);
  for (const [why, count] of Object.entries(cut)) {
    if (why === "until") notes.push(`${count} are not over by then: what comes later is not counted.`);
    else notes.push(`${count} were cut short (${why}): what comes after is not counted.`);
  }
  if (liveMax > limits.liveExecutions)
    notes.push(`Up to ${liveMax} are live at once; the tenant may have ${limits.liveExecutions} (liveExecutions).`);
  for (const { type, provider, connection } of attempts) {
    if (connection !== null || provider === null || connections.some((each) => each.provider === provider)) continue;
    notes.push(`There is no connection for ${provider}: ${type} would fail, and no limit holds it here.`);
  }
  const unpriced = attempts.filter(({ price }) => price === null).map(({ type }) => type);
  if (unpriced.length > 0) notes.push(`No price is set for ${[...new Set(unpriced)].join(", ")}.`);
  if (timesLeft > 0) notes.push(`${timesLeft} more lines of what leaves when are left out.`);
  return notes;
}
