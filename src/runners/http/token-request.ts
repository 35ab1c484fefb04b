// OAuth2 token requests (RFC 6749): request a token through the same checked call as all outbound calls.
import { defaults } from "#schema/defaults.ts";
import { ANSWER_BYTES_MAX } from "#schema/limits/outgoing/responses.ts";
import { tokenAnswerOf, type TokenRequest } from "#schema/provider/oauth.ts";
import { withInstruction, tokenMissing, tokenRefused } from "#schema/provider/token-failure.ts";
import type { Failure } from "../core/classify.ts";
import { send } from "./call.ts";
import type { RunnerContext } from "../core/runner.ts";
import type { Token } from "../core/token-cache.ts";

export async function requestToken(
  request: TokenRequest,
  context: RunnerContext,
): Promise<Token | (Failure & { readonly ok: false })> {
  const { url, form, authorization, secrets } = request;
  const headers = new Headers({ "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" });
  if (authorization !== undefined) headers.set("Authorization", authorization);
  const body = new URLSearchParams(form).toString();
  const answer = await send(
    { method: "POST", url, headers, body, secrets, reads: true, answerBytesMax: ANSWER_BYTES_MAX },
    context,
  );
  const receiver = "the token endpoint";
  if (!answer.ok) {
    const { status = null, data = null } = answer.answered ?? {};
    return { ok: false, ...withInstruction(tokenRefused(receiver, { ...answer, status, data }, secrets), request) };
  }
  const tokenAnswer = tokenAnswerOf(answer.data);
  if (tokenAnswer.kind !== "granted")
    return { ok: false, ...withInstruction(tokenMissing(receiver, tokenAnswer, secrets), request) };
  const { accessToken: token, expiresInMs } = tokenAnswer.grant;
  return { ok: true, token, expiresInMs: expiresInMs ?? defaults.tokenLifeMs };
}
