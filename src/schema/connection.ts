// Connections: a tenant's named account at a provider, with the names of its secrets, its authentication and its
// limits.
import { z } from "zod";
import { anyObject } from "./values.ts";
import { isIdOf } from "./ids.ts";
import { DESCRIPTION_CHARS_MAX, ID_CHARS_MAX, URL_CHARS_MAX } from "./limits/api-requests.ts";
import { AUTO_RETRIES_MAX, AUTO_RETRY_QUIET_MS } from "./limits/run-attempts.ts";
import {
  BREAKER_MS_MAX,
  BREAKER_MS_MIN,
  CONNECTION_CONCURRENCY_MAX,
  CONNECTION_RATE_MAX,
} from "./limits/outgoing/connection-limits.ts";
import { OPERATION_PER_SECOND_MAX } from "./limits/upkeep/bulk-operations.ts";
import { secretName } from "./secret.ts";

export const connectionName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, {
    message: "must begin with a lower-case letter and contain only lower-case letters, digits, _ and -",
  })
  .refine((name) => !isIdOf("con", name), { message: "must not begin with con_, which is reserved for ids" });

/** A provider's name. Each runner accepts certain providers; `http` stands for any HTTP API. */
export const provider = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_]*$/, { message: "must be a provider's name such as sendgrid, twilio or http" });

const credentials = z.record(
  z.string().regex(/^[a-z][A-Za-z0-9]{0,63}$/, { message: "must be a field such as apiKey" }),
  secretName,
);

/** The egress guard refuses http: when the connection is written, except in local development. */
const address = z
  .url({ protocol: /^https?$/, message: "must be an absolute URL with https:, or in local development with http:" })
  .max(URL_CHARS_MAX)
  .refine(hasNoCredentials, {
    message: "must not contain user and password; store both as secrets, and name the secrets in credentials",
  });

const parameterName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9_.-]+$/, { message: "must be a header's or parameter's name" });

const claim = z.string().min(1).max(500);
const assertion = z.strictObject({
  algorithm: z.enum(["RS256", "ES256"]).optional(),
  /** The `kid` in the header of the signed assertion. Providers that know several keys of the client need it. */
  keyId: claim.optional(),
  /**
   * For the grant jwt_bearer: the assertion's `iss` claim. `subject`: its `sub` claim, to act for another account. With
   * private_key_jwt, both claims are the client id instead.
   */
  issuer: claim.optional(),
  subject: claim.optional(),
  /** The `aud` claim of the assertion. Default: the URL of the token endpoint. */
  audience: claim.optional(),
});

export const connectionAuth = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z.strictObject({ type: z.literal("basic") }),
  z.strictObject({ type: z.literal("bearer") }),
  z
    .strictObject({ type: z.literal("api_key"), header: parameterName.optional(), query: parameterName.optional() })
    .refine(({ header, query }) => (header === undefined) !== (query === undefined), {
      message: "set either the header or the query parameter that carries the key",
    }),
  z.strictObject({
    type: z.literal("oauth2"),
    /** jwt_bearer: the grant is an assertion that the account's private key signs (RFC 7523). */
    grant: z.enum(["client_credentials", "refresh_token", "jwt_bearer"]),
    tokenEndpoint: address,
    scopes: z
      .array(
        z
          .string()
          .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, {
            message: "must be 1 to 200 ASCII characters without blanks, quotes and backslashes",
          }),
      )
      .max(50)
      .optional(),
    audience: z.string().min(1).max(500).optional(),
    /**
     * How the client authenticates at the token endpoint: in the Authorization header (default), in the form, or by a
     * signed assertion.
     */
    clientAuth: z.enum(["basic", "body", "private_key_jwt"]).optional(),
    /** The claims of the assertion. The credential `privateKey` contains the key that signs it. */
    assertion: assertion.optional(),
  }),
]);
export type ConnectionAuth = z.infer<typeof connectionAuth>;

const calls = z.number().min(0.001).max(CONNECTION_RATE_MAX);
export const rateLimit = z
  .strictObject({
    perSecond: calls.optional(),
    perMinute: calls.optional(),
    /** How many calls may start together after an idle time. With 1, all calls are spaced evenly. */
    burst: z.number().int().min(1).max(CONNECTION_RATE_MAX).optional(),
  })
  .refine(({ perSecond, perMinute }) => (perSecond === undefined) !== (perMinute === undefined), {
    message: 'set either "perSecond" or "perMinute"',
  });

