// Imitated SendGrid v3 Mail Send, below /sendgrid. Accepts API keys that begin with SG., and refuses senders with the
// address unverified@….
import { z } from "zod";
import { acceptMessage } from "./callbacks/message-callbacks.ts";
import { asProvider, bearerOf, jsonOf, type ProviderImitation } from "./provider.ts";
import type { SandboxEnv } from "./env.ts";

const person = z.looseObject({ email: z.email("Does not contain a valid address."), name: z.string().optional() });
const people = z.array(person).min(1).max(1000);
const tracked = z.looseObject({ enable: z.boolean().optional() });
const attachment = z.looseObject({
  content: z.base64("The attachment content must be base64 encoded.").min(1),
  filename: z.string().min(1),
  disposition: z.enum(["attachment", "inline"]).optional(),
  content_id: z.string().optional(),
});
const mail = z.looseObject({
  personalizations: z
    .array(
      z.looseObject({
        to: people,
        cc: people.optional(),
        bcc: people.optional(),
        custom_args: z.record(z.string(), z.string()).optional(),
      }),
    )
    .min(1)
    .max(1000),
  from: person,
  subject: z.string().min(1).optional(),
  reply_to: person.optional(),
  reply_to_list: z.array(person).max(1000).optional(),
  send_at: z.number().int().optional(),
  attachments: z.array(attachment).optional(),
  tracking_settings: z
    .looseObject({ open_tracking: tracked.optional(), click_tracking: tracked.optional() })
    .optional(),
  content: z
    .array(z.looseObject({ type: z.string().min(1), value: z.string().min(1) }))
    .min(1)
    .optional(),
  template_id: z.string().optional(),
  mail_settings: z.looseObject({ sandbox_mode: z.looseObject({ enable: z.boolean() }).optional() }).optional(),
});

const SEND_AT_MAX_MS = 72 * 60 * 60_000;

const refuse = (status: number, message: string, field: string | null = null) =>
  Response.json({ errors: [{ message, field, help: null }] }, { status });

const imitation = (env: SandboxEnv): ProviderImitation => ({
  errorBody: (status) => ({ errors: [{ message: `scripted ${status}`, field: null, help: null }] }),
  perform: async (request, id) => {
    if (!bearerOf(request).startsWith("SG."))
      return refuse(401, "The provided authorization grant is invalid, expired, or revoked");
    const body = await jsonOf(request);
    if (body === undefined) return refuse(400, "Bad Request");
    const parsed = mail.safeParse(body);
    if (!parsed.success) {
      const errors = parsed.error.issues.map(({ path, message }) => ({ message, field: path.join("."), help: null }));
      return Response.json({ errors }, { status: 400 });
    }
    const { from, subject, content, template_id, mail_settings, reply_to, reply_to_list, send_at = 0 } = parsed.data;
    if (reply_to !== undefined && reply_to_list !== undefined)
      return refuse(400, "Cannot use both reply_to and reply_to_list.", "reply_to_list");
    if (send_at * 1000 > Date.now() + SEND_AT_MAX_MS)
      return refuse(400, "The send_at time cannot be scheduled more than 72 hours in advance.", "send_at");
    if (from.email.startsWith("unverified@")) {
      return refuse(
        403,
        "The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved.",
        "from",
      );
    }
    if (template_id === undefined && subject === undefined)
      return refuse(
        400,
        "The subject is required. You can get around this requirement if you use a template with a subject defined",
        "subject",
      );
    if (template_id === undefined && content === undefined)
      return refuse(400, "Unless a valid template_id is provided, the content parameter is required.", "content");
    // In SendGrid's own sandbox mode, a valid mail gets a 200 without a message id.
    if (mail_settings?.sandbox_mode?.enable) return new Response(null, { status: 200 });
    const messageId = `sendgrid-${id}`;
    for (const { to, cc = [], bcc = [], custom_args = {} } of parsed.data.personalizations) {
      const recipients = [...to, ...cc, ...bcc].map(({ email }) => email);
      await acceptMessage(env, "sendgrid", { messageId, recipients, fields: custom_args, url: null });
    }
    return new Response(null, { status: 202, headers: { "X-Message-Id": messageId } });
  },
});

export const sendgrid = (request: Request, env: SandboxEnv) => asProvider(request, env, imitation(env));
