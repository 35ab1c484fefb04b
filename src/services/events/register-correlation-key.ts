// Correlation keys: registers an execution in the directory under its current key, and removes it from its earlier
// keys.
import type { Confirmation, OutboxMessage } from "#schema/engine/outbox.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Deps } from "../deps.ts";
import { directoryOf } from "./published-events.ts";

/** Throws if a directory object cannot be reached; the queue then sends the message again. */
export async function registerCorrelationKey(
  deps: Pick<Deps, "directory">,
  { tenant, id: execution, createdAt: incarnation, correlation }: ExecutionState,
  messages: readonly OutboxMessage[],
): Promise<readonly Confirmation[]> {
  if (!correlation) return [];
  const { key, since, registered } = correlation;
  const homes = await Promise.all(registered.map(async (each) => [await directoryOf(tenant, each), each] as const));
  const home = homes.find(([, each]) => each === key)?.[0];
  // The new key is registered first, so that the execution is registered under one of its keys at any moment.
  if (home !== undefined) await deps.directory(home).registerKeys([{ execution, incarnation, key, since }]);
  const others = new Set(homes.map(([name]) => name).filter((name) => name !== home));
  await Promise.all(
    [...others].map((name) => deps.directory(name).registerKeys([{ execution, incarnation, key: null, since }])),
  );
  return messages.map((message) => ({ kind: "correlation_key", key: message.key }));
}
