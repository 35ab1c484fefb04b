// Attempt log: writes one log line before each attempt and one with its outcome. Log lines cost money, so the
// installation's settings turn the log on and choose its level.
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Deps } from "../deps.ts";

export const attemptLogLevels = ["off", "debug", "info"] as const;
export type AttemptLog = (typeof attemptLogLevels)[number];

/**
 * Parses the installation's LOG_ACTIONS variable. An unknown level turns the log off, so a typing error causes no
 * costs.
 */
export function parseAttemptLog(value: string | undefined): AttemptLog {
  return attemptLogLevels.find((level) => level === value) ?? "off";
}

export async function logAttempt(
  { now, log }: Pick<Deps, "now" | "log">,
  level: AttemptLog,
  ticket: Ticket,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  if (level === "off") return run();
  const { tenant, execution, attempt, action, type } = ticket;
  const subject = { level, tenant, id: execution, run: ticket.run };
  const startedAt = now();
  const details = { actionInstance: ticket.trigger ?? null, attempt, action, type };
  log({ ...subject, event: "action.processing", message: "Processing execution", ...details });
  const outcome = await run();
  const ended = { ...subject, event: "action.completed", message: "Completed execution", attempt };
  log({ ...ended, ...outcomeFields(outcome), duration: now() - startedAt });
  return outcome;
}

/**
 * Returns the log fields of an outcome. FAILED does not say whether the run is retried, because its execution decides
 * that later. HELD and SKIPPED mean that no attempt was made.
 */
function outcomeFields(outcome: Outcome) {
  if (outcome.ok) return { status: "OK" };
  const { type, code } = outcome.error;
  const errorFields = { errorType: type, ...(code === undefined ? {} : { errorCode: code }) };
  const unsent = outcome.held === undefined ? outcome.skipped && "SKIPPED" : "HELD";
  return { status: unsent ?? "FAILED", ...errorFields };
}
