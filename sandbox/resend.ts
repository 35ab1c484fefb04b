// Resend's /emails, below /resend: takes keys that begin with re_, and gives the same key the same message.
import { z } from "zod";
import { asProvider, bearerOf, idFrom, jsonOf, type Manners } from "./provider.ts";
import type { SandboxEnv } from "./env.ts";

const some = z.union([z.string().min(3), z.array(z.string().min(3)).min(1).max(50)]);
const message = z.looseObject({
  from: z.string().regex(/@/),
  to: some,
  subject: z.string().min(1).optional(),
  html: z.string().optional(),
  text: z.string().optional(),
  template: z.looseObject({ id: z.string() }).optional(),
});

const refuse = (statusCode: number, name: string, said: string) =>
  Response.json({ statusCode, name, message: said }, { status: statusCode });

const manners: Manners = {
  errorBody: (status) => ({
    statusCode: status,
    name: status === 429 ? "rate_limit_exceeded" : "application_error",
    message: `scripted ${status}`,
  }),
  perform: async (request, id) => {
    // As what stands before Resend does, without a word of Resend's.
    if (!request.headers.get("User-Agent")) return new Response("error code: 1010", { status: 403 });
    const key = bearerOf(request);
    if (key === "") return refuse(401, "missing_api_key", "Missing API key in the authorization header.");
    if (!key.startsWith("re_")) return refuse(403, "invalid_api_key", "API key is invalid.");
    const parsed = message.safeParse(await jsonOf(request));
    if (!parsed.success)
      return refuse(
        422,
        "missing_required_field",
        parsed.error.issues.map(({ path }) => `Missing \`${path.join(".")}\` field.`).join(" "),
      );
    const { subject, html, text, template } = parsed.data;
    if (template === undefined && subject === undefined)
      return refuse(422, "missing_required_field", "Missing `subject` field.");
    if (template === undefined && (html ?? text) === undefined)
      return refuse(422, "missing_required_field", "Missing `html` or `text` field.");
    return Response.json({ id: await idFrom(request.headers.get("Idempotency-Key") ?? `request ${id}`) });
  },
};

export const resend = (request: Request, env: SandboxEnv) => asProvider(request, env, manners);
