// RPC entrypoint of directories: delivers a published event to the executions that the directory found, and reports its
// result to the trigger that published it.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type {
  DirectoryWorkPort,
  EventReport,
  RecipientOutcome,
  PublishedEvent,
  Recipient,
} from "#schema/directory/calls.ts";
import { deliverEvent } from "#services/events/deliver-event.ts";
import { reportEvent } from "#services/events/report-event.ts";
import { depsOf } from "./deps.ts";

export class DirectoryWork extends WorkerEntrypoint<Env> implements DirectoryWorkPort {
  deliver(
    tenant: string,
    event: PublishedEvent,
    recipients: readonly Recipient[],
  ): Promise<readonly RecipientOutcome[]> {
    return deliverEvent(depsOf(this.env), tenant, event, recipients);
  }

  report(tenant: string, report: EventReport): Promise<void> {
    return reportEvent(depsOf(this.env), tenant, report);
  }
}
