// Triggers: creates, reads and deletes them.
import type { Page } from "#catalog/page.ts";
import {
  findTrigger,
  triggerRows,
  type StoredTrigger,
  listTriggers as list,
  type TriggerFilters,
} from "#catalog/triggers.ts";
import type { TriggerView } from "#schema/inbound/delivery.ts";
import type { Trigger, TriggerSettings } from "#schema/inbound/trigger.ts";
import type { JsonObject } from "#schema/json.ts";
import { triggerDefaults } from "#schema/defaults.ts";
import { TRIGGER_STATE_MS } from "#schema/limits/inbound/trigger-requests.ts";
import { type Result, accept, refuse } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { createNamed } from "../named/create-named.ts";
import { deleteNamed, type DeleteNamed } from "../named/delete-named.ts";
import { findNamed } from "../named/find-named.ts";
import { type NamedNoun, type NamedView, viewOf } from "../named/named-noun.ts";
import { withTimeLimit } from "../time-limit.ts";
import { checkTrigger } from "./check-trigger.ts";
import { evictTriggers, makeToken } from "./hook-token.ts";
import { evictListening } from "./listening-triggers.ts";
import { pollerTerms } from "./poll-page.ts";
import { notifyPoller } from "./notify-poller.ts";

export type TriggerRowView = NamedView<StoredTrigger>;

export const triggerNoun: NamedNoun<StoredTrigger> = {
  word: "trigger",
  one: "a trigger",
  verb: "trigger",
  idPrefix: "trg",
  rows: triggerRows,
  find: findTrigger,
  quota: "triggers",
  evict: (tenant) => {
    evictTriggers(tenant);
    evictListening(tenant);
  },
};

/**
 * Returns the stored settings. Only a webhook is called by senders. The settings of other triggers contain the scheme
 * `none` and a default rate, which are never used.
 */
export function settingsOf(body: Trigger): TriggerSettings {
  const { name: _name, namespace: _namespace, labels: _labels, ...rest } = body;
  switch (rest.kind) {
    case "webhook": {
      const { kind: _kind, ...settings } = rest;
      return settings;
    }
    case "poller":
    case "event": {
      const { kind: _kind, ...settings } = rest;
      const { perMinute, burst } = triggerDefaults;
      return { ...settings, verify: { scheme: "none" }, rateLimit: { perMinute, burst } };
    }
  }
}

type Written = Pick<StoredTrigger, "name" | "kind" | "namespace" | "labels" | "settings">;

/** Returns the trigger as the body that a client would send for it. */
export function triggerAsWritten({ name, kind, namespace, labels, settings }: Written): JsonObject {
  const { verify, rateLimit, ...common } = settings;
  const own = kind === "webhook" ? { verify, rateLimit } : {};
  return { name, kind, namespace, labels, ...own, ...common } as JsonObject; // The settings are parsed JSON.
}

export type CreateTrigger = { readonly body: Trigger; readonly dryRun: boolean };

export async function createTrigger(
  deps: Deps,
  caller: TenantCaller,
  { body, dryRun }: CreateTrigger,
): Promise<Result<TriggerRowView>> {
  const { tenant } = caller;
  // Without the installation's signing key no URL can be issued. So the request is refused now, before a client tries
  // to read the URL.
  const provable = body.kind === "webhook" ? await makeToken(deps, { tenant, trigger: "", generation: 1 }) : null;
  if (provable?.ok === false) return provable;
  const checked = await checkTrigger(deps, tenant, body);
  if (!checked.ok) return checked;
  const { name, kind, namespace, labels } = body;
  const settings = settingsOf(body);
  const token = { generation: 1, previousUntil: 0 };
  const standing = { v: 1, disabled: null, token, previousSecret: null } as const;
  const created = await createNamed(deps, caller, triggerNoun, {
    name,
    complete: (row) => ({ ...row, kind, namespace, labels, settings, standing }),
    dryRun,
  });
  if (created.ok && !dryRun) await notifyPoller(deps, { ...created.value, tenant });
  return created;
}

/** A trigger with the state of its object. `state` is null if the object does not answer. */
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
  /** True: also read the state of each trigger, which costs one call to each trigger's object. */
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

/**
 * Reads the object's state. Returns null if the object does not answer, because clients must be able to read the stored
 * row at any time.
 */
async function stateOf(deps: Deps, row: StoredTrigger): Promise<TriggerView | null> {
  const { tenant, id } = row;
  try {
    const asked = deps.trigger(`${tenant}/${id}`).view(pollerTerms(row) ?? undefined);
    return await withTimeLimit(TRIGGER_STATE_MS, asked);
  } catch (cause) {
    deps.log({ level: "warn", event: "trigger_state_not_read", tenant, trigger: id, message: String(cause) });
    return null;
  }
}

/**
 * Returns the token of a webhook's URL. If the sender does not sign its requests, anyone with the token can send them,
 * so the token is confidential like a password.
 */
export async function tokenOf(deps: Deps, caller: TenantCaller, view: TriggerRowView): Promise<Result<string>> {
  if (view.kind !== "webhook") return refuse(noAddress);
  const { generation } = view.standing.token;
  return makeToken(deps, { tenant: caller.tenant, trigger: view.id, generation });
}

export const noAddress = {
  code: "invalid_input",
  message: "Only a trigger of the kind webhook has an address. This trigger polls or listens to events.",
  hint: "POST /v1/triggers/{ref}/poll makes a poller poll now; POST /v1/events publishes an event.",
  errors: [
    { pointer: "/kind", code: "not_a_webhook", message: 'is "poller": a poller has no address and verifies no sender' },
  ],
} as const;

export async function deleteTrigger(
  deps: Deps,
  caller: TenantCaller,
  input: DeleteNamed,
): Promise<Result<TriggerRowView>> {
  const deleted = await deleteNamed(deps, caller, triggerNoun, input);
  if (!deleted.ok || input.dryRun) return deleted;
  const { id } = deleted.value;
  try {
    await deps.trigger(`${caller.tenant}/${id}`).forget();
  } catch (cause) {
    // A failure is only logged. The object deletes its remaining data on its own after some days.
    deps.log({
      level: "warn",
      event: "trigger_not_cleared",
      tenant: caller.tenant,
      trigger: id,
      message: String(cause),
    });
  }
  return deleted;
}
