// The public view of an API key: all fields but the hash.
import type { Key } from "#catalog/keys.ts";

export type KeyView = Omit<Key, "hash">;

export function presentKey({ hash: _hash, ...rest }: Key): KeyView {
  return rest;
}
