// Verification of inbound webhooks: how the sender authenticates its requests.
import { z } from "zod";
import { URL_CHARS_MAX } from "../limits/api-requests.ts";
import { secretName } from "../secret.ts";

export const headerName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9_-]+$/, { message: "must be the name of an HTTP header" });

/**
 * The name of the secret that contains the signing key. The secret may contain several signing keys, one per line. Each
 * of them is tried.
 */
const secret = secretName.meta({
  description:
    "The name of the secret that contains the key. If the secret has several keys, write each key on its own line.",
});

const piece = z.string().min(1).max(40);
const hmac = z.strictObject({
  scheme: z.literal("hmac"),
  secret,
  header: headerName.meta({ description: "The header that has the signature.", examples: ["X-Signature"] }),
  signed: z
    .string()
    .max(200)
    .refine((text) => text.split("{body}").length === 2, { message: "{body} must occur exactly once" })
    .default("{body}")
    .meta({
      description: "The signed text: `{body}` once, and `{timestamp}`, `{method}`, `{url}` or `{header:name}`.",
      examples: ["{timestamp}.{body}"],
    }),
  algorithm: z.enum(["sha1", "sha256", "sha384", "sha512"]).default("sha256"),
  encoding: z.enum(["hex", "base64", "base64url"]).default("hex"),
  keyEncoding: z.enum(["text", "hex", "base64"]).default("text"),
  prefix: piece.optional().meta({ description: "The text before each signature.", examples: ["sha256="] }),
  separator: piece.optional().meta({ description: "The separator of several signatures.", examples: [","] }),
  timestamp: z
    .strictObject({
      header: headerName,
      /** If the header has several parts: the text before the timestamp, such as "t=" in "t=…,v1=…". */
      prefix: piece.optional(),
      unit: z.enum(["s", "ms", "iso"]).default("s"),
    })
    .optional(),
});

/** The URL under which the sender calls this installation. It is needed if the sender's signature covers the URL. */
const publicUrl = z
  .url({ protocol: /^https?$/, message: "must be this installation's address as the sender uses it" })
  .max(URL_CHARS_MAX)
  .refine((url) => !/[?#]/.test(url), {
    message: "must have no query or fragment, because the query of each request is added",
  })
  .optional();

export const verification = z
  .discriminatedUnion("scheme", [
    z.strictObject({ scheme: z.literal("standard_webhooks"), secret }),
    z.strictObject({ scheme: z.literal("github"), secret }),
    z.strictObject({ scheme: z.literal("stripe"), secret }),
    z.strictObject({ scheme: z.literal("slack"), secret }),
    z.strictObject({ scheme: z.literal("twilio"), secret, publicUrl }),
    z.strictObject({ scheme: z.literal("sendgrid"), secret }),
    z.strictObject({ scheme: z.literal("docusign"), secret }),
    hmac.extend({ publicUrl }),
    z.strictObject({ scheme: z.literal("basic"), username: z.string().min(1).max(200), secret }),
    z.strictObject({ scheme: z.literal("token"), header: headerName.default("Authorization"), secret }),
    z.strictObject({ scheme: z.literal("none") }),
  ])
  .superRefine((settings, context) => {
    if (settings.scheme !== "hmac") return;
    const isSigned = settings.signed.includes("{timestamp}");
    if (isSigned === (settings.timestamp !== undefined)) return;
    const message = isSigned
      ? "is missing: `signed` contains {timestamp}"
      : "is not signed: put {timestamp} into `signed`, or remove this field";
    context.addIssue({ code: "custom", path: ["timestamp"], message });
  });
export type Verification = z.infer<typeof verification>;
export type SchemeName = Verification["scheme"];
