// Provider callbacks: verifies what a provider reports about messages, and applies it to the runs that have sent them. An
// unknown tenant, an unknown connection and a wrong signature get the same refusal. So an unauthenticated caller learns
// nothing.
import { tenantId } from "#schema/values.ts";
import { connectionName } from "#schema/connection.ts";
import { CALLBACK_AHEAD_MS, CALLBACK_MESSAGES_MAX } from "#schema/limits/inbound/callbacks.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { ProviderMessage } from "#policy/inbound/callbacks/provider-message.ts";
import { formRefusal } from "#policy/inbound/form.ts";
import type { Rate } from "#policy/inbound/rate.ts";
import type { HookHead, HookRequest, SignatureClaim } from "#policy/inbound/scheme.ts";
import { findForUnverified, type CallbackConnection } from "../connections/find-connection.ts";
import { publicUrlOf } from "../connections/callback-address.ts";
import type { Deps } from "../deps.ts";
import { openForUnverified } from "../secrets/open-secrets.ts";
import { applyMessages, type AppliedMessage } from "./apply-messages.ts";
import { callbackProvider, type CallbackProvider } from "./callback-providers.ts";
import { keysIn } from "./hook-keys.ts";
import { checkRequestRate } from "./request-rate.ts";
import { isVerified, isFresh } from "./verify-hook.ts";

export type Callback = {
  readonly provider: CallbackProvider;
  readonly tenant: string;
  readonly connection: string;
  readonly request: HookRequest;
};

/** Returns the provider of a callback URL. An unknown provider gets the refusal of an unknown connection. */
export function findProvider(name: string): Result<CallbackProvider> {
  const provider = callbackProvider(name);
  return provider === null ? refuse(authenticationFailed) : accept(provider);
}

/**
 * Returns null if the message has a signature and its sender has not used up its rate; the caller then reads the body.
 * Otherwise returns the refusal.
 */
export function admitCallback(
  deps: Pick<Deps, "now">,
  { provider, tenant, connection, head }: Omit<Callback, "request"> & { readonly head: HookHead },
): Refusal | null {
  const { sender, ...request } = head;
  const rates = [
    { bucket: [provider.name, tenant, connection, sender], rate: provider.rate },
    { bucket: [provider.name, sender], rate: provider.senderRate },
  ] as const;
  for (const { bucket, rate } of rates) {
    const retryAfterS = checkRequestRate(deps, bucket, rate);
    if (retryAfterS !== null) return tooMany(rate, retryAfterS);
  }
  return provider.claim({ ...request, body: NO_BODY }) === null ? authenticationFailed : null;
}

const NO_BODY = new Uint8Array();

export async function receiveCallback(deps: Deps, callback: Callback): Promise<Result<readonly AppliedMessage[]>> {
  const { provider, tenant, connection } = callback;
  const isNamed = tenantId.safeParse(tenant).success && connectionName.safeParse(connection).success;
  const formFault = formRefusal(callback.request);
  if (formFault !== null) return refuse(formFault);
  if (!isNamed || provider.claim(callback.request) === null) return refuse(authenticationFailed);
  const found = await findKeys(deps, callback);
  if (!found.ok) return found;
  const { row, keys } = found.value;
  const request = calledAs(deps, row, callback.request);
  const claim = provider.claim(request);
  if (claim === null) return refuse(authenticationFailed);
  const now = deps.now();
  // The age of the signature is checked below, because providers repeat callbacks for different times.
  if (!(await isVerified({ ...claim, signedAt: null }, request.body, keys, now))) return refuse(authenticationFailed);
  const messages = provider.read(request, now);
  if (messages === null) return refuse(otherForm(provider));
  if (messages.length > CALLBACK_MESSAGES_MAX) return refuse(tooManyMessages(messages.length));
  // The callback is too old, so it may be a recorded callback that an attacker sends again. It gets the same refusal as a
  // forged callback.
  if (row === null || !isRecent(provider, claim, messages, now)) return refuse(authenticationFailed);
  return apply(deps, callback, row, messages);
}

/** Checks the time of the signature. If the provider signs none, checks the time of the message. */
function isRecent(
  { ageMsMax }: CallbackProvider,
  { signedAt }: SignatureClaim,
  messages: readonly ProviderMessage[],
  now: number,
): boolean {
  const at = signedAt ?? messages[0]?.at;
  return ageMsMax === null || at === undefined || isFresh(at, now, { pastMs: ageMsMax, futureMs: CALLBACK_AHEAD_MS });
}