const ms = z.number().int().min(BREAKER_MS_MIN).max(BREAKER_MS_MAX);
export const breaker = z.strictObject({
  failureRatio: z.number().min(0.01).max(1).optional(),
  windowMs: ms.optional(),
  minimumCalls: z.number().int().min(1).max(10_000).optional(),
  openMs: ms.optional(),
  halfOpenProbes: z.number().int().min(1).max(100).optional(),
});

/** Automatic retry of dead letters after the provider has recovered from an outage. */
export const connectionAutoRetry = z.strictObject({
  /** The maximum number of automatic retries of each dead letter. */
  times: z.number().int().min(1).max(AUTO_RETRIES_MAX).optional(),
  perSecond: z.number().int().min(1).max(OPERATION_PER_SECOND_MAX).optional(),
  /** How long the breaker must be closed before automatic retries begin, in ms. */
  quietMs: z.number().int().min(AUTO_RETRY_QUIET_MS.least).max(AUTO_RETRY_QUIET_MS.most).optional(),
});

const shape = {
  name: connectionName,
  provider,
  /** The name of the secret for each credential field, such as { "apiKey": "sendgrid_key" }. */
  credentials: credentials.optional(),
  auth: connectionAuth.optional(),
  baseUrl: address.optional(),
  rateLimit: rateLimit.optional(),
  /** The maximum number of concurrent calls. */
  concurrency: z.number().int().min(1).max(CONNECTION_CONCURRENCY_MAX).optional(),
  breaker: breaker.optional(),
  selfHeal: connectionAutoRetry.optional(),
  sandbox: z.boolean().optional(),
  /** Additional settings that the provider's runner reads. */
  settings: anyObject.optional(),
  description: z.string().max(DESCRIPTION_CHARS_MAX).optional(),
};

export const connection = z.strictObject(shape).superRefine((value, context) => {
  const { auth } = value;
  if (value.selfHeal !== undefined && value.breaker === undefined) {
    const message = 'requires "breaker", which detects the provider\'s recovery; add "breaker": {}';
    context.addIssue({ code: "custom", path: ["selfHeal"], message });
  }
  if (auth?.type === "oauth2" && auth.grant === "jwt_bearer" && auth.assertion?.issuer === undefined) {
    const message = "is missing: the grant jwt_bearer requires the signer, such as a service account or a client id";
    context.addIssue({ code: "custom", path: ["auth", "assertion", "issuer"], message });
  }
  const has = value.credentials ?? {};
  for (const field of neededBy(value.auth ?? { type: "none" })) {
    if (Object.hasOwn(has, field)) continue;
    const message = `is missing, but ${value.auth?.type} requires it: set the name of the secret that contains it`;
    context.addIssue({ code: "custom", path: ["credentials", field], message });
  }
});
export type Connection = z.infer<typeof connection>;
/** The settings of a connection in the catalog's JSON column. */
export type ConnectionSettings = Omit<Connection, "name" | "provider">;

/** Returns the credential fields that the authentication method requires. */
function neededBy(auth: ConnectionAuth): readonly string[] {
  switch (auth.type) {
    case "none":
      return [];
    case "basic":
      return ["username", "password"];
    case "bearer":
      return ["token"];
    case "api_key":
      return ["apiKey"];
    case "oauth2":
      return [...new Set([...clientNeeds(auth), ...grantNeeds(auth)])];
  }
}

type OAuth2 = Extract<ConnectionAuth, { type: "oauth2" }>;

function clientNeeds({ grant, clientAuth }: OAuth2): readonly string[] {
  if (clientAuth === "private_key_jwt") return ["clientId", "privateKey"];
  // With jwt_bearer, the assertion already identifies the client. So the client needs neither a client id nor a client
  // secret.
  return grant === "jwt_bearer" && clientAuth === undefined ? [] : ["clientId", "clientSecret"];
}

function grantNeeds({ grant }: OAuth2): readonly string[] {
  switch (grant) {
    case "client_credentials":
      return [];
    case "refresh_token":
      return ["refreshToken"];
    case "jwt_bearer":
      return ["privateKey"];
  }
}

function hasNoCredentials(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === "" && password === "";
}
