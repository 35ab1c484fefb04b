// DocuSign callbacks: verifies a DocuSign Connect message about an envelope, and sends it as an event to the execution
// that created the envelope. An unknown tenant, an unknown connection and a wrong signature get the same refusal. So an
// unauthenticated caller learns nothing.
import { executionIdText } from "#schema/ids.ts";
import { tenantId } from "#schema/values.ts";
import { connectionName } from "#schema/connection.ts";
import { CALLBACK_RATE, CALLBACK_SENDER_RATE } from "#schema/limits/inbound/trigger-requests.ts";
import { accept, mayPass, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { readEnvelopeMessage, type EnvelopeMessage } from "./docusign-message.ts";
import { findForUnverified } from "../connections/find-connection.ts";
import { openForUnverified } from "../secrets/open-secrets.ts";
import { sendEvent } from "../executions/control-execution.ts";
import type { Rate } from "#policy/inbound/rate.ts";
import type { HookHead, HookRequest } from "#policy/inbound/scheme.ts";
import { docusign } from "#policy/inbound/schemes/docusign.ts";
import { bySpace, keysIn } from "./hook-keys.ts";
import { checkRequestRate } from "./request-rate.ts";
import { isVerified, isFresh } from "./verify-hook.ts";

export type DocusignCallback = { readonly tenant: string; readonly connection: string; readonly request: HookRequest };

/**
 * Returns null if the message has a signature and its sender has not used up its rate; the caller then reads the body.
 * Otherwise returns the refusal.
 */
export function admitCallback(
  deps: Pick<Deps, "now">,
  { tenant, connection, head }: Omit<DocusignCallback, "request"> & { readonly head: HookHead },
): Refusal | null {
  const { sender, ...request } = head;
  const rates = [
    { bucket: ["docusign", tenant, connection, sender], rate: CALLBACK_RATE },
    { bucket: ["docusign", sender], rate: CALLBACK_SENDER_RATE },
  ] as const;
  for (const { bucket, rate } of rates) {
    const retryAfterS = checkRequestRate(deps, bucket, rate);
    if (retryAfterS !== null) return tooMany(rate, retryAfterS);
  }
  return signatureClaim({ ...request, body: NO_BODY }) === null ? authenticationFailed : null;
}

const NO_BODY = new Uint8Array();

function signatureClaim(request: HookRequest) {
  return docusign.claim(request, { scheme: "docusign", secret: "" });
}

/** The response to DocuSign. DocuSign shows it in its own log. */
export type DocusignResult = {
  readonly received: true;
  readonly applied: boolean;
  readonly event: string;
  readonly envelopeId: string;
  readonly execution: string | null;
  /**
   * Why the message was not applied: the code of a refusal, or foreign_envelope, not_an_event or recipient_unknown. Null if it
   * was applied.
   */
  readonly reason: string | null;
};

/**
 * The accepted age of a message. DocuSign retries for some days with the original time, so the window must be wider
 * than these retries. A wide window is safe, because a message's id makes it apply only once.
 */
const WINDOW = { pastMs: 16 * 24 * 60 * 60_000, futureMs: 10 * 60_000 };

const EVENTS: ReadonlyMap<string, string> = new Map([
  ...["sent", "delivered", "completed", "declined", "voided"].map((each) => eventOf("envelope", each)),
  ...["sent", "delivered", "completed", "declined", "autoresponded"].map((each) => eventOf("recipient", each)),
]);

function eventOf(subject: string, eventName: string): readonly [string, string] {
  return [`${subject}-${eventName}`, `${subject}_${eventName}`];
}

export async function receiveDocusign(deps: Deps, callback: DocusignCallback): Promise<Result<DocusignResult>> {
  const { tenant, connection, request } = callback;
  const isNamed = tenantId.safeParse(tenant).success && connectionName.safeParse(connection).success;
  const claim = signatureClaim(request);
  if (!isNamed || claim === null) return refuse(authenticationFailed);
  const keys = await findKeys(deps, tenant, connection);
  if (!keys.ok) return keys;
  if (!(await isVerified(claim, request.body, keys.value, deps.now()))) return refuse(authenticationFailed);
  const message = readEnvelopeMessage(new TextDecoder().decode(request.body));
  if (message === null) return refuse(notAConnectMessage);
  // The message is too old, so it may be a recorded message that an attacker sends again. It gets the same refusal as a
  // forged message.
  if (!isFresh(message.generatedAt, deps.now(), WINDOW)) return refuse(authenticationFailed);
  return deliverMessage(deps, callback, message);
}

/**
 * Returns the connection's keys. The response time must not reveal which tenants and connections exist, so every
 * request does the same lookups, decryptions and comparisons. If there is no secret to look up, the name of a secret
 * that cannot exist is used.
 */
async function findKeys(deps: Deps, tenant: string, connection: string): Promise<Result<readonly string[]>> {
  try {
    const row = await findForUnverified(deps, tenant, connection);
    const secretName = row?.provider === "docusign" ? row.settings.credentials?.connectHmacKey : undefined;
    const opened = await openForUnverified(deps, tenant, secretName ?? `/${connection}`);
    return opened.ok ? accept(keysIn(opened.value, bySpace, deps)) : refuse(secretsUnavailable);
  } catch (cause) {
    deps.log({ level: "error", event: "callback_not_checked", tenant, connection, message: String(cause) });
    return refuse(secretsUnavailable);
  }
}

async function deliverMessage(
  deps: Deps,
  callback: DocusignCallback,
  message: EnvelopeMessage,
): Promise<Result<DocusignResult>> {
  const { tenant, connection } = callback;
  const { event, envelopeId, recipientId, payload } = message;
  const type = EVENTS.get(event);
  const eventName = event.replace(/^[a-z]+-/, "");
  const parsedId = executionIdText.safeParse(message.execution);
  const execution = parsedId.success ? parsedId.data : null;
  const answer = { received: true, event: type ?? event, envelopeId, execution } as const;
  const ignored = (reason: string): Result<DocusignResult> => {
    const about = { tenant, connection, told: event, envelopeId, execution };
    deps.log({ level: "warn", event: "callback_not_applied", ...about, reason });
    return accept({ ...answer, applied: false, reason });
  };
  if (execution === null) return ignored("foreign_envelope");
  if (type === undefined) return ignored("not_an_event");
  if (event.startsWith("recipient-") && recipientId === null) return ignored("recipient_unknown");
  const caller: TenantCaller = { actor: { kind: "engine", id: `docusign/${connection}` }, tenant, scopes: ["write"] };
  const sent = await sendOrUnavailable(deps, caller, {
    execution,
    // The id is derived from the envelope, the recipient and the event, so a repeated message gives an event with the
    // same id.
    id: recipientId === null ? `docusign/${envelopeId}/${event}` : `docusign/${envelopeId}/${recipientId}/${eventName}`,
    type,
    payload,
    source: `docusign/${connection}`,
    correlationId: null,
    key: null,
    dryRun: false,
  });
  if (sent.ok) return accept({ ...answer, applied: true, reason: null });
  // The message may be accepted later. After this refusal DocuSign sends it again.
  if (mayPass(sent.refusal) || sent.refusal.code === "not_configured") return sent;
  return ignored(sent.refusal.code);
}

/** Sends the event. An exception becomes `unavailable`, so that DocuSign sends the message again. */
async function sendOrUnavailable(deps: Deps, caller: TenantCaller, event: Parameters<typeof sendEvent>[2]) {
  try {
    return await sendEvent(deps, caller, event);
  } catch (cause) {
    deps.log({ level: "error", event: "callback_not_delivered", execution: event.execution, message: String(cause) });
    return refuse({ code: "unavailable", message: "The engine cannot reach the execution of this callback." });
  }
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

const authenticationFailed = {
  code: "unauthenticated",
  message: "Authentication failed: the signature is missing, invalid or too old.",
  hint: "Sign the unchanged body with the connection's connectHmacKey.",
} as const;

const secretsUnavailable = {
  code: "unavailable",
  message: "Signatures cannot be checked, because secrets cannot be looked up.",
} as const;

const notAConnectMessage = {
  code: "invalid_input",
  message: "The body is not a JSON message of DocuSign Connect.",
  hint: "Select the format JSON (REST v2.1) in the Connect configuration.",
} as const;
