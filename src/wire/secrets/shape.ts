// Secrets: API shapes. Only requests contain a value, never an answer.
import { z } from "zod";
import { SECRET_CHARS_MIN } from "#schema/limits/outgoing/secret-sizes.ts";
import { secretHosts } from "#schema/outgoing/bound-secret.ts";
import { secretName } from "#schema/secret.ts";
import { instant, reason, tenantId } from "#schema/values.ts";

export const secretNameText = secretName.meta({
  description: "The name of the secret, as in `{{ secrets.name }}`.",
  examples: ["crm_api_token"],
});

const tooShort = `must have at least ${SECRET_CHARS_MIN} characters, because shorter values cannot be redacted reliably from responses`;

const HOSTS = "The only hosts that actions with this secret may call; `*.example.com` means all subdomains.";

export const setSecretBody = z
  .strictObject({
    value: z
      .string()
      .min(SECRET_CHARS_MIN, { message: tooShort })
      .meta({ description: "Stored encrypted and never returned." }),
    hosts: secretHosts
      .nullable()
      .optional()
      .meta({ description: `${HOSTS} null: all hosts. Default: unchanged, or any host for a new secret.` }),
  })
  .meta({ id: "SetSecret", examples: [{ value: "the-token", hosts: ["api.example.com"] }] });
export type SetSecretBody = z.input<typeof setSecretBody>;

export const bindSecretBody = z
  .strictObject({
    hosts: secretHosts.nullable().meta({ description: `${HOSTS} null: all hosts.` }),
    reason: reason.optional(),
  })
  .meta({ id: "BindSecret", examples: [{ hosts: ["api.example.com", "*.example.net"] }] });
export type BindSecretBody = z.input<typeof bindSecretBody>;

export const secret = z
  .object({
    name: z.string(),
    version: z.number().int().meta({ description: "The version, which counts how often the secret was set." }),
    hosts: z
      .array(z.string())
      .nullable()
      .meta({ description: `${HOSTS} null: all hosts.` }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "Secret" });
export type ApiSecret = z.infer<typeof secret>;

export const changedSecret = secret.extend({ dryRun: z.boolean() }).meta({ id: "ChangedSecret" });
export type ApiChangedSecret = z.infer<typeof changedSecret>;

export const reencryptedSecrets = z
  .object({
    keyId: z.string().meta({ description: "The current encryption key." }),
    reencrypted: z.number().int().meta({ description: "The number of secrets that this request re-encrypted." }),
    remaining: z
      .number()
      .int()
      .meta({ description: "The number of secrets that are still encrypted with another key." }),
    unreadable: z
      .array(z.object({ tenant: tenantId, name: z.string(), keyId: z.string() }))
      .meta({
        description:
          "The secrets on this page whose encryption key is missing. Restore the key, or set these secrets again.",
      }),
    nextCursor: z.string().nullable(),
    dryRun: z.boolean(),
  })
  .meta({ id: "ReencryptedSecrets" });
export type ApiReencrypted = z.infer<typeof reencryptedSecrets>;
