// Recurring actions in a configuration document. Only those with a name are part of one, because a document has no ids.
import { findRecurringId, listNamedRecurring } from "#catalog/recurring.ts";
import { assert } from "#kernel/assert.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { ConfigurationNoun, DesiredItem, StoredItem } from "../configuration/configuration-noun.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { recurringInvalid } from "./invalid-recurring.ts";
import { putRecurring, recurringTag } from "./put-recurring.ts";
import { recurringAsWritten } from "./recurring-body.ts";
import { cronFindings, unresolvedSpec } from "./recurring-spec.ts";
import { deleteRecurring } from "./recurring.ts";
import { findRecurringRef, readRecurring } from "./recurring-view.ts";

export const recurringConfiguration: ConfigurationNoun = {
  kind: "recurring",
  scope: "write",
  find: ({ deps, caller }, name) => findStored(deps, caller, name),
  list: async ({ deps, caller }, after, limit) => {
    const rows = await listNamedRecurring(deps.db, caller.tenant, after, limit);
    return accept(rows.map(({ spec }) => spec.name ?? ""));
  },
  parse: async (_context, item) => {
    const { asked, enabled } = requestOf(item);
    const findings = cronFindings(asked.cron);
    if (findings.length > 0) return { ok: false, refusal: recurringInvalid(findings) };
    return accept(recurringAsWritten(unresolvedSpec({ ...asked, name: item.name }), enabled === false));
  },
  isCheckedByDryRun: true,
  put: ({ deps, caller }, item, mode) => {
    const { asked, enabled } = requestOf(item);
    return putRecurring(deps, caller, { name: item.name, asked, enabled, language: "en", ...mode });
  },
  remove: async ({ deps, caller }, name, reason) => {
    const id = await findRecurringRef(deps, caller, name);
    return id.ok ? deleteRecurring(deps, caller, { id: id.value, namespace: null, key: null, reason }) : id;
  },
};

/** The state of the object is read, because the catalog's row may be older. */
async function findStored(deps: Deps, caller: TenantCaller, name: string): Promise<Result<StoredItem | null>> {
  const id = await findRecurringId(deps.db, caller.tenant, name);
  if (id === null) return accept(null);
  const read = await readRecurring(deps, caller, { id, namespace: null });
  if (!read.ok) return read;
  const { spec, status } = read.value;
  return accept({ body: recurringAsWritten(spec, status === "paused"), tag: await recurringTag(read.value) });
}

function requestOf({ recurring }: DesiredItem) {
  assert(recurring !== null, "the document's recurring actions are parsed before they are applied");
  return recurring;
}
