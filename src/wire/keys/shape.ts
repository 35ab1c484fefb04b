// API keys: API shapes. Only the answer that creates a key contains its secret.
import { z } from "zod";
import { person } from "#schema/task.ts";
import { instant, tenantId } from "#schema/values.ts";

export const scope = z
  .enum(["read", "payloads", "write", "tasks", "operate", "admin"])
  .meta({
    id: "Scope",
    description:
      "read: read everything but payloads. payloads: with read, also read variables, payloads and sent requests. write: definitions, starts, events. tasks: complete tasks. operate: control executions, cancel and reassign tasks. admin: tenants and keys.",
  });

export const createKeyBody = z
  .strictObject({
    name: z.string().min(1).max(100),
    scopes: z.array(scope).min(1).max(6),
    expiresAt: z.iso.datetime({ offset: true }).optional(),
    actor: person
      .optional()
      .meta({
        description:
          "The person who uses the key. Journals and audit entries then name this person as verified. Omit it for a key of a service.",
        examples: ["ada@example.com"],
      }),
  })
  .meta({ id: "CreateKey", examples: [{ name: "checkout", scopes: ["read", "write"] }] });
export type CreateKeyBody = z.input<typeof createKeyBody>;

export const key = z
  .object({
    id: z.string(),
    tenant: tenantId,
    name: z.string(),
    scopes: z.array(scope),
    prefix: z.string().meta({ description: "The first characters of the key, by which an operator recognises it." }),
    createdAt: instant,
    expiresAt: instant.nullable(),
    revokedAt: instant.nullable(),
    actor: z.string().nullable().meta({ description: "The person who uses the key; null if a service uses the key." }),
  })
  .meta({ id: "Key" });
export type ApiKey = z.infer<typeof key>;

export const signingSecret = z
  .object({
    secret: z
      .string()
      .meta({ description: "The secret with which receivers verify the signatures of webhooks (Standard Webhooks)." }),
    previous: z
      .array(z.string())
      .meta({ description: "The secrets that are being replaced. These secrets also sign webhooks." }),
  })
  .meta({ id: "SigningSecret" });
export type ApiSigningSecret = z.infer<typeof signingSecret>;

export const createdKey = z
  .object({
    key,
    secret: z
      .string()
      .nullable()
      .meta({ description: "The API key itself. The key is shown once, and is null in a repeated response." }),
    note: z.string().optional(),
  })
  .meta({ id: "CreatedKey" });
export type ApiCreatedKey = z.infer<typeof createdKey>;
