// Web push: sends a message to one browser (RFC 8030), encrypted for it and signed with the connection's VAPID keys
// (RFC 8292). A part of the push runner.
import { credential, openAccount, secretsIn, setting } from "../core/account.ts";
import { base64url, decodeBase64, sha256, utf8 } from "../core/bytes.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { incompleteNote, send, type HttpRefusal } from "../http/call.ts";
import { importEcKey, signJwt } from "../core/jwt.ts";
import type { PushResult, WebPushConfig } from "./config.ts";
import { refineRefusal } from "../core/refine-refusal.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";
import { encryptMessage, PLAINTEXT_BYTES_MAX } from "./web-push-encryption.ts";

/**
 * The validity of a VAPID signature, in seconds. RFC 8292 allows at most a day, and some services refuse exactly a day.
 */
const SIGNED_FOR_S = 12 * 60 * 60;
const TOPIC_LENGTH = 32;

export async function pushToBrowser(config: WebPushConfig, context: RunnerContext): Promise<PushResult> {
  const opened = await openAccount(context, config.connection, "webpush", [["vapidPublicKey", "vapidPrivateKey"]]);
  if (!opened.ok) return { ok: false, ...opened.failure };
  const { subscription, payload, ttl, urgency, topic } = config;
  const body = await encryptPayload(subscription.keys, payload);
  if ("error" in body) return { ok: false, ...body };
  const signature = await vapidHeader(opened.connection, new URL(subscription.endpoint).origin, context);
  if (typeof signature !== "string") return { ok: false, ...signature };
  const key = context.ticket.idempotencyKey;
  const headers = new Headers({
    Authorization: signature,
    "Content-Encoding": "aes128gcm",
    "Content-Type": "application/octet-stream",
    TTL: String(ttl),
    Urgency: urgency,
    // All attempts have the same topic, so a repeat replaces an undelivered message of an earlier attempt.
    Topic: topic ?? base64url(await sha256(key)).slice(0, TOPIC_LENGTH),
    "Idempotency-Key": key,
  });
  const secrets = [...secretsIn(opened.connection), subscription.keys.auth];
  const answer = await send({ method: "POST", url: subscription.endpoint, headers, body, secrets }, context);
  if (!answer.ok) return { ok: false, ...refusalFailure(answer) };
  return { ok: true, messageId: answer.headers["location"] ?? null, ...incompleteNote(answer) };
}

async function encryptPayload(
  keys: WebPushConfig["subscription"]["keys"],
  payload: unknown,
): Promise<Uint8Array<ArrayBuffer> | Failure> {
  const message = utf8(typeof payload === "string" ? payload : JSON.stringify(payload));
  if (message.byteLength > PLAINTEXT_BYTES_MAX) {
    const size = `payload: ${message.byteLength} bytes; the limit of a push message is ${PLAINTEXT_BYTES_MAX}`;
    return configurationFailure(size, "payload_too_large");
  }
  const [p256dh, auth] = [decodeBase64(keys.p256dh), decodeBase64(keys.auth)];
  const body = p256dh === null || auth === null ? null : await encryptMessage(message, { p256dh, auth });
  return body ?? configurationFailure("subscription.keys: are not a browser's p256dh and auth", "subscription_invalid");
}

/**
 * Returns the Authorization header "vapid t=<jwt>, k=<public key>". It names the sender, the push service and a contact
 * address.
 */
async function vapidHeader(
  connection: OpenConnection,
  audience: string,
  context: RunnerContext,
): Promise<string | Failure> {
  const publicKey = credential(connection, "vapidPublicKey");
  const [publicBytes, privateBytes] = [
    decodeBase64(publicKey),
    decodeBase64(credential(connection, "vapidPrivateKey")),
  ];
  const key = publicBytes === null || privateBytes === null ? null : await importEcKey(publicBytes, privateBytes);
  if (key === null)
    return configurationFailure(
      `the connection ${connection.name} has no VAPID keys in base64url`,
      "credential_invalid",
    );
  const subject = setting(connection, "subject");
  const claims = {
    aud: audience,
    exp: Math.floor(context.now() / 1000) + SIGNED_FOR_S,
    ...(subject === "" ? {} : { sub: subject }),
  };
  return `vapid t=${await signJwt("ES256", key, claims)}, k=${publicKey}`;
}

/** Refines a refusal. An expired subscription gets its own code, so that a definition can delete it. */
function refusalFailure(refusal: HttpRefusal): Failure {
  const status = refusal.answered?.status ?? 0;
  if (status === 404 || status === 410) return refineRefusal(refusal, { code: "subscription_gone" });
  return status === 413 ? refineRefusal(refusal, { code: "payload_too_large" }) : refusal;
}
