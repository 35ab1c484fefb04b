// Performs one action with a connection, and records its calls.
import { runTicket, type RunDeps } from "#runners/run.ts";
import type { OpenConnection } from "#runners/core/runner.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { JsonObject } from "#schema/json.ts";
import { connectionTo, ticketFor, world, type Answer, type Call } from "./world.ts";

/**
 * Performs a config with the provider's answer. The other arguments override the ticket, the connection and the
 * restricted secrets.
 */
export type Perform = (
  config: JsonObject,
  how: Answer,
  over?: Parameters<typeof ticketFor>[2],
  account?: Partial<OpenConnection>,
  bounds?: readonly BoundSecret[],
) => Promise<{ outcome: Outcome; calls: readonly Call[]; callers: readonly (string | null)[] }>;

export type Surroundings = Partial<RunDeps> & {
  readonly account?: Partial<OpenConnection>;
  readonly deadlineAt?: number;
};

export async function performed(
  type: string,
  config: JsonObject,
  answer: Answer,
  { account = {}, deadlineAt, ...over }: Surroundings = {},
) {
  const opened: { name: string | null; provider: string }[] = [];
  const surroundings = world(answer, {
    connection: async (name, provider) => {
      opened.push({ name, provider });
      return { ok: true, connection: connectionTo(provider, { name: name ?? "main", ...account }) };
    },
    ...over,
  });
  const outcome = await runTicket(
    ticketFor(type, config, deadlineAt === undefined ? {} : { deadlineAt }),
    surroundings,
  );
  const { calls } = surroundings;
  return { outcome, calls, opened, request: calls[0]?.request, url: calls[0]?.url };
}

export function errorOf(outcome: Outcome) {
  if (outcome.ok) throw new Error(`expected a failure, got ${JSON.stringify(outcome)}`);
  return outcome.error;
}
