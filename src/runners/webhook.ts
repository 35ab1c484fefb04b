// Calls an address of the definition's choosing, signed, and reports what came back.
import { z } from "zod";
import { json } from "#schema/json.ts";
import { configurationFailure, type Failure } from "./classify.ts";
import { send, type HttpCall } from "./http.ts";
import { failed, succeeded } from "./outcomes.ts";
import { redactUrl } from "./redact.ts";
import type { Runner, RunnerContext } from "./runner.ts";
import { signatureHeaders } from "./signature.ts";

/** A rendered template that is one whole expression keeps its type, so a number may stand where text goes out. */
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { message: "a header's name" });
const headerValue = scalar.refine((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value)), {
  message: "a header's value: one line, no control characters, no characters beyond Latin-1",
});

const webhookConfig = z
  .strictObject({
    url: z.string().refine((url) => URL.canParse(url), { message: "an absolute URL such as https://example.com/hook" }),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]).default("POST"),
    headers: z.record(headerName, headerValue).optional(),
    /** Added to the URL's own query; a list gives the name several times. */
    query: z.record(z.string(), z.union([scalar, z.array(scalar)])).optional(),
    /** Sent as JSON; a string is sent as it is. */
    payload: json.optional(),
    expectedStatusCodes: z.array(z.number().int().min(200).max(599)).min(1).optional(),
    /** Default: signed when the tenant has a signing secret. */
    sign: z.boolean().optional(),
  })
  .superRefine(({ method, payload, headers }, context) => {
    if (payload !== undefined && (method === "GET" || method === "HEAD")) {
      context.addIssue({
        code: "custom",
        path: ["payload"],
        message: `a ${method} request carries no payload; use query`,
      });
    }
    for (const name of Object.keys(headers ?? {}).filter((name) => CONNECTION_HEADERS.test(name))) {
      context.addIssue({ code: "custom", path: ["headers", name], message: "this header is set by the connection" });
    }
  });
type WebhookConfig = z.infer<typeof webhookConfig>;

/** They decide where a message ends and whom it is for: not the definition's to say. */
const CONNECTION_HEADERS = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|proxy-.*)$/i;

export const webhook: Runner<WebhookConfig> = {
  type: "webhook",
  config: webhookConfig,
  permissions: ["http:send"],
  // Every attempt carries the same Idempotency-Key and webhook-id, but nobody can know whether a receiver heeds them.
  // So a call that may have gone out twice is reported as such; the key makes it harmless only where it is honoured.
  idempotency: { mode: "none" },
  timeoutMs: 30_000,
  retryPolicy: "default",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const call = await callOf(config, context);
    if ("error" in call) return failed(call, span());
    const url = redactUrl(call.url);
    const answer = await send(call, context);
    if (!answer.ok) return failed(answer, span(), { url });
    const { status: statusCode, headers, data, truncated } = answer;
    const { endedAt } = span();
    const payload = {
      url,
      method: config.method,
      statusCode,
      responseTime: endedAt - startedAt,
      actionId: context.ticket.action,
    };
    const result = truncated ? { statusCode, headers, data, truncated } : { statusCode, headers, data };
    const events = [{ type: "webhook_called", payload }];
    return succeeded({ result, events }, { startedAt, endedAt }, { url, statusCode });
  },
};

async function callOf(config: WebhookConfig, context: RunnerContext): Promise<HttpCall | Failure> {
  const { method, payload, expectedStatusCodes } = config;
  const body = payload === undefined ? null : typeof payload === "string" ? payload : JSON.stringify(payload);
  const headers = new Headers(Object.entries(config.headers ?? {}).map(([name, value]) => [name, String(value)]));
  setDefault(headers, "Idempotency-Key", context.ticket.idempotencyKey);
  setDefault(headers, "User-Agent", "Escapement/1");
  if (body !== null) setDefault(headers, "Content-Type", "application/json");
  const unsigned = await sign(headers, body ?? "", config, context);
  return unsigned ?? { method, url: withQuery(config), headers, body, expectedStatusCodes };
}

/** Signs last, over the very bytes that go out. Gives a failure, or null when all is well. */
async function sign(
  headers: Headers,
  body: string,
  config: WebhookConfig,
  context: RunnerContext,
): Promise<Failure | null> {
  const secret = context.signingSecret;
  if (config.sign === false || (secret === null && config.sign !== true)) return null;
  if (secret === null) return configurationFailure("sign: the tenant has no signing secret", "signing_secret_missing");
  // The id is made by the engine, never by a caller, so its full stop cannot be used to shift the signed parts.
  const timestamp = Math.floor(context.now() / 1000);
  const signed = await signatureHeaders(secret, { id: context.ticket.idempotencyKey, timestamp, body });
  if (signed === null)
    return configurationFailure("sign: the signing secret is not whsec_ and base64", "signing_secret_invalid");
  for (const [name, value] of Object.entries(signed)) headers.set(name, value);
  return null;
}

function setDefault(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}

function withQuery({ url, query = {} }: WebhookConfig): string {
  const full = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) full.searchParams.append(name, String(item));
  }
  return full.href;
}
