// API call config: the schema of a request and its authentication.
import { z } from "zod";
import { json } from "#schema/json.ts";
import { jsonPointer } from "#schema/provider/json-pointer.ts";
import { encoding, refusePayload } from "./payload.ts";
import { absoluteUrl, expectedStatusCodes, requestHeaders, requestQuery } from "./request.ts";

const filled = z.string().min(1);
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { message: "must be the name of an HTTP header" });

export const API_KEY_HEADER = "X-Api-Key";

const authentication = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z.strictObject({ type: z.literal("basic"), username: filled, password: z.string() }),
  z.strictObject({ type: z.literal("bearer"), token: filled }),
  z.strictObject({
    type: z.literal("api_key"),
    key: filled,
    in: z.enum(["header", "query"]).default("header"),
    name: headerName.default(API_KEY_HEADER),
  }),
  /** An OAuth2 client in the config. Without its fields, the tokens of the named service are used. */
  z.strictObject({
    type: z.literal("oauth2"),
    grant: z.enum(["client_credentials", "refresh_token"]).default("client_credentials"),
    tokenEndpoint: z.url({ protocol: /^https?$/ }).optional(),
    clientId: filled.optional(),
    clientSecret: filled.optional(),
    refreshToken: filled.optional(),
    /** How the client id and the client secret are sent: in the form (body) or in the Authorization header (basic). */
    clientAuth: z.enum(["basic", "body"]).default("body"),
    scope: z.string().optional(),
    audience: z.string().optional(),
  }),
]);
export type Authentication = z.infer<typeof authentication>;

/**
 * Matches dot segments and backslashes. With them, data in a path could lead to another path: "records/{{ id }}" with
 * "../admin" as the id.
 */
const CLIMBS = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\?#]|$)|\\|%5c/i;
const endpoint = z
  .string()
  .refine((path) => !CLIMBS.test(path), { message: 'must be a path without the parts "." and ".."' });

export const apiCallConfig = z
  .strictObject({
    /**
     * The name of a connection, which has the base URL and the credentials. Default with `endpoint`: the tenant's only
     * connection for api_call.
     */
    service: z.string().min(1).optional(),
    /** The path below the service's base URL. */
    endpoint: endpoint.optional(),
    url: absoluteUrl.optional(),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]).default("GET"),
    query: requestQuery.optional(),
    headers: requestHeaders.optional(),
    payload: json.optional(),
    encoding: encoding.optional(),
    authentication: authentication.optional(),
    expectedStatusCodes: expectedStatusCodes.optional(),
    responseMapping: z
      .record(z.string().regex(/^[A-Za-z_]\w*$/, { message: "must be the name of a variable" }), jsonPointer)
      .optional(),
  })
  .superRefine((config, context) => {
    const { service, endpoint, url, authentication } = config;
    const refuse = (path: readonly (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path: [...path], message });
    if (service !== undefined && url !== undefined) refuse(["url"], "is not allowed together with service");
    if (service === undefined && endpoint === undefined && url === undefined)
      refuse(["url"], 'is missing: set "url", or "endpoint" and the "service" that has the address');
    if (url !== undefined && endpoint !== undefined)
      refuse(["endpoint"], "is only allowed together with service: put the path into url");
    refusePayload(config, refuse);
    if (authentication?.type !== "oauth2") return;
    const { grant, refreshToken } = authentication;
    if ((grant === "refresh_token") === (refreshToken === undefined))
      refuse(
        ["authentication", "refreshToken"],
        "is required with the grant refresh_token, and not allowed with other grants",
      );
  });
export type ApiCallConfig = z.infer<typeof apiCallConfig>;
