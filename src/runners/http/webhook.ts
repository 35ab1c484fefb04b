// Webhook runner: calls a URL with a signed payload and returns the answer.
import { z } from "zod";
import { isJson, json, type JsonObject } from "#schema/json.ts";
import { attemptMs } from "#schema/defaults.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { incompleteNote, send, storedData, USER_AGENT, type HttpCall } from "./call.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import { redactUrl } from "../core/redact.ts";
import { bodyOf, encoding, refusePayload } from "./payload.ts";
import {
  absoluteUrl,
  expectedStatusCodes,
  headersOf,
  requestHeaders,
  requestQuery,
  setHeaders,
  withQuery,
  type SentHeaders,
} from "./request.ts";
import type { Runner, RunnerContext } from "../core/runner.ts";
import { signatureHeaders } from "./signature.ts";
import { SIGNING_KEYS_CHARS_MAX } from "#schema/limits/outgoing/secret-sizes.ts";
import { endpointName, endpointOf, type SignFor } from "#schema/outgoing/signing.ts";

const webhookConfig = z
  .strictObject({
    url: absoluteUrl,
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]).default("POST"),
    headers: requestHeaders.optional(),
    query: requestQuery.optional(),
    /** The payload. A string is sent unchanged. */
    payload: json.optional(),
    /** The encoding of the payload. Default: JSON. */
    encoding: encoding.optional(),
    expectedStatusCodes: expectedStatusCodes.optional(),
    /**
     * How the call is signed. Default: with the key of the called URL, if the installation signs. `endpoint` names a
     * receiver that has several URLs. `secret` is the tenant's own key, or two keys separated by a space.
     */
    sign: z
      .union([
        z.boolean(),
        z.strictObject({ endpoint: endpointName }),
        z.strictObject({ secret: z.string().min(1).max(SIGNING_KEYS_CHARS_MAX) }),
      ])
      .optional(),
  })
  .superRefine((config, context) =>
    refusePayload(config, (path, message) => context.addIssue({ code: "custom", path: [...path], message })),
  );
type WebhookConfig = z.infer<typeof webhookConfig>;

/** The fields of the most common config, which needs no full parsing. */
const PLAIN: ReadonlySet<string> = new Set<keyof WebhookConfig>(["url", "method", "payload"]);
/** Methods that allow a payload. */
const WITH_PAYLOAD = ["POST", "PUT", "PATCH", "DELETE"] as const;

function plainConfig(config: JsonObject): WebhookConfig | null {
  for (const name of Object.keys(config)) if (!PLAIN.has(name)) return null;
  const { url, method: given = "POST", payload } = config;
  const method = WITH_PAYLOAD.find((one) => one === given);
  if (typeof url !== "string" || method === undefined || payload === undefined) return null;
  return URL.canParse(url) && isJson(payload) ? { url, method, payload } : null;
}

export const webhook: Runner<WebhookConfig> = {
  type: "webhook",
  config: webhookConfig,
  calls: ["/url"],
  plain: plainConfig,
  permissions: ["http:send"],
  // Every attempt sends the same Idempotency-Key and webhook-id, but it is unknown whether a receiver recognizes
  // repeats by them. A call that may have been sent twice is therefore reported as possibly repeated.
  repeats: { mode: "none" },
  timeoutMs: attemptMs.service,
  retryPolicy: "default",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const call = await callOf(config, context);
    if ("error" in call) return failureOutcome(call, span());
    const url = redactUrl(call.url);
    const answer = await send(call, context);
    if (!answer.ok) return failureOutcome(answer, span(), { url });
    const { status: statusCode, headers } = answer;
    const { endedAt } = span();
    const payload = {
      url,
      method: config.method,
      statusCode,
      responseTime: endedAt - startedAt,
      actionId: context.ticket.action,
    };
    const result = { statusCode, headers, ...storedData(answer), ...incompleteNote(answer) };
    const events = [{ type: "webhook_called", payload }];
    return successOutcome({ result, events }, { startedAt, endedAt }, { url, statusCode });
  },
};

async function callOf(config: WebhookConfig, context: RunnerContext): Promise<HttpCall | Failure> {
  const { method, payload, expectedStatusCodes } = config;
  const { text: body, contentType } = bodyOf(payload, config.encoding);
  const headers = headersOf(config.headers, {
    "Idempotency-Key": context.ticket.idempotencyKey,
    "Content-Type": contentType,
    "User-Agent": USER_AGENT,
  });
  const unsigned = await sign(headers, body ?? "", config, context);
  const url = config.query === undefined ? config.url : withQuery(config.url, config.query);
  return unsigned ?? { method, url, headers, body, expectedStatusCodes };
}

/**
 * Adds the signature headers for exactly the bytes that are sent. Returns a failure if the key is invalid, otherwise
 * null.
 */
async function sign(
  headers: SentHeaders,
  body: string,
  config: WebhookConfig,
  context: RunnerContext,
): Promise<Failure | null> {
  const { sign: how = true, url } = config;
  if (how === false) return null;
  const keys = await context.signing(signFor(how, url));
  if (!keys.ok) return keys.failure;
  if (keys.secrets.length === 0 && config.sign === undefined) return null;
  if (keys.secrets.length === 0)
    return configurationFailure("sign: this installation has no signing key", "signing_secret_missing");
  // The engine creates the id, so it contains no full stop that could shift the signed parts.
  const timestamp = Math.floor(context.now() / 1000);
  const signed = await signatureHeaders(keys.secrets, { id: context.ticket.idempotencyKey, timestamp, body });
  if (signed === null)
    return configurationFailure(
      "sign: the signing secret must be whsec_ and 24 to 64 bytes in base64",
      "signing_secret_invalid",
    );
  setHeaders(headers, signed);
  return null;
}

function signFor(how: Exclude<WebhookConfig["sign"], undefined | false>, url: string): SignFor {
  if (how === true) return { endpoint: endpointOf(url) };
  return "secret" in how ? { own: how.secret } : how;
}
