// Correlation keys: registers an execution in the directory under its current key, and removes it from its earlier
// keys.
import type { Confirmation, OutboxMessage } from "#schema/engine/outbox.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Deps } from "../deps.ts";
import { directoryOf } from "./published-events.ts";

/**
 * Registers the current key. Throws if a directory object cannot be reached; the queue then sends the message again.
 */
export async function registerCorrelationKey(
  deps: Pick<Deps, "directory">,
  { tenant, id: execution, createdAt: incarnation, correlation }: ExecutionState,
  messages: readonly OutboxMessage[],
): Promise<readonly Confirmation[]> {
  if (!correlation) return [];
  const { key, since, registered } = correlation;
  const directories = await Promise.all(
    registered.map(async (registeredKey) => [await directoryOf(tenant, registeredKey), registeredKey] as const),
  );
  const current = directories.find(([, registeredKey]) => registeredKey === key)?.[0];
  // The new key is registered before the old ones are removed, so the execution is always registered under at least one
  // key.
  if (current !== undefined) await deps.directory(current).registerKeys([{ execution, incarnation, key, since }]);
  const others = new Set(directories.map(([name]) => name).filter((name) => name !== current));
  await Promise.all(
    [...others].map((name) => deps.directory(name).registerKeys([{ execution, incarnation, key: null, since }])),
  );
  return messages.map((message) => ({ kind: "correlation_key", key: message.key }));
}
