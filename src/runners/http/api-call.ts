// API call runner: calls a named service through its connection, or an absolute URL with the config's credentials.
// Mapped fields of the answer become part of the result event, so that the machine can assign them.
import type { JsonObject } from "#schema/json.ts";
import { ANSWER_BYTES_MAX, RESPONSE_BYTES_KEPT } from "#schema/limits/outgoing/responses.ts";
import { attemptMs } from "#schema/defaults.ts";
import { openAccount, secretsIn, withToken } from "../core/account.ts";
import { authOf, bearer, type SignedRequest } from "./api-auth.ts";
import { apiCallConfig, type ApiCallConfig } from "./api-call-config.ts";
import { utf8 } from "../core/bytes.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import {
  incompleteNote,
  send,
  storedData,
  USER_AGENT,
  unreadableFailure,
  type HttpAnswer,
  type HttpRefusal,
} from "./call.ts";
import { valueAt } from "#schema/provider/json-pointer.ts";
import { isComplete } from "./read-text.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import { redactUrl } from "../core/redact.ts";
import { bodyOf } from "./payload.ts";
import { headersOf, setHeaders, withQuery } from "./request.ts";
import type { OpenConnection, Runner, RunnerContext } from "../core/runner.ts";

export const apiCall: Runner<ApiCallConfig> = {
  type: "api_call",
  config: apiCallConfig,
  calls: ["/url", "/authentication/tokenEndpoint"],
  permissions: ["http:send"],
  // The idempotency key is sent, but it is unknown whether the receiver recognizes repeats by it.
  repeats: { mode: "none" },
  timeoutMs: attemptMs.service,
  retryPolicy: "default",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const target = await targetOf(config, context);
    if (!target.ok) return failureOutcome(target, span());
    const { url, connection } = target;
    const metadata = { url: redactUrl(url), ...(connection === null ? {} : { service: connection.name }) };
    const answer = await signedCall(config, target, context, (auth) => sendRequest(config, url, auth, context));
    if (!answer.ok) return failureOutcome(answer, span(), metadata);
    const { status: statusCode, headers } = answer;
    const picked = mapAnswer(config, answer);
    if (!picked.ok) return failureOutcome(picked, span(), { ...metadata, statusCode });
    const { mapped, unmapped } = picked;
    const payload = { statusCode, mapped, actionId: context.ticket.action };
    const result = { statusCode, headers, ...storedData(answer), mapped, ...incompleteNote(answer) };
    const more = unmapped.length === 0 ? {} : { unmapped };
    return successOutcome({ result, events: [{ type: "api_call_completed", payload }] }, span(), {
      ...metadata,
      statusCode,
      ...more,
    });
  },
};

export type Target = { readonly ok: true; readonly url: string; readonly connection: OpenConnection | null };
export type ApiAddress = Pick<ApiCallConfig, "service" | "endpoint" | "url" | "query">;

/**
 * Sends the request with the authentication of the config or the connection. If a token is refused, it is renewed and
 * the request is sent again.
 */
export async function signedCall(
  { authentication }: Pick<ApiCallConfig, "authentication">,
  { connection }: Pick<Target, "connection">,
  context: RunnerContext,
  call: (auth: SignedRequest) => Promise<HttpAnswer | HttpRefusal>,
): Promise<HttpAnswer | HttpRefusal> {
  const authResult = authOf(authentication, connection, context);
  if (!authResult.ok) return { ...authResult, answered: null };
  const secrets = connection === null ? [] : secretsIn(connection);
  const signed = (auth: SignedRequest) => call({ ...auth, secrets: [...auth.secrets, ...secrets] });
  const { auth } = authResult;
  return "token" in auth ? withToken(auth, (token) => signed(bearer(token)), isUnauthorized) : signed(auth);
}

