// Hook requests: handles a request, from the token in its URL to the response. It checks the trigger and the sender,
// reads the deliveries, and stores them with one call of the trigger's object. Before the sender is verified, only the
// trigger, its secrets and the fields of a signed form are read.
import type { StoredTrigger } from "#catalog/triggers.ts";
import { formRefusal } from "#policy/inbound/form.ts";
import { rateRefusal } from "#policy/inbound/deliveries.ts";
import { claimOf, schemes } from "#policy/inbound/registry.ts";
import type { HookHead, HookRequest } from "#policy/inbound/scheme.ts";
import { isTokenAccepted } from "#policy/inbound/token.ts";
import type { DeliveryAnswer, SenderFault, TriggerTerms } from "#schema/inbound/delivery.ts";
import type { Json } from "#schema/json.ts";
import { SENDER_REFUSAL_STORED_MS } from "#schema/limits/inbound/trigger-requests.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { Deps } from "../deps.ts";
import { byLine, keysIn } from "../hooks/hook-keys.ts";
import { checkRequestRate } from "../hooks/request-rate.ts";
import { verificationFault } from "../hooks/verify-hook.ts";
import { openIsolateCache, peekCached, putCached } from "../isolate-cache.ts";
import { rateStates } from "../quotas/rate-state.ts";
import { tenantSuspended } from "../quotas/take-quota.ts";
import { tenantSettingsOf } from "../quotas/tenant-settings.ts";
import { openForUnverified } from "../secrets/open-secrets.ts";
import { findHook, readToken } from "./hook-token.ts";
import { readArrivals } from "./read-arrivals.ts";

export type HookResult =
  | { readonly kind: "taken"; readonly deliveries: readonly DeliveryAnswer[] }
  | { readonly kind: "echo"; readonly body: Json }
  | { readonly kind: "unsupported" };

/**
 * Returns the trigger of a token if the request's body may be read. The sender must have rate left, and the request
 * must have the headers and URL that the trigger's scheme requires.
 */
export async function admitRequest(
  deps: Deps,
  token: string,
  { sender, ...head }: HookHead,
): Promise<Result<StoredTrigger>> {
  const hook = await openHook(deps, token);
  if (!hook.ok) return hook;
  const { tenant, id, settings } = hook.value;
  const retryAfterS = checkRequestRate(deps, ["trigger", tenant, id, sender], settings.rateLimit);
  if (retryAfterS !== null) return refuse(rateRefusal(settings.rateLimit, retryAfterS));
  return claimOf({ ...head, body: NO_BODY }, settings.verify) === null
    ? refuseSender(deps, hook.value, "signature_missing")
    : hook;
}

const NO_BODY = new Uint8Array();

/** Returns the trigger of a token. If the token's signature is wrong, it is refused without reading the catalog. */
export async function openHook(deps: Deps, token: string): Promise<Result<StoredTrigger>> {
  const ids = await readToken(deps, token);
  if (ids === null) return refuse(authenticationFailed);
  const row = await findRow(deps, ids.tenant, ids.trigger);
  if (row === "unknown") return refuse(triggerUnavailable);
  const isOpen = row?.kind === "webhook" && isTokenAccepted(ids.generation, row.standing, deps.now());
  return isOpen ? accept(row) : refuse(addressClosed);
}

async function findRow(deps: Deps, tenant: string, trigger: string): Promise<StoredTrigger | null | "unknown"> {
  try {
    return await findHook(deps, tenant, trigger);
  } catch (cause) {
    deps.log({ level: "error", event: "trigger_not_read", tenant, trigger, message: String(cause) });
    return "unknown";
  }
}

export async function receiveHook(deps: Deps, row: StoredTrigger, request: HookRequest): Promise<Result<HookResult>> {
  const formFault = formRefusal(request);
  if (formFault !== null && schemes[row.settings.verify.scheme].signsFields) return refuse(formFault);
  const fault = await senderFault(deps, row, withPublicUrl(row, request));
  if (!fault.ok) return fault;
  if (fault.value !== null) return refuseSender(deps, row, fault.value);
  const refused = formFault ?? (await tenantRefusal(deps, row));
  if (refused !== null) return refuse(refused);
  const read = await readArrivals(deps, row, request);
  if (!read.ok) return read;
  if (read.value.kind !== "arrivals") return accept(read.value);
  const { arrivals } = read.value;
  const stored = await callWithRetry(
    () => deps.trigger(`${row.tenant}/${row.id}`).receiveDeliveries(triggerTerms(row), arrivals),
    "trigger",
  );
  if (!stored.ok) return stored;
  if (!stored.value.ok) return stored.value;
  logUnmappable(deps, row, stored.value.value);
  return accept({ kind: "taken", deliveries: stored.value.value });
}

function refuseSender(deps: Deps, row: StoredTrigger, reason: SenderFault) {
  deps.log({ level: "warn", event: "hook_signature_invalid", tenant: row.tenant, trigger: row.id, reason });
  deps.background(storeRefusal(deps, row, reason));
  return refuse(authenticationFailed);
}

