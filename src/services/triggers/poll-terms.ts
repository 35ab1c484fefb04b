// What a poller's object needs to know of its trigger, as the catalog has it.
import type { StoredTrigger } from "#catalog/triggers.ts";
import { lengthMs } from "#schema/definition/duration-text.ts";
import type { Duration } from "#schema/definition/timing.ts";
import type { PollerTerms } from "#schema/inbound/delivery.ts";
import type { PollSettings } from "#schema/inbound/poll.ts";

type Row = Pick<StoredTrigger, "tenant" | "id" | "kind" | "updatedAt" | "standing" | "settings">;

/** null: it is called, and asks nobody. */
export function pollerTerms({ tenant, id, kind, updatedAt, standing, settings }: Row): PollerTerms | null {
  const { poll } = settings;
  if (poll === undefined) return null;
  const { order, change, resume, from } = poll;
  return {
    ...{ tenant, trigger: id, kind },
    poll: {
      ...{ generation: updatedAt, epoch: standing.epoch ?? 0, isEnabled: standing.disabled === null },
      ...{ everyMs: everyMs(poll.every), reading: readingOf(poll), order, change, resume, from },
    },
  };
}

export function everyMs(every: Duration): number {
  return typeof every === "number" ? every : lengthMs(every);
}

/** All that decides what is read, and what is taken for the same item. */
export function readingOf({ every: _every, from: _from, ...reading }: PollSettings): string {
  return JSON.stringify(reading);
}

/** What tells a list from another, and an item from another: where it changes, what was seen may mean nothing. */
export function identityOf({ request, items, id, change, paging }: PollSettings): string {
  const { url, service, endpoint, query } = request;
  return JSON.stringify([url, service, endpoint, query, items, id, change, paging]);
}
