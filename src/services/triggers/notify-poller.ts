// Poller notifications: sends changed settings to a poller's object. If the object does not answer, it reads the
// settings at its next poll.
import type { StoredTrigger } from "#catalog/triggers.ts";
import type { Deps } from "../deps.ts";
import { pollerTerms } from "./poll-page.ts";

type Row = Pick<StoredTrigger, "tenant" | "id" | "kind" | "updatedAt" | "standing" | "settings">;

export async function notifyPoller(deps: Deps, row: Row): Promise<void> {
  const terms = pollerTerms(row);
  if (terms === null) return;
  try {
    await deps.trigger(`${row.tenant}/${row.id}`).updatePoller(terms);
  } catch (cause) {
    const about = { tenant: row.tenant, trigger: row.id, message: String(cause) };
    deps.log({ level: "warn", event: "poller_not_notified", ...about });
  }
}