const storedRefusals = openIsolateCache<true>({
  sizeMax: isolateCaches.triggers.sizeMax,
  freshMs: () => SENDER_REFUSAL_STORED_MS,
  staleMs: () => 0,
});

/** Stores the reason in the trigger's object, at most once a minute, because anyone can send invalid requests. */
async function storeRefusal(deps: Deps, { tenant, id }: StoredTrigger, reason: SenderFault): Promise<void> {
  const at = deps.now();
  const name = `${tenant}/${id}`;
  if (peekCached(storedRefusals, `${name}/${reason}`, at)) return;
  putCached(storedRefusals, `${name}/${reason}`, true, at);
  try {
    await deps.trigger(name).recordRefusal({ at, reason });
  } catch (cause) {
    deps.log({ level: "warn", event: "sender_refusal_not_stored", tenant, trigger: id, message: String(cause) });
  }
}

export function triggerTerms({ tenant, id, kind, settings }: StoredTrigger): TriggerTerms {
  return { tenant, trigger: id, kind, ...settings.rateLimit };
}

function withPublicUrl({ settings: { verify } }: StoredTrigger, request: HookRequest): HookRequest {
  const publicUrl = "publicUrl" in verify ? verify.publicUrl : undefined;
  if (publicUrl === undefined) return request;
  const { pathname, search } = new URL(request.url);
  return { ...request, url: `${publicUrl.replace(/\/+$/, "")}${pathname}${search}` };
}

/** Returns why the sender is not verified; null if it is. */
async function senderFault(deps: Deps, row: StoredTrigger, request: HookRequest): Promise<Result<SenderFault | null>> {
  const { verify } = row.settings;
  const claim = claimOf(request, verify);
  if (claim === null) return accept("signature_missing");
  const keys: string[] = [];
  let isSet = verify.scheme === "none";
  for (const name of secretsOf(row, deps.now())) {
    const opened = await openForUnverified(deps, row.tenant, name);
    if (!opened.ok) return refuse(triggerUnavailable);
    isSet ||= opened.value !== null;
    keys.push(...keysIn(opened.value, byLine, deps));
  }
  const fault = await verificationFault(claim, request.body, keys, deps.now());
  return accept(fault !== null && !isSet ? "secret_missing" : fault);
}

/** Returns the name of the current secret. During a rotation, also returns the name of the previous one. */
function secretsOf({ settings: { verify }, standing }: StoredTrigger, now: number): readonly string[] {
  if (verify.scheme === "none") return [];
  const { previousSecret } = standing;
  const isOverlapping = previousSecret !== null && now < previousSecret.until;
  return [verify.secret, ...(isOverlapping ? [previousSecret.name] : [])];
}

/**
 * Refuses requests if the tenant is suspended or its start quota is used up, as far as this isolate knows. A delivery
 * that was accepted earlier waits in the trigger's object until the quota has room.
 */
async function tenantRefusal(deps: Deps, { tenant, settings }: StoredTrigger): Promise<Refusal | null> {
  const { suspended } = await tenantSettingsOf(deps, tenant);
  if (suspended !== null) return tenantSuspended(suspended);
  if (settings.target.kind !== "start") return null;
  const starts = (await rateStates(deps, tenant)).find(({ quota }) => quota === "startsPerSecond");
  if (starts === undefined || starts.left > 0) return null;
  const retryAfterS = Math.max(1, Math.ceil(starts.resetMs / 1_000));
  return {
    code: "quota_exceeded",
    message: `This tenant has used up its start quota (${starts.quota}).`,
    hint: "Send the request again after Retry-After.",
    details: { limit: starts.quota, max: starts.max, retryAfterS },
    retryAfterS,
  };
}

/** Logs one line per request, even if many of its deliveries cannot be mapped. */
function logUnmappable(deps: Deps, { tenant, id }: StoredTrigger, stored: readonly DeliveryAnswer[]): void {
  const stuck = stored.filter(({ status, duplicate }) => status === "unmappable" && !duplicate);
  const [first] = stuck;
  if (first === undefined) return;
  const { code, message } = first.reason ?? { code: null, message: null };
  const about = { tenant, trigger: id, delivery: first.id, count: stuck.length };
  deps.log({ level: "warn", event: "delivery_unmappable", ...about, code, message });
}

const authenticationFailed = {
  code: "unauthenticated",
  message: "Authentication failed: invalid token or signature.",
  hint: "Use the trigger's complete address, and sign the request as the trigger's scheme requires.",
} as const;

const addressClosed = {
  code: "trigger_closed",
  message: "This trigger address no longer accepts requests.",
  hint: "The trigger was disabled or deleted, or its address was replaced.",
} as const;

const triggerUnavailable = {
  code: "unavailable",
  message: "The catalog does not answer, so the trigger cannot be looked up.",
} as const;
