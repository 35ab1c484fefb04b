// RPC entrypoint of directories: delivers a published event to the executions that the directory found.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type { DirectoryWorkPort, RecipientOutcome, PublishedEvent, Recipient } from "#schema/directory/calls.ts";
import { deliverEvent } from "#services/events/deliver-event.ts";
import { depsOf } from "./deps.ts";

export class DirectoryWork extends WorkerEntrypoint<Env> implements DirectoryWorkPort {
  deliver(
    tenant: string,
    event: PublishedEvent,
    recipients: readonly Recipient[],
  ): Promise<readonly RecipientOutcome[]> {
    return deliverEvent(depsOf(this.env), tenant, event, recipients);
  }
}
