// Attempt log: two log lines about an attempt, one before it and one with its outcome. Lines cost money, so an
// installation chooses whether it wants them, and at which level.
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Deps } from "../deps.ts";

export const attemptLogLevels = ["off", "debug", "info"] as const;
export type AttemptLog = (typeof attemptLogLevels)[number];

/** Parses the installation's variable. An unknown level means no lines, so a typing error costs nothing. */
export function attemptLogOf(said: string | undefined): AttemptLog {
  return attemptLogLevels.find((level) => level === said) ?? "off";
}

export async function logAttempt(
  { now, log }: Pick<Deps, "now" | "log">,
  level: AttemptLog,
  ticket: Ticket,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  if (level === "off") return run();
  const { tenant, execution, attempt, action, type } = ticket;
  const what = { level, tenant, id: execution, run: ticket.run };
  const from = now();
  const more = { actionInstance: ticket.trigger ?? null, attempt, action, type };
  log({ ...what, event: "action.processing", message: "Processing execution", ...more });
  const outcome = await run();
  const ended = { ...what, event: "action.completed", message: "Completed execution", attempt };
  log({ ...ended, ...wordsOf(outcome), duration: now() - from });
  return outcome;
}

/** Its execution decides whether it is retried; a held attempt was not made. */
function wordsOf(outcome: Outcome) {
  if (outcome.ok) return { status: "OK" };
  const { type, code } = outcome.error;
  const why = { errorType: type, ...(code === undefined ? {} : { errorCode: code }) };
  return { status: outcome.held === undefined ? "FAILED" : "HELD", ...why };
}
