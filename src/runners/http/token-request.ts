// Asks an OAuth2 token endpoint (RFC 6749) for an access token, through the same guarded call as everything else.
import { defaults } from "#schema/defaults.ts";
import { ANSWER_BYTES_MAX } from "#schema/limits/runners.ts";
import { tokenGrantOf, tokenRefusalOf } from "#schema/provider/oauth.ts";
import type { Failure } from "../core/classify.ts";
import { send } from "./call.ts";
import { refined } from "../core/refine.ts";
import type { RunnerContext } from "../core/runner.ts";
import type { Token } from "../core/token-cache.ts";

type Asked = {
  readonly url: string;
  readonly form: { readonly [field: string]: string };
  /** "Basic …", where the client says who it is in a header. */
  readonly authorization?: string;
  readonly secrets: readonly string[];
};

export async function requestToken(
  { url, form, authorization, secrets }: Asked,
  context: RunnerContext,
): Promise<Token | (Failure & { readonly ok: false })> {
  const headers = new Headers({ "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" });
  if (authorization !== undefined) headers.set("Authorization", authorization);
  const body = new URLSearchParams(form).toString();
  const answer = await send(
    { method: "POST", url, headers, body, secrets, reads: true, answerBytesMax: ANSWER_BYTES_MAX },
    context,
  );
  if (!answer.ok) {
    const { code, said } = tokenRefusalOf(answer.answered?.data ?? null);
    const isOurs = code === "invalid_client" || code === "invalid_grant" || code === "unauthorized_client";
    const meaning = isOurs ? { type: "authentication_failed", retryable: false, code } : {};
    return { ok: false, ...refined(answer, { ...meaning, said: said || null }) };
  }
  const grant = tokenGrantOf(answer.data);
  if (grant !== null)
    return { ok: true, token: grant.accessToken, expiresInMs: grant.expiresInMs ?? defaults.fetchedTokenLifeMs };
  const message = "the token endpoint answered without an access_token";
  return {
    ok: false,
    error: { type: "authentication_failed", message, retryable: false, code: "token_missing", effect: "none" },
  };
}
