// The caller, sessions and short-lived tokens: API shapes.
import { z } from "zod";
import { isoDuration } from "#schema/definition/timing.ts";
import { lengthMs } from "#schema/definition/duration-text.ts";
import { executionIdText } from "#schema/ids.ts";
import { sessionLifetime, tokenLifetime } from "#schema/limits/sessions.ts";
import { instant } from "#schema/values.ts";
import { scope } from "../keys/shape.ts";
import { tenant } from "../tenants/shape.ts";

function lifetime({ min, max, default: usual }: typeof sessionLifetime | typeof tokenLifetime, what: string) {
  const isWithin = (text: string) => !(lengthMs(text) < lengthMs(min) || lengthMs(text) > lengthMs(max));
  return isoDuration
    .refine(isWithin, { message: `must be a duration from ${min} to ${max}` })
    .default(usual)
    .meta({ description: `How long the ${what} is valid.` });
}

export const callerView = z
  .object({
    caller: z.object({
      kind: z.enum(["key", "root"]),
      id: z.string().meta({ description: "The id of the API key; `root` for the root key." }),
      name: z.string().nullable().meta({ description: "The name of the API key; null for the root key." }),
      person: z.string().nullable().meta({ description: "The person who uses the key; null if a service uses it." }),
      via: z.enum(["key", "session", "token"]).meta({ description: "The credential that the request used." }),
      session: z.string().nullable().meta({ description: "The id of the request's session; null if it used none." }),
      execution: executionIdText
        .nullable()
        .meta({ description: "The only execution that a token may read; null if there is no such restriction." }),
      expiresAt: instant.nullable().meta({ description: "When the credential expires; null if it does not." }),
    }),
    tenant: tenant
      .pick({ id: true, name: true, suspended: true, limits: true })
      .nullable()
      .meta({ description: "The tenant of the request; null if the root key named none." }),
    scopes: z.array(scope),
    serverTime: instant.meta({ description: "The time of this response, so that a page can count down exactly." }),
  })
  .meta({ id: "CallerView" });
export type ApiCallerView = z.infer<typeof callerView>;

export const openSessionBody = z
  .strictObject({ lifetime: lifetime(sessionLifetime, "session") })
  .meta({ id: "OpenSession", examples: [{ lifetime: "PT8H" }] });

export const session = z
  .object({
    id: z.string(),
    key: z.string().meta({ description: "The id of the API key that opened the session." }),
    createdAt: instant,
    expiresAt: instant,
  })
  .meta({ id: "Session" });
export type ApiSession = z.infer<typeof session>;

export const issueTokenBody = z
  .strictObject({
    scopes: z
      .array(scope.exclude(["admin"]))
      .min(1)
      .max(5)
      .meta({ description: "Not `admin`: an administrator can create keys, which would outlive the token." }),
    execution: executionIdText
      .optional()
      .meta({
        description: "The only execution that the token may read. The scope must then be `read`, or also `payloads`.",
      }),
    lifetime: lifetime(tokenLifetime, "token"),
  })
  .refine(isReadOnly, { path: ["scopes"], message: "may contain only read and payloads if execution is set" })
  .meta({ id: "IssueToken", examples: [{ scopes: ["read"], lifetime: "PT15M" }] });

function isReadOnly(body: { scopes: readonly string[]; execution?: string | undefined }): boolean {
  return body.execution === undefined || body.scopes.every((name) => name === "read" || name === "payloads");
}

export type IssueTokenBody = z.input<typeof issueTokenBody>;

export const issuedToken = z
  .object({
    token: z.string().meta({ description: "The token, to be sent as `Authorization: Bearer <token>`." }),
    scopes: z.array(scope),
    execution: executionIdText.nullable(),
    expiresAt: instant,
  })
  .meta({ id: "IssuedToken" });
export type ApiIssuedToken = z.infer<typeof issuedToken>;
