// Firebase push: sends a message through Firebase Cloud Messaging's v1 API with a service account. A part of the push
// runner.
import type { Json, JsonObject } from "#schema/json.ts";
import { ANSWER_BYTES_MAX } from "#schema/limits/outgoing/responses.ts";
import { endpointUrl, openAccount, secretsIn, withToken } from "../core/account.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { incompleteNote, send, type HttpAnswer, type HttpRefusal } from "../http/call.ts";
import { textAt, valueAt } from "#schema/provider/json-pointer.ts";
import { importRsaKey } from "../core/jwt.ts";
import type { FcmConfig, PushResult } from "./config.ts";
import { meaningFrom, refineRefusal, type ErrorMeanings } from "../core/refine-refusal.ts";
import type { RunnerContext } from "../core/runner.ts";
import { serviceAccountOf, serviceToken } from "./service-account.ts";

const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";

export async function pushThroughFcm(config: FcmConfig, context: RunnerContext): Promise<PushResult> {
  const opened = await openAccount(context, config.connection, "fcm", [
    ["serviceAccount"],
    ["projectId", "clientEmail", "privateKey"],
  ]);
  if (!opened.ok) return { ok: false, ...opened.failure };
  const { connection } = opened;
  const account = serviceAccountOf(connection);
  const key = account === null ? null : await importRsaKey(account.privateKey);
  if (account === null || key === null) {
    const message = `the connection ${connection.name} has no Google service account key`;
    return { ok: false, ...configurationFailure(message, "credential_invalid") };
  }
  const secrets = [...secretsIn(connection), account.privateKey];
  const source = { token: serviceToken(account, SCOPE, key, secrets, { connection, context }) };
  const call = (token: string) =>
    send(
      {
        method: "POST",
        url: endpointUrl(
          connection,
          "https://fcm.googleapis.com",
          `/v1/projects/${encodeURIComponent(account.projectId)}/messages:send`,
        ),
        headers: new Headers({
          Authorization: `Bearer ${token}`,
          "Content-Type": "application/json",
          "Idempotency-Key": context.ticket.idempotencyKey, // Firebase ignores this header; the app reads data.
        }),
        body: JSON.stringify({
          validateOnly: connection.sandbox,
          message: messageOf(config, context.ticket.idempotencyKey),
        }),
        secrets: [...secrets, token],
        answerBytesMax: ANSWER_BYTES_MAX,
      },
      context,
    );
  const answer: HttpAnswer | HttpRefusal = await withToken(
    source,
    call,
    (each) => !each.ok && each.answered?.status === 401,
  );
  return answer.ok
    ? { ok: true, messageId: textAt(answer.data, "/name"), ...incompleteNote(answer) }
    : { ok: false, ...refusalFailure(answer) };
}

function messageOf({ token, topic, condition, notification, data, priority, ttl }: FcmConfig, key: string): JsonObject {
  const texts = Object.entries(data ?? {}).map(([name, value]) => [name, String(value)]);
  return JSON.parse(
    JSON.stringify({
      token,
      topic,
      condition,
      notification,
      data: { idempotencyKey: key, ...Object.fromEntries(texts) },
      android: { priority: priority === "high" ? "HIGH" : "NORMAL", ttl: `${ttl}s` },
      webpush: { headers: { TTL: String(ttl), Urgency: priority } },
    }),
  ) as JsonObject; // JSON.stringify removes undefined fields
}

/** The meanings of Firebase's error codes. An unknown code has the meaning of the status. */
const MEANINGS: ErrorMeanings = {
  UNREGISTERED: ["not_found", false, "subscription_gone"],
  SENDER_ID_MISMATCH: ["authorization_failed", false, "sender_id_mismatch"],
  INVALID_ARGUMENT: ["malformed_request", false, "invalid_argument"],
  QUOTA_EXCEEDED: ["rate_limit", true, "quota_exceeded"],
  THIRD_PARTY_AUTH_ERROR: ["authentication_failed", false, "third_party_auth_error"],
  UNAVAILABLE: ["service_unavailable", true, "unavailable"],
  INTERNAL: ["service_unavailable", true, "internal"],
};

function refusalFailure(refusal: HttpRefusal): Failure {
  const data = refusal.answered?.data ?? null;
  const details = valueAt(data, "/error/details");
  const codes = Array.isArray(details) ? details.map((detail: Json) => textAt(detail, "/errorCode")) : [];
  const code = codes.find((each) => each !== null) ?? textAt(data, "/error/status");
  return refineRefusal(refusal, {
    ...(code === null ? {} : meaningFrom(MEANINGS, code)),
    providerMessage: textAt(data, "/error/message"),
  });
}
