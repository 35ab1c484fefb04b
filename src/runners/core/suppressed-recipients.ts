// Suppressed recipients: runs an attempt without the recipients that are on the tenant's suppression list. An attempt
// without any recipient left is skipped. An attempt whose list cannot be read sends nothing.
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { SuppressionQuestion } from "#schema/outgoing/suppression-lookup.ts";
import { failureOutcome } from "./outcomes.ts";
import type { RunnerContext } from "./runner.ts";

/** How a runner names and removes the recipients of a config. */
export type RecipientsOf<Config, Kept = Config | null> = {
  readonly of: (config: Config) => SuppressionQuestion;
  /** Returns the config without these recipients; null if no recipient is left. */
  readonly without: (config: Config, suppressed: ReadonlySet<string>) => Kept;
};

/** A runner with an unknown config type, as the registry has it. */
type AnyRunner = {
  readonly recipients?: RecipientsOf<never, unknown>;
  readonly run: (config: never, context: RunnerContext) => Promise<Outcome>;
};

export async function runUnsuppressed(
  { recipients, run }: AnyRunner,
  config: never,
  context: RunnerContext,
): Promise<Outcome> {
  if (recipients === undefined || context.suppressed === undefined) return run(config, context);
  const question = recipients.of(config);
  if (question.addresses.length === 0) return run(config, context);
  const startedAt = context.now();
  const span = () => ({ startedAt, endedAt: context.now() });
  const found = await context.suppressed(question);
  if (!found.ok) return failureOutcome(found.failure, span());
  const { suppressed } = found;
  if (suppressed.length === 0) return run(config, context);
  const left = recipients.without(config, new Set(suppressed));
  // `left` is a config of the same runner.
  return left === null ? skippedOutcome(suppressed, span()) : withNote(await run(left as never, context), suppressed);
}

function skippedOutcome(suppressed: readonly string[], span: { startedAt: number; endedAt: number }): Outcome {
  const message = "the attempt was not sent: every recipient is on the suppression list";
  const details = { suppressed: [...suppressed] };
  const type = "recipient_unsubscribed";
  const error = { type, message, retryable: false, code: "recipient_suppressed", effect: "none" as const, details };
  return { ok: false, error, skipped: "suppressed", ...span };
}

/** Adds the removed recipients to the result. */
function withNote(outcome: Outcome, suppressed: readonly string[]): Outcome {
  if (!outcome.ok || !isObject(outcome.result)) return outcome;
  return { ...outcome, result: { ...outcome.result, suppressed: [...suppressed] } };
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
