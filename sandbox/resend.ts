// Imitated Resend, /emails below /resend. Accepts API keys that begin with re_. A repeated idempotency key gets the
// same message id.
import { z } from "zod";
import { acceptMessage } from "./callbacks/message-callbacks.ts";
import { asProvider, bearerOf, idFrom, jsonOf, type ProviderImitation } from "./provider.ts";
import { type SandboxEnv, storeOf } from "./env.ts";

const addresses = z.union([z.string().min(3), z.array(z.string().min(3)).min(1).max(50)]);
const message = z.looseObject({
  from: z.string().regex(/@/),
  to: addresses,
  subject: z.string().min(1).optional(),
  html: z.string().optional(),
  text: z.string().optional(),
  template: z.looseObject({ id: z.string() }).optional(),
  reply_to: addresses.optional(),
  scheduled_at: z.iso.datetime().optional(),
  tags: z.array(z.looseObject({ name: z.string(), value: z.string() })).optional(),
  attachments: z
    .array(
      z.looseObject({ content: z.base64().min(1), filename: z.string().min(1), content_id: z.string().optional() }),
    )
    .optional(),
});

const refuse = (statusCode: number, name: string, message: string) =>
  Response.json({ statusCode, name, message }, { status: statusCode });

/** How long Resend stores an idempotency key: a day. */
const KEY_KEPT_MS = 24 * 60 * 60_000;
const SCHEDULED_MAX_MS = 30 * KEY_KEPT_MS;

const imitation = (env: SandboxEnv): ProviderImitation => ({
  errorBody: (status) => ({
    statusCode: status,
    name: status === 429 ? "rate_limit_exceeded" : "application_error",
    message: `scripted ${status}`,
  }),
  perform: async (request, id) => {
    // Resend's proxy refuses requests without a User-Agent, and does not use Resend's error format.
    if (!request.headers.get("User-Agent")) return new Response("error code: 1010", { status: 403 });
    const key = bearerOf(request);
    if (key === "") return refuse(401, "missing_api_key", "Missing API key in the authorization header.");
    if (!key.startsWith("re_")) return refuse(403, "invalid_api_key", "API key is invalid.");
    const body = await jsonOf(request);
    const parsed = message.safeParse(body);
    if (!parsed.success)
      return refuse(
        422,
        "missing_required_field",
        parsed.error.issues.map(({ path }) => `Missing \`${path.join(".")}\` field.`).join(" "),
      );
    const { subject, html, text, template, scheduled_at } = parsed.data;
    if (template === undefined && subject === undefined)
      return refuse(422, "missing_required_field", "Missing `subject` field.");
    if (template === undefined && (html ?? text) === undefined)
      return refuse(422, "missing_required_field", "Missing `html` or `text` field.");
    if (Date.parse(scheduled_at ?? "") > Date.now() + SCHEDULED_MAX_MS)
      return refuse(422, "validation_error", "The `scheduled_at` field cannot be more than 30 days ahead.");
    const idempotencyKey = request.headers.get("Idempotency-Key");
    if (idempotencyKey !== null) {
      const digest = await idFrom(JSON.stringify(body));
      const first = await storeOf(env).storeOnce(`resend/${key}/${idempotencyKey}`, digest, KEY_KEPT_MS);
      if (first !== digest)
        return refuse(409, "invalid_idempotent_request", "Same idempotency key used with a different request payload.");
    }
    const messageId = await idFrom(idempotencyKey ?? `request ${id}`);
    const { to, tags = [] } = parsed.data;
    const fields = { tags: Object.fromEntries(tags.map(({ name, value }) => [name, value])) };
    const recipients = [to].flat().map((each) => /<([^>]+)>$/.exec(each)?.[1] ?? each);
    await acceptMessage(env, "resend", { messageId, recipients, fields, url: null });
    return Response.json({ id: messageId });
  },
});

export const resend = (request: Request, env: SandboxEnv) => asProvider(request, env, imitation(env));
