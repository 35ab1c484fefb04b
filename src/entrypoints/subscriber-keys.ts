// RPC entrypoint of executions' objects: returns which API keys of subscribers are no longer valid. An object cannot
// read them, because it must not query D1.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type { ListenerKeysPort } from "#schema/live.ts";
import { endedKeys } from "#services/caller/keys.ts";
import { depsOf } from "./deps.ts";

export class ListenerKeys extends WorkerEntrypoint<Env> implements ListenerKeysPort {
  endedKeys(tenant: string, keys: readonly string[]): Promise<readonly string[]> {
    return endedKeys(depsOf(this.env), tenant, keys);
  }
}
