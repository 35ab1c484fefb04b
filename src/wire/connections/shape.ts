// Connections: API shapes. Credentials are always names of secrets.
import { z } from "zod";
import { connection } from "#schema/connection.ts";
import { putAnswer, putBody } from "../configuration/shape.ts";
import { finding } from "../problem.ts";
import { anyObject, instant } from "#schema/values.ts";

export const createConnectionBody = connection.meta({
  id: "CreateConnection",
  examples: [
    {
      name: "sendgrid-main",
      provider: "sendgrid",
      credentials: { apiKey: "sendgrid_api_key" },
      rateLimit: { perSecond: 10, burst: 10 },
      breaker: {},
    },
  ],
});
export type CreateConnectionBody = z.input<typeof connection>;

/** A JSON merge patch of a connection. The use case checks the merged connection like a new connection. */
export const patchConnectionBody = anyObject.meta({
  id: "PatchConnection",
  description: "A JSON merge patch (RFC 7396) of the stored settings; null removes a field.",
  examples: [{ rateLimit: { perSecond: 5, burst: null } }],
});

export const putConnectionBody = putBody("PutConnection", "CreateConnection", {
  provider: "sendgrid",
  credentials: { apiKey: "sendgrid_api_key" },
});

export const connectionRefText = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: "A connection's name or id.", examples: ["sendgrid-main"] });

export const attention = z.object({
  since: instant,
  code: z.string().meta({ description: "The provider's message, or a summary of it.", examples: ["invalid_grant"] }),
  reason: z.string(),
  nextStep: z.string(),
});

export const connectionView = z
  .object({
    ...connection.shape,
    id: z.string(),
    status: z
      .enum(["ok", "needs_attention"])
      .meta({
        description: "needs_attention: the provider rejects the account, and actions that use the connection are held.",
      }),
    attention: attention.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "Connection" });
export type ApiConnection = z.infer<typeof connectionView>;

export const putConnectionView = putAnswer(connectionView, "PutConnectionAnswer");
export type ApiPutConnection = z.infer<typeof putConnectionView>;

export const connectionState = z.object({
  breaker: z.object({
    status: z.enum(["closed", "open", "half_open"]),
    until: instant
      .nullable()
      .meta({ description: "While the breaker is open: the instant of the first test call; null otherwise." }),
    calls: z
      .number()
      .int()
      .meta({ description: "While the breaker is closed: the number of calls in the breaker's time window." }),
    failed: z.number().int(),
  }),
  inUse: z
    .number()
    .int()
    .meta({
      description: "The number of calls in progress that count towards the concurrency or the circuit breaker.",
    }),
  waiting: z
    .number()
    .int()
    .meta({ description: "The number of runs that wait for a slot or for the rate of the connection." }),
  nextAt: instant.meta({ description: "When the rate limit allows the next call." }),
  token: z.object({ obtainedAt: instant, expiresAt: instant }).nullable(),
});

export const connectionInUse = connectionView
  .extend({
    state: connectionState
      .nullable()
      .meta({ description: "The state of the connection; null if the connection's object does not respond now." }),
    callbackUrl: z
      .string()
      .nullable()
      .meta({
        description:
          "The URL to enter at the provider for its callbacks; null if the provider sends none, or if neither the setting `publicUrl` nor the Worker's variable PUBLIC_URL is set.",
      }),
    callbackCredential: z
      .string()
      .nullable()
      .meta({
        description: "The field of `credentials` that callbacks need; null if the provider sends none.",
        examples: ["webhookKey"],
      }),
  })
  .meta({ id: "ConnectionInUse" });
export type ApiConnectionInUse = z.infer<typeof connectionInUse>;

export const testedConnection = z
  .object({
    ok: z.boolean(),
    status: z
      .number()
      .int()
      .nullable()
      .meta({ description: "The provider's response; null if the provider was not called." }),
    latencyMs: z.number().nullable(),
    findings: z.array(finding),
    callbacks: z
      .enum(["configured", "key_missing", "url_missing"])
      .nullable()
      .meta({
        description:
          "Whether the provider's callbacks reach their runs. key_missing: `credentials` lacks the field that verifies callbacks. url_missing: the engine's address is not configured. null: the provider sends no callbacks.",
      }),
  })
  .meta({ id: "TestedConnection" });
export type ApiTestedConnection = z.infer<typeof testedConnection>;
