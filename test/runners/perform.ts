// Performs one action with an account at its provider, and keeps what went out.
import { runTicket, type RunDeps } from "#runners/run.ts";
import type { OpenConnection } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import { connectionTo, ticketFor, world, type Answer } from "./world.ts";

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
