// The stateless entrypoint through which a trigger's object reaches executions: it may not call other objects itself, and
// knows no catalog.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type { Effect, HandedOver, HandOverPort } from "#schema/inbound/delivery.ts";
import { handOver, type HandOverOf } from "#services/triggers/hand-over.ts";
import { depsOf } from "./deps.ts";

export class TriggerWork extends WorkerEntrypoint<Env> implements HandOverPort {
  handOver(of: HandOverOf, effects: readonly Effect[]): Promise<readonly HandedOver[]> {
    return handOver(depsOf(this.env), of, effects);
  }
}
