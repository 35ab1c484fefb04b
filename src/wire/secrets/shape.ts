// Secrets on the wire. A value goes in; no answer ever holds one.
import { z } from "zod";
import { limits } from "#schema/limits.ts";
import { secretHosts } from "#schema/outgoing/bound-secret.ts";
import { secretName } from "#schema/secret.ts";
import { instant, reason, tenantId } from "#schema/values.ts";

export const secretNameText = secretName.meta({
  description: "What `{{ secrets.name }}` calls it.",
  examples: ["crm_api_token"],
});

const tooShort =
  `has at least ${limits.secretCharsMin} characters: shorter ones cannot be told from ordinary text, ` +
  "and so not be taken out of what receivers say back";

const HOSTS = "The only hosts that whatever uses it may call; `*.example.com` is every host below.";

export const setSecretBody = z
  .strictObject({
    value: z.string().min(limits.secretCharsMin, { message: tooShort }).meta({
      description: "Kept sealed and never shown again.",
    }),
    hosts: secretHosts
      .nullable()
      .optional()
      .meta({
        description: `${HOSTS} null: anywhere that actions may reach. Absent: as it is, and anywhere for a new one.`,
      }),
  })
  .meta({ id: "SetSecret", examples: [{ value: "the-token", hosts: ["api.example.com"] }] });
export type SetSecretBody = z.input<typeof setSecretBody>;

export const bindSecretBody = z
  .strictObject({
    hosts: secretHosts.nullable().meta({ description: `${HOSTS} null: anywhere that actions may reach.` }),
    reason: reason.optional(),
  })
  .meta({ id: "BindSecret", examples: [{ hosts: ["api.example.com", "*.example.net"] }] });
export type BindSecretBody = z.input<typeof bindSecretBody>;

export const secret = z
  .object({
    name: z.string(),
    version: z.number().int().meta({ description: "Counts how often it was set." }),
    hosts: z
      .array(z.string())
      .nullable()
      .meta({ description: `${HOSTS} null: anywhere that actions may reach.` }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "Secret" });
export type ApiSecret = z.infer<typeof secret>;

export const changedSecret = secret.extend({ dryRun: z.boolean() }).meta({ id: "ChangedSecret" });
export type ApiChangedSecret = z.infer<typeof changedSecret>;

export const reencrypted = z
  .object({
    keyId: z.string().meta({ description: "The key that seals now." }),
    reencrypted: z.number().int().meta({ description: "How many this request sealed again." }),
    remaining: z.number().int().meta({ description: "How many are still sealed with another key." }),
    unreadable: z.array(z.object({ tenant: tenantId, name: z.string(), keyId: z.string() })).meta({
      description: "Of this page, those whose key is no longer in the keyring: they must be set again.",
    }),
    nextCursor: z.string().nullable(),
    dryRun: z.boolean(),
  })
  .meta({ id: "ReencryptedSecrets" });
export type ApiReencrypted = z.infer<typeof reencrypted>;
