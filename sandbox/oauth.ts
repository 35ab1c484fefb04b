// Imitated OAuth2 token endpoint at /oauth2/token, and an API at /api/* that accepts its tokens. A token contains its
// expiry, so nothing is stored. The client secret, refresh token or assertion "wrong" is refused.
import { asProvider, basicOf, bearerOf, idFrom, type ProviderImitation } from "./provider.ts";
import type { SandboxEnv } from "./env.ts";

const refuse = (status: number, error: string, description: string) =>
  Response.json({ error, error_description: description }, { status });

const tokens: ProviderImitation = {
  errorBody: (status) => ({
    error: status >= 500 ? "server_error" : "invalid_request",
    error_description: `scripted ${status}`,
  }),
  perform: async (request, id) => {
    const form = new URLSearchParams(await request.text());
    const { user, password } = basicOf(request);
    const client = form.get("client_id") ?? user;
    const grant = form.get("grant_type");
    const proofs = {
      client_credentials: form.get("client_secret") ?? password,
      refresh_token: form.get("refresh_token"),
      "urn:ietf:params:oauth:grant-type:jwt-bearer": form.get("assertion"),
    };
    if (grant === null || !(grant in proofs)) return refuse(400, "unsupported_grant_type", `grant_type is ${grant}`);
    const proof = proofs[grant as keyof typeof proofs]; // The line above has checked that `proofs` contains this grant type.
    if (!proof || proof === "wrong")
      return refuse(
        grant === "client_credentials" ? 401 : 400,
        grant === "client_credentials" ? "invalid_client" : "invalid_grant",
        "wrong or missing",
      );
    const expiresIn = Number(new URL(request.url).searchParams.get("expiresIn") ?? 3600);
    const access_token = tokenFor(`${client || "account"}-${id}`, Date.now() + expiresIn * 1000);
    const more = grant === "refresh_token" ? { refresh_token: `refresh-${await idFrom(String(id))}` } : {};
    return Response.json({
      access_token,
      token_type: "Bearer",
      expires_in: expiresIn,
      scope: form.get("scope") ?? "",
      ...more,
    });
  },
};

export const tokenFor = (owner: string, endsAt: number) => `sandbox.${endsAt}.${owner}`;

export function isTokenValid(token: string): boolean {
  const [kind, endsAt] = token.split(".");
  return kind === "sandbox" && Number(endsAt) > Date.now();
}

/** Echoes the request, so that a test of a config's mapping has fields to read. */
const api: ProviderImitation = {
  errorBody: (status) => ({ error: `scripted ${status}` }),
  perform: async (request, id) => {
    if (!isTokenValid(bearerOf(request))) {
      return Response.json(
        { error: "invalid_token" },
        { status: 401, headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' } },
      );
    }
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    return Response.json({
      id,
      method: request.method,
      path: pathname,
      query: search,
      received: text === "" ? null : text,
    });
  },
};

export const oauthToken = (request: Request, env: SandboxEnv) => asProvider(request, env, tokens);
export const protectedApi = (request: Request, env: SandboxEnv) => asProvider(request, env, api);
