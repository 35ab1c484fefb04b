// Objects of limits by key: each limit has a fixed number of objects, which share its keys. The object stores a digest
// of the key, because a key may be personal data.
import { LIMIT_SHARDS } from "#schema/limits/limits-by-key.ts";
import { sha256 } from "../hash.ts";

export type Shard = { readonly object: string; readonly key: string };

/** Limits on starts have keys of their own. The name of no other limit contains `:`. */
export function startShardOf(tenant: string, name: string, key: string): Promise<Shard> {
  return shardOf(tenant, `starts:${name}`, key);
}

/** No subject's object can have such a name, because a tenant's name has no `:`. */
export async function shardOf(tenant: string, name: string, key: string): Promise<Shard> {
  const digest = await sha256(`${tenant}\n${name}\n${key}`);
  return {
    object: `limit:${tenant}/${name}/${Number.parseInt(digest.slice(0, 4), 16) % LIMIT_SHARDS}`,
    key: digest.slice(4, 36),
  };
}
