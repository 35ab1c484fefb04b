// Reads triggers: all of a tenant's by name, one and how it is doing, and where one is called.
import { listTriggers as list, type StoredTrigger, type TriggerFilters } from "#catalog/triggers.ts";
import type { Page } from "#catalog/page.ts";
import type { TriggerView } from "#schema/inbound/delivery.ts";
import { TRIGGER_STATE_MS } from "#schema/limits/inbound.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { withTimeLimit } from "../time-limit.ts";
import { findNamed } from "../named/find-named.ts";
import { viewOf } from "../named/named-noun.ts";
import { makeToken } from "./hook-token.ts";
import { pollerTerms } from "./poll-terms.ts";
import { triggerNoun, type TriggerRowView } from "./trigger-noun.ts";

/** `state` is null where its object does not answer. */
export type TriggerInUse = TriggerRowView & { readonly state: TriggerView | null };

export async function listTriggers(
  deps: Deps,
  caller: TenantCaller,
  { filters, cursor, limit, withState }: ListTriggers,
): Promise<Result<Page<TriggerInList>>> {
  const page = await list(deps.db, caller.tenant, filters, cursor, limit);
  if (!page.ok) return page;
  const { data, ...more } = page.value;
  if (!withState) return accept({ ...more, data: data.map(viewOf) });
  const states = await Promise.all(data.map((row) => stateOf(deps, row)));
  return accept({ ...more, data: data.map((row, n) => ({ ...viewOf(row), state: states[n] ?? null })) });
}

export type ListTriggers = {
  readonly filters: TriggerFilters;
  readonly cursor: string | null;
  readonly limit: number;
  /** A call of the object of each. */
  readonly withState: boolean;
};
export type TriggerInList = TriggerRowView & { readonly state?: TriggerView | null };

export async function getTrigger(
  deps: Deps,
  caller: TenantCaller,
  { ref }: { readonly ref: string },
): Promise<Result<TriggerInUse>> {
  const found = await findNamed(deps, caller, triggerNoun, ref);
  if (!found.ok) return found;
  return accept({ ...viewOf(found.value), state: await stateOf(deps, found.value) });
}

/** What is stored can be read also when its object is being moved. */
async function stateOf(deps: Deps, row: StoredTrigger): Promise<TriggerView | null> {
  const { tenant, id } = row;
  try {
    const asked = deps.trigger(`${tenant}/${id}`).view(pollerTerms(row) ?? undefined);
    return await withTimeLimit(TRIGGER_STATE_MS, asked);
  } catch (cause) {
    deps.log({ level: "warn", event: "trigger_silent", tenant, trigger: id, message: String(cause) });
    return null;
  }
}

/** As good as a password where nothing is signed. */
export async function tokenOf(deps: Deps, caller: TenantCaller, view: TriggerRowView): Promise<Result<string>> {
  if (view.kind !== "webhook") return refuse(noAddress);
  const { generation } = view.standing.token;
  return makeToken(deps, { tenant: caller.tenant, trigger: view.id, generation });
}

export const noAddress = {
  code: "invalid_input",
  message: "Only a webhook has an address: this one asks, or hears events, and is not called.",
  hint: "POST /v1/triggers/{ref}/poll lets a poller ask now; POST /v1/events posts an event.",
  errors: [
    { pointer: "/kind", code: "not_a_webhook", message: "is poller, which has no address and nobody to believe" },
  ],
} as const;
