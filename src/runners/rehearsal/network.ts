// Rehearsal network: records every request and answers it with a mock. Nothing is sent.
import type { Json } from "#schema/json.ts";
import type { HttpInteraction, MockAnswer } from "#schema/rehearsal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { RunnerContext } from "../core/runner.ts";
import { defaultAnswer, type Answer, type RehearsedRequest } from "./answers.ts";
import type { RehearsalClock } from "./clock.ts";
import { FOREVER_MS } from "./ports.ts";
import { secretsInRequest, shownAnswer, shownRequest, shownText } from "./shown-request.ts";

type RecordedRequest = Omit<HttpInteraction, "attempt" | "atMs" | "durationMs" | "mocked">;
type Network = {
  readonly ticket: Ticket;
  readonly clock: RehearsalClock;
  /** Values to redact. The list grows while connections are opened. */
  readonly hidden: readonly string[];
  readonly nextMock: (request: RehearsedRequest) => MockAnswer | null;
  readonly record: (request: RecordedRequest, begunAt: number) => void;
};

export function rehearsalFetch(network: Network): RunnerContext["fetch"] {
  const { ticket, clock, nextMock, record } = network;
  return async (url, init) => {
    const request = requestOf(url, init);
    const begunAt = clock.now();
    const mock = nextMock(request);
    const hidden = [...network.hidden, ...secretsInRequest(request)];
    const shown = { ...shownRequest(request, hidden), assumed: mock === null };
    const recordError = (error: string): void => {
      record({ ...shown, response: null, error: shownText(error, hidden) }, begunAt);
    };
    const isAborted = () => init.signal?.aborted === true;
    clock.pass(mock?.error === "timeout" ? FOREVER_MS : (mock?.delay ?? 0), isAborted);
    if (isAborted()) {
      recordError("timeout");
      throw init.signal?.reason;
    }
    if (mock?.error !== undefined) {
      recordError(mock.error);
      throw new TypeError(mock.error === "network_error" ? "the connection was lost" : mock.error);
    }
    const answer = answerOf(mock ?? {}, defaultAnswer(ticket, request));
    record({ ...shown, response: shownAnswer(answer, hidden), error: null }, begunAt);
    return responseOf(answer);
  };
}

function requestOf(url: string, { method = "GET", headers, body }: RequestInit): RehearsedRequest {
  const sentHeaders = new Headers(headers);
  const isJson = /[/+]json\b/i.test(sentHeaders.get("content-type") ?? "");
  // Runners send only texts and bytes as bodies. A JSON body with files is sent as bytes.
  const sentBody = typeof body === "string" || body instanceof Uint8Array ? body : null;
  const readable = isJson && sentBody instanceof Uint8Array ? new TextDecoder().decode(sentBody) : sentBody;
  return { method, url: new URL(url), headers: sentHeaders, body: readable };
}

/**
 * Returns the mocked answer. If a mocked success has no body, the usual answer's body and headers complete it. A mocked
 * refusal is returned unchanged.
 */
function answerOf({ status, headers, body }: MockAnswer, usual: Answer): Answer {
  const code = status ?? usual.status;
  const isMocked = body !== undefined || code < 200 || code >= 300;
  const base = isMocked ? typeOf(body) : usual.headers;
  const named = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  return { status: code, headers: { ...base, ...named }, body: isMocked ? (body ?? null) : usual.body };
}

function typeOf(body: Json | undefined): Answer["headers"] {
  if (body === undefined || body === null) return {};
  return { "content-type": typeof body === "string" ? "text/plain" : "application/json" };
}

/** The statuses of answers without a body, even if the mock contains one. */
const STATUSES_WITHOUT_BODY = new Set([204, 205, 304]);

function responseOf({ status, headers, body }: Answer): Response {
  const text =
    body === null || STATUSES_WITHOUT_BODY.has(status) ? null : typeof body === "string" ? body : JSON.stringify(body);
  return new Response(text, { status, headers });
}
