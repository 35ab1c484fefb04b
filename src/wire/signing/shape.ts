// What webhooks are signed with, on the wire.
import { z } from "zod";
import { isoDuration } from "#schema/definition/timing.ts";
import { lengthMs } from "#schema/definition/duration-text.ts";
import { limits } from "#schema/limits.ts";
import { endpointName } from "#schema/outgoing/signing.ts";
import { instant, reason } from "#schema/values.ts";
import { plainQuery } from "../query.ts";

const url = z
  .url({ protocol: /^https?$/, message: "an absolute URL, as an action calls it" })
  .max(limits.urlCharsMax)
  .meta({ description: "A receiver by its address: origin and path. Query and fragment do not count." });
const endpoint = endpointName.meta({ description: "A receiver by the name that actions give it (`sign.endpoint`)." });

type Named = { readonly url?: string | undefined; readonly endpoint?: string | undefined };
const oneOf = { path: ["url"], message: "name the receiver by url or by endpoint" };

export const signingKeysQuery = plainQuery
  .extend({ url: url.optional(), endpoint: endpoint.optional() })
  .refine((asked: Named) => (asked.url === undefined) !== (asked.endpoint === undefined), oneOf);

const overlap = isoDuration
  .refine((text) => !(lengthMs(text) < 0 || lengthMs(text) > limits.signingOverlapMsMax), {
    message: `a duration from PT0S to P${limits.signingOverlapMsMax / (24 * 60 * 60_000)}D`,
  })
  .meta({
    description:
      "For how long the keys before go on signing. `PT0S`, where a key has leaked: nothing older signs any more.",
    examples: ["P7D"],
  });

export const rotateSigningBody = z
  .strictObject({ url: url.optional(), endpoint: endpoint.optional(), overlap, reason: reason.optional() })
  .refine((asked: Named) => asked.url === undefined || asked.endpoint === undefined, oneOf)
  .meta({ id: "RotateSigningKeys", examples: [{ endpoint: "orders", overlap: "P7D" }] });
export type RotateSigningBody = z.input<typeof rotateSigningBody>;

const previousUntil = instant
  .nullable()
  .meta({ description: "Until when the keys before sign as well; null: they do not." });
const mode = z.enum(["endpoint", "tenant"]);

export const signingKeys = z
  .object({
    endpoint: z.string().meta({ description: "The receiver: its name, or its origin." }),
    keys: z
      .array(
        z.object({
          secret: z.string().meta({ description: "`whsec_` and base64, as Standard Webhooks has it." }),
          kind: mode.meta({ description: "tenant: all of the tenant's receivers have this one in common." }),
          since: instant.nullable(),
          until: instant.nullable().meta({ description: "null: until it is rotated." }),
        }),
      )
      .meta({ description: "The newest first; each signs every message to this receiver." }),
  })
  .meta({ id: "SigningKeys" });
export type ApiSigningKeys = z.infer<typeof signingKeys>;

export const signing = z
  .object({
    mode: mode.meta({ description: "endpoint: each receiver has a key of its own. tenant: all have one in common." }),
    since: instant.nullable(),
    previousUntil,
    previousMode: mode.nullable().meta({ description: "What signs as well until then." }),
    endpoints: z
      .array(z.object({ endpoint: z.string(), since: instant, previousUntil }))
      .meta({ description: "Receivers that were rotated by themselves since." }),
  })
  .meta({ id: "Signing" });
export type ApiSigning = z.infer<typeof signing>;

export const rotatedSigning = z
  .object({
    endpoint: z.string().nullable().meta({ description: "null: all receivers." }),
    since: instant,
    previousUntil,
    dryRun: z.boolean(),
  })
  .meta({ id: "RotatedSigningKeys" });
export type ApiRotatedSigning = z.infer<typeof rotatedSigning>;
