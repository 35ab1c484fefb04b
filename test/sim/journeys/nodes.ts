// Parts for scenarios with journeys.
import { journeyDefinition, type JourneyDefinition } from "#schema/definition/journey.ts";
import type { JsonObject } from "#schema/json.ts";
import { SECOND } from "../scenario.ts";

/** Enough attempts to outlive every fault. */
export const patient = { maxAttempts: 100, baseDelay: SECOND, maxDelay: 30 * SECOND, jitter: true };

export function act(say: string, next?: string | readonly string[], more: JsonObject = {}): JsonObject {
  const { config = {}, ...node } = more as { readonly config?: JsonObject };
  return {
    type: "webhook",
    config: { say, ...config },
    retryPolicy: patient,
    timeout: 10 * SECOND,
    ...(next === undefined ? {} : { next: next as string }),
    ...node,
  };
}

export function journey(name: string, part: JsonObject & { readonly nodes: JsonObject }): JourneyDefinition {
  return journeyDefinition.parse({ kind: "journey", name, initial: Object.keys(part.nodes)[0], ...part });
}

export const patch = (atMs: number, variables: JsonObject) => ({ atMs, verb: { kind: "patch", variables } as const });
