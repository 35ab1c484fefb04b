// Webhook signing keys: API shapes.
import { z } from "zod";
import { isoDuration } from "#schema/definition/timing.ts";
import { lengthMs } from "#schema/definition/duration-text.ts";
import { URL_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { SIGNING_OVERLAP_MS_MAX } from "#schema/limits/outgoing/secret-sizes.ts";
import { endpointName } from "#schema/outgoing/signing.ts";
import { instant, reason } from "#schema/values.ts";
import { plainQuery } from "../query.ts";

const url = z
  .url({ protocol: /^https?$/, message: "must be an absolute URL, as in the action" })
  .max(URL_CHARS_MAX)
  .meta({ description: "The receiver's address: origin and path, without query and fragment." });
const endpoint = endpointName.meta({ description: "The receiver's name, as actions give it in `sign.endpoint`." });

type Named = { readonly url?: string | undefined; readonly endpoint?: string | undefined };
const oneOf = { path: ["url"], message: "must name the receiver by url or by endpoint" };

export const signingKeysQuery = plainQuery
  .extend({ url: url.optional(), endpoint: endpoint.optional() })
  .refine((asked: Named) => (asked.url === undefined) !== (asked.endpoint === undefined), oneOf);

const overlap = isoDuration
  .refine((text) => !(lengthMs(text) < 0 || lengthMs(text) > SIGNING_OVERLAP_MS_MAX), {
    message: `must be a duration from PT0S to P${SIGNING_OVERLAP_MS_MAX / (24 * 60 * 60_000)}D`,
  })
  .meta({
    description: "How long the previous keys continue to sign. Use `PT0S` if a key has leaked.",
    examples: ["P7D"],
  });

export const rotateSigningBody = z
  .strictObject({ url: url.optional(), endpoint: endpoint.optional(), overlap, reason: reason.optional() })
  .refine((asked: Named) => asked.url === undefined || asked.endpoint === undefined, oneOf)
  .meta({ id: "RotateSigningKeys", examples: [{ endpoint: "orders", overlap: "P7D" }] });
export type RotateSigningBody = z.input<typeof rotateSigningBody>;

const previousUntil = instant
  .nullable()
  .meta({ description: "Until when the previous keys continue to sign; null if they do not." });
const mode = z.enum(["endpoint", "tenant"]);

export const signingKeys = z
  .object({
    endpoint: z.string().meta({ description: "The receiver: its name, or its origin." }),
    keys: z
      .array(
        z.object({
          secret: z.string().meta({ description: "`whsec_` and base64, as in Standard Webhooks." }),
          kind: mode.meta({
            description: "endpoint: the key of this receiver. tenant: the key that all receivers of the tenant share.",
          }),
          since: instant.nullable(),
          until: instant.nullable().meta({ description: "Until when the key signs; null: until the next rotation." }),
        }),
      )
      .meta({ description: "The keys, newest first. Each key signs every message to this receiver." }),
  })
  .meta({ id: "SigningKeys" });
export type ApiSigningKeys = z.infer<typeof signingKeys>;

export const signing = z
  .object({
    mode: mode.meta({ description: "endpoint: each receiver has its own key. tenant: all receivers share one key." }),
    since: instant.nullable(),
    previousUntil,
    previousMode: mode.nullable().meta({ description: "The previous key, which also signs until this instant." }),
    endpoints: z
      .array(z.object({ endpoint: z.string(), since: instant, previousUntil }))
      .meta({ description: "The receivers whose keys were rotated individually since then." }),
  })
  .meta({ id: "Signing" });
export type ApiSigning = z.infer<typeof signing>;

export const rotatedSigning = z
  .object({
    endpoint: z.string().nullable().meta({ description: "The receiver; null for a rotation of all receivers." }),
    since: instant,
    previousUntil,
    dryRun: z.boolean(),
  })
  .meta({ id: "RotatedSigningKeys" });
export type ApiRotatedSigning = z.infer<typeof rotatedSigning>;