/** Applies the messages. An exception becomes `unavailable`, so that the provider sends the callback again. */
async function apply(
  deps: Deps,
  { provider, tenant }: Callback,
  row: CallbackConnection,
  messages: readonly ProviderMessage[],
): Promise<Result<readonly AppliedMessage[]>> {
  const { name, actionType, isSameMessage } = provider;
  const source = { tenant, provider: name, actionType, connection: [row.name, row.id], isSameMessage } as const;
  try {
    const applied = await applyMessages(deps, source, messages);
    logIgnored(deps, source, applied);
    const undecided = applied.find((each) => each.undecided !== null)?.undecided ?? null;
    return undecided === null ? accept(applied) : refuse(undecided);
  } catch (cause) {
    deps.log({ level: "error", event: "callback_not_applied", tenant, connection: row.name, message: String(cause) });
    return refuse(catalogUnavailable);
  }
}

/** Logs one line for each reason for which messages had no effect, because a callback may have thousands of messages. */
function logIgnored(
  deps: Pick<Deps, "log">,
  { tenant, connection }: { readonly tenant: string; readonly connection: readonly string[] },
  applied: readonly AppliedMessage[],
): void {
  const ignored = applied.filter(({ reason, recorded }) => reason !== null && !recorded);
  for (const [reason, messages] of Map.groupBy(ignored, (each) => each.reason)) {
    const [first] = messages;
    const { named, messageId, reference } = first?.message ?? { named: null, messageId: null, reference: null };
    const about = {
      tenant,
      connection: connection[0],
      told: named,
      messageId,
      execution: reference?.execution ?? null,
    };
    deps.log({ level: "warn", event: "callback_not_applied", ...about, count: messages.length, reason });
  }
}

type Found = { readonly row: CallbackConnection | null; readonly keys: readonly string[] };

/**
 * Returns the connection's keys. The response time must not reveal which tenants and connections exist, so every
 * request does the same lookups, decryptions and comparisons. If there is no secret to look up, the name of a secret
 * that cannot exist is used.
 */
async function findKeys(deps: Deps, { provider, tenant, connection }: Callback): Promise<Result<Found>> {
  try {
    const found = await findForUnverified(deps, tenant, connection);
    const row = found?.provider === provider.name ? found : null;
    const secretName = row?.settings.credentials?.[provider.credential];
    const opened = await openForUnverified(deps, tenant, secretName ?? `/${connection}`);
    if (!opened.ok) return refuse(secretsUnavailable);
    return accept({ row, keys: keysIn(opened.value, provider.keySeparator, deps) });
  } catch (cause) {
    deps.log({ level: "error", event: "callback_not_checked", tenant, connection, message: String(cause) });
    return refuse(secretsUnavailable);
  }
}

/** Returns the request with the URL that the provider has called and signed. A proxy may have changed its host. */
function calledAs(deps: Pick<Deps, "installation">, row: CallbackConnection | null, request: HookRequest): HookRequest {
  const publicUrl = publicUrlOf(deps, row);
  if (publicUrl === null || !URL.canParse(request.url)) return request;
  const { pathname, search } = new URL(request.url);
  return { ...request, url: `${publicUrl}${pathname}${search}` };
}

function tooMany({ perMinute, burst }: Rate, retryAfterS: number): Refusal {
  return {
    code: "rate_limited",
    message: `One calling address may send ${perMinute} callbacks per minute, and ${burst} in one burst.`,
    hint: "Send the callback again after the time in Retry-After.",
    details: { perMinute, burst, retryAfterS },
    retryAfterS,
  };
}

function otherForm({ name, formHint }: CallbackProvider): Refusal {
  return { code: "invalid_input", message: `The body is not a callback of ${name}.`, hint: formHint };
}

function tooManyMessages(size: number): Refusal {
  return {
    code: "limit_exceeded",
    message: `The callback has ${size} messages; the limit is ${CALLBACK_MESSAGES_MAX}.`,
    hint: "Send fewer messages in one callback.",
    details: { field: "body", size, limit: CALLBACK_MESSAGES_MAX },
  };
}

const authenticationFailed = {
  code: "unauthenticated",
  message: "Authentication failed: the signature is missing, invalid or too old.",
  hint: "Sign the unchanged body with the key in the connection's credentials.",
} as const;

const secretsUnavailable = {
  code: "unavailable",
  message: "Signatures cannot be checked, because secrets cannot be looked up.",
} as const;

const catalogUnavailable = {
  code: "unavailable",
  message: "The catalog does not answer, so the callback cannot be applied.",
  hint: "Send the same callback again. Applied messages are not applied again.",
} as const;
