// A key as people may see it: without the hash, and with all that it may do.
import type { Key } from "#catalog/keys.ts";

export type KeyView = Omit<Key, "hash" | "tasksApart">;

export function presentKey({ hash: _hash, tasksApart, ...rest }: Key): KeyView {
  return { ...rest, scopes: scopesOf({ scopes: rest.scopes, tasksApart }) };
}

/** Before completing tasks was a scope of its own, `write` was enough: keys from then go on completing. */
export function scopesOf({ scopes, tasksApart }: Pick<Key, "scopes" | "tasksApart">): readonly string[] {
  const goesOn = !tasksApart && scopes.includes("write") && !scopes.includes("tasks");
  return goesOn ? [...scopes, "tasks"] : scopes;
}
