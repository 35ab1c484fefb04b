// Imitated Slack, below /slack: chat.postMessage for tokens that begin with xox, and incoming webhooks. A channel whose
// name begins with "archived" is archived, and a channel whose name begins with "unknown" does not exist. A webhook
// whose URL ends in "revoked" is revoked.
import { z } from "zod";
import { asProvider, bearerOf, jsonOf, type ProviderImitation } from "./provider.ts";
import type { SandboxEnv } from "./env.ts";

const message = z.looseObject({
  channel: z.string().optional(),
  text: z.string().optional(),
  blocks: z.array(z.looseObject({ type: z.string() })).optional(),
});

/** Slack answers with status 200 even if it refuses the request. */
const refuse = (error: string) => Response.json({ ok: false, error });

const app: ProviderImitation = {
  errorBody: (status) => ({ ok: false, error: status === 429 ? "ratelimited" : "internal_error" }),
  perform: async (request, id) => {
    const token = bearerOf(request);
    if (token === "") return refuse("not_authed");
    if (!token.startsWith("xox")) return refuse("invalid_auth");
    const parsed = message.safeParse(await jsonOf(request));
    if (!parsed.success) return refuse("invalid_arguments");
    const { channel = "", text, blocks } = parsed.data;
    const name = channel.replace(/^#/, "");
    if (name === "" || name.startsWith("unknown")) return refuse("channel_not_found");
    if (name.startsWith("archived")) return refuse("is_archived");
    if (text === undefined && blocks === undefined) return refuse("no_text");
    const ts = `${Math.floor(Date.now() / 1000)}.${String(id).padStart(6, "0")}`;
    return Response.json({ ok: true, channel, ts, message: { type: "message", text: text ?? "", ts } });
  },
};

const textResponse = (status: number, text: string) =>
  new Response(text, { status, headers: { "Content-Type": "text/plain; charset=utf-8" } });

const hook: ProviderImitation = {
  errorBody: () => ({}),
  perform: async (request) => {
    if (new URL(request.url).pathname.endsWith("revoked")) return textResponse(404, "no_service");
    const parsed = message.safeParse(await jsonOf(request));
    if (!parsed.success) return textResponse(400, "invalid_payload");
    return parsed.data.text === undefined && parsed.data.blocks === undefined
      ? textResponse(400, "no_text")
      : textResponse(200, "ok");
  },
};

export const slackApi = (request: Request, env: SandboxEnv) => asProvider(request, env, app);
export const slackHook = (request: Request, env: SandboxEnv) => asProvider(request, env, hook);
