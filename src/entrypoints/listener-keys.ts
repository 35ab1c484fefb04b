// Subscriber-key entrypoint: stateless. An execution's object may not query D1, so it asks here whether its
// subscribers' keys are still valid.
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
