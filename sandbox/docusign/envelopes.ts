// Imitated DocuSign, below /docusign: access tokens for signed assertions, and envelopes with their transaction ids.
// Templates whose name begins with "unknown" do not exist. An integration key that begins with "unconsented" has no
// consent, and one that begins with "unknown" has no user.
import { z } from "zod";
import { definition, incompleteError, templatesOf, type Definition } from "./definition.ts";
import { type SandboxEnv, storeOf } from "../env.ts";
import { isTokenValid, tokenFor } from "../oauth.ts";
import { asProvider, bearerOf, idFrom, jsonOf, type ProviderImitation } from "../provider.ts";

export type Envelope = Definition & { readonly envelopeId: string; readonly statusDateTime: string };

/** How long DocuSign stores a transaction id: seven days. */
const TRANSACTION_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export const refuse = (status: number, errorCode: string, message: string) =>
  Response.json({ errorCode, message }, { status });
export const errorBody = (status: number) => ({
  errorCode: status === 429 ? "HOURLY_APIINVOCATION_LIMIT_EXCEEDED" : "UNSPECIFIED_ERROR",
  message: `scripted ${status}`,
});
export const accountOf = (request: Request) => new URL(request.url).pathname.split("/")[5] ?? "";
const transactionKey = (account: string, id: string) => `docusign/${account}/transaction/${id}`;
const envelopeKey = (account: string, id: string) => `docusign/${account}/envelope/${id}`;

export async function envelopeIn(env: SandboxEnv, account: string, id: string): Promise<Envelope | null> {
  const stored = await storeOf(env).storedValue(envelopeKey(account, id));
  return stored === null ? null : (JSON.parse(stored) as Envelope); // `creating` wrote this JSON from a parsed envelope definition.
}

export function tokenRefusal(request: Request): Response | null {
  if (isTokenValid(bearerOf(request))) return null;
  return refuse(401, "AUTHORIZATION_INVALID_TOKEN", "The access token provided is expired, revoked or malformed.");
}

const creating = (env: SandboxEnv): ProviderImitation => ({
  errorBody,
  perform: async (request, id) => {
    const refusal = tokenRefusal(request);
    if (refusal !== null) return refusal;
    const parsed = definition.safeParse(await jsonOf(request));
    if (!parsed.success) {
      const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join(" ");
      return refuse(400, "INVALID_REQUEST_BODY", `The request body is missing or improperly formatted. ${issues}`);
    }
    const { data } = parsed;
    if (templatesOf(data).some((each) => each.startsWith("unknown")))
      return refuse(400, "TEMPLATE_ID_INVALID", "The template ID specified is invalid.");
    const incomplete = incompleteError(data);
    if (incomplete !== null) return refuse(400, "ENVELOPE_IS_INCOMPLETE", incomplete);
    const account = accountOf(request);
    const created = { envelopeId: await idFrom(`envelope ${account} ${id}`), statusDateTime: new Date().toISOString() };
    const store = storeOf(env);
    // DocuSign returns the same envelope for the same transaction id within seven days.
    const { transactionId } = data;
    const stored =
      transactionId === undefined
        ? null
        : await store.storeOnce(transactionKey(account, transactionId), JSON.stringify(created), TRANSACTION_KEPT_MS);
    const { envelopeId, statusDateTime } = stored === null ? created : (JSON.parse(stored) as typeof created); // This function wrote the JSON itself.
    await store.storeOnce(envelopeKey(account, envelopeId), JSON.stringify({ ...data, envelopeId, statusDateTime }));
    const { status } = data;
    return Response.json({ envelopeId, uri: `/envelopes/${envelopeId}`, statusDateTime, status }, { status: 201 });
  },
});

const reading = (env: SandboxEnv): ProviderImitation => ({
  errorBody,
  perform: async (request) => {
    const refusal = tokenRefusal(request);
    if (refusal !== null) return refusal;
    const { pathname, searchParams } = new URL(request.url);
    const account = accountOf(request);
    const envelopeId = pathname.split("/")[7];
    if (envelopeId !== undefined) {
      const envelope = await envelopeIn(env, account, envelopeId);
      return envelope === null
        ? refuse(
            404,
            "ENVELOPE_DOES_NOT_EXIST",
            "The envelope specified either does not exist or you have no rights to it.",
          )
        : Response.json(envelope);
    }
    const transactionIds = (searchParams.get("transaction_ids") ?? "").split(",").filter(Boolean);
    const stored = await Promise.all(transactionIds.map((id) => storeOf(env).storedValue(transactionKey(account, id))));
    const ids = stored.flatMap((each) => (each === null ? [] : [(JSON.parse(each) as Envelope).envelopeId]));
    const found = await Promise.all(ids.map((id) => envelopeIn(env, account, id)));
    const envelopes = found.filter((each) => each !== null);
    return Response.json({
      resultSetSize: String(envelopes.length),
      totalSetSize: String(envelopes.length),
      envelopes,
    });
  },
});

const claims = z.looseObject({
  iss: z.string().min(1),
  sub: z.string().min(1),
  aud: z.string().min(1),
  exp: z.number(),
  scope: z.string().regex(/\bsignature\b/),
});

const tokens: ProviderImitation = {
  errorBody: () => ({ error: "server_error" }),
  perform: async (request, id) => {
    const refuseToken = (error: string, error_description?: string) =>
      Response.json({ error, error_description }, { status: 400 });
    const form = new URLSearchParams(await request.text());
    if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer")
      return refuseToken("unsupported_grant_type");
    const [head, body, signature] = (form.get("assertion") ?? "").split(".").map(decoded);
    const parsed = claims.safeParse(jsonIn(body));
    // The imitation does not have the caller's public key, so only the form of the assertion is checked: RS256 with a
    // signature of 2048 bits or more.
    const isSigned = (signature ?? "").length >= 256 && /"alg":"RS256"/.test(head ?? "");
    if (!isSigned || !parsed.success) return refuseToken("invalid_grant", "no_valid_keys_or_signatures");
    const { iss, exp, aud } = parsed.data;
    // The audience (`aud`) is the host name of the server, without "https:".
    if (!/^[a-z0-9.:-]+$/i.test(aud)) return refuseToken("invalid_grant", "issuer_not_found");
    if (exp * 1000 <= Date.now()) return refuseToken("invalid_grant", "expired_grant");
    if (iss.startsWith("unconsented")) return refuseToken("consent_required");
    if (iss.startsWith("unknown")) return refuseToken("invalid_grant", "user_not_found");
    const access_token = tokenFor(`docusign-${id}`, Date.now() + 3_600_000);
    return Response.json({ access_token, token_type: "Bearer", expires_in: 3600, scope: parsed.data.scope });
  },
};

function decoded(part: string): string {
  try {
    return atob(part.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

function jsonIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return null;
  }
}

export const docusignToken = (request: Request, env: SandboxEnv) => asProvider(request, env, tokens);
export const docusignCreate = (request: Request, env: SandboxEnv) => asProvider(request, env, creating(env));
export const docusignRead = (request: Request, env: SandboxEnv) => asProvider(request, env, reading(env));
