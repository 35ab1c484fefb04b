// Imitated push services: a browser's at /push/<subscription>, and Firebase's messages:send below /fcm. Subscriptions
// and device tokens that begin with "gone" are expired.
import { z } from "zod";
import { isTokenValid } from "./oauth.ts";
import { asProvider, bearerOf, jsonOf, type ProviderImitation } from "./provider.ts";
import type { SandboxEnv } from "./env.ts";

const textResponse = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Response(text, { status, headers });

const service: ProviderImitation = {
  errorBody: (status) => ({ code: status, message: `scripted ${status}` }),
  perform: async (request, id) => {
    const { pathname, origin } = new URL(request.url);
    if (/\/gone[^/]*$/.test(pathname)) return textResponse(410, "push subscription has unsubscribed or expired.");
    if (!/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, ?k=[\w-]+$/.test(request.headers.get("Authorization") ?? ""))
      return textResponse(401, "VAPID credentials are missing");
    if (!/^\d+$/.test(request.headers.get("TTL") ?? "")) return textResponse(400, "TTL header is missing");
    if (request.headers.get("Content-Encoding") !== "aes128gcm")
      return textResponse(415, "Content-Encoding must be aes128gcm");
    const { byteLength } = await request.arrayBuffer();
    if (byteLength > 4096) return textResponse(413, "Payload Too Large");
    return textResponse(201, "", { Location: `${origin}/push-messages/${id}` });
  },
};

const message = z.looseObject({
  validateOnly: z.boolean().optional(),
  message: z.looseObject({
    token: z.string().optional(),
    topic: z.string().optional(),
    condition: z.string().optional(),
  }),
});

function refuse(code: number, status: string, message: string, errorCode?: string): Response {
  const type = "type.googleapis.com/google.firebase.fcm.v1.FcmError";
  const details = errorCode === undefined ? [] : [{ "@type": type, errorCode }];
  return Response.json({ error: { code, message, status, details } }, { status: code });
}

const firebase: ProviderImitation = {
  errorBody: (code) => ({
    error: { code, message: `scripted ${code}`, status: code === 429 ? "RESOURCE_EXHAUSTED" : "UNAVAILABLE" },
  }),
  perform: async (request, id) => {
    if (!isTokenValid(bearerOf(request)))
      return refuse(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.");
    const parsed = message.safeParse(await jsonOf(request));
    if (!parsed.success) return refuse(400, "INVALID_ARGUMENT", "Invalid JSON payload received.", "INVALID_ARGUMENT");
    const { token, topic, condition } = parsed.data.message;
    if ([token, topic, condition].filter((target) => target !== undefined).length !== 1) {
      return refuse(
        400,
        "INVALID_ARGUMENT",
        "Exactly one of token, topic or condition is required",
        "INVALID_ARGUMENT",
      );
    }
    if (token?.startsWith("gone")) return refuse(404, "NOT_FOUND", "Requested entity was not found.", "UNREGISTERED");
    const project = new URL(request.url).pathname.split("/")[4];
    return Response.json({ name: `projects/${project}/messages/${parsed.data.validateOnly ? "fake_message_id" : id}` });
  },
};

export const webPush = (request: Request, env: SandboxEnv) => asProvider(request, env, service);
export const fcm = (request: Request, env: SandboxEnv) => asProvider(request, env, firebase);