export async function targetOf(
  config: ApiAddress,
  context: RunnerContext,
): Promise<Target | (Failure & { readonly ok: false })> {
  const { service, endpoint = "", url } = config;
  if (url !== undefined) return { ok: true, url: withQuery(url, config.query), connection: null };
  const opened = await openAccount(context, service, "http", []);
  if (!opened.ok) return { ok: false, ...opened.failure };
  const { connection } = opened;
  const base = connection.baseUrl?.replace(/\/+$/, "") ?? "";
  // The base URL and the path are joined by exactly one slash, so that the path cannot become part of the host.
  const full = endpoint === "" ? base : `${base}/${endpoint.replace(/^\/+/, "")}`;
  if (URL.canParse(full)) return { ok: true, url: withQuery(full, config.query), connection };
  return {
    ok: false,
    ...configurationFailure(`service: the connection ${connection.name} has no baseUrl`, "base_url_missing"),
  };
}

function sendRequest(
  config: ApiCallConfig,
  url: string,
  auth: SignedRequest,
  context: RunnerContext,
): Promise<HttpAnswer | HttpRefusal> {
  const { text: body, contentType } = bodyOf(config.payload, config.encoding);
  const headers = headersOf(config.headers, {
    "Idempotency-Key": context.ticket.idempotencyKey,
    "Content-Type": contentType,
    "User-Agent": USER_AGENT,
  });
  setHeaders(headers, auth.headers);
  const { method, expectedStatusCodes } = config;
  return send(
    {
      method,
      url: withQuery(url, auth.query),
      headers,
      body,
      expectedStatusCodes,
      secrets: auth.secrets,
      reads: onlyReads(config),
      answerBytesMax: isMapped(config) ? ANSWER_BYTES_MAX : undefined,
    },
    context,
  );
}

function isUnauthorized(answer: { readonly ok: boolean; readonly answered?: HttpRefusal["answered"] }): boolean {
  return !answer.ok && answer.answered?.status === 401;
}

/** Returns true if fields of the answer are mapped. The answer is then read beyond the part that is stored. */
function isMapped({ responseMapping = {} }: ApiCallConfig): boolean {
  return Object.keys(responseMapping).length > 0;
}

/**
 * Returns true if the call has no effect, so that it may be repeated. A GET whose answer is not mapped counts as a call
 * with an effect.
 */
function onlyReads(config: ApiCallConfig): boolean {
  return isMapped(config) && (config.method === "GET" || config.method === "HEAD");
}

type MappedAnswer = { readonly ok: true; readonly mapped: JsonObject; readonly unmapped: readonly string[] };

/**
 * Maps the answer's fields. A missing field becomes null, and the result lists its name. The call does not fail,
 * because it has succeeded and a retry would not add the field.
 */
function mapAnswer(config: ApiCallConfig, answer: HttpAnswer): MappedAnswer | (Failure & { readonly ok: false }) {
  const { data, incomplete } = answer;
  if (isMapped(config) && incomplete !== null && !isComplete(data)) {
    const message = "responseMapping requires the response body, which cannot be read";
    return { ok: false, ...unreadableFailure(message, answer, { reads: onlyReads(config) }) };
  }
  const found = Object.entries(config.responseMapping ?? {}).map(
    ([name, pointer]) => [name, valueAt(data, pointer)] as const,
  );
  const mapped = Object.fromEntries(found.map(([name, value]) => [name, value ?? null]));
  const bytes = utf8(JSON.stringify(mapped)).byteLength;
  if (bytes > RESPONSE_BYTES_KEPT) return { ok: false, ...mappedTooLarge(bytes, onlyReads(config)) };
  return { ok: true, mapped, unmapped: found.filter(([, value]) => value === undefined).map(([name]) => name) };
}

function mappedTooLarge(bytes: number, reads: boolean): Failure {
  const message = `responseMapping: the mapped values have ${bytes} bytes; the limit of an execution is ${RESPONSE_BYTES_KEPT}`;
  const effect = reads ? "none" : "unknown";
  return { error: { type: "unknown_error", message, retryable: false, code: "mapped_too_large", effect } };
}
