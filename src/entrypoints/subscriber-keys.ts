// RPC entrypoint of executions' objects: returns which API keys of live-stream subscribers are no longer valid. An
// object must not query D1, so it asks this entrypoint.
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
