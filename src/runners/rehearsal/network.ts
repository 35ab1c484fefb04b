// Rehearsal network: records every request and answers it with a mock. Nothing is sent.
import type { Json } from "#schema/json.ts";
import type { HttpInteraction, MockAnswer } from "#schema/rehearsal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { RunnerContext } from "../core/runner.ts";
import { usualAnswer, type Answer, type RehearsedRequest } from "./answers.ts";
import type { RehearsalClock } from "./clock.ts";
import { FOREVER_MS } from "./ports.ts";
import { carriedSecrets, shownAnswer, shownRequest, shownText } from "./shown-request.ts";

type Noted = Omit<HttpInteraction, "attempt" | "atMs" | "tookMs" | "mocked">;
type Network = {
  readonly ticket: Ticket;
  readonly clock: RehearsalClock;
  /** Values to redact. The list grows while connections are opened. */
  readonly known: readonly string[];
  readonly next: (asked: RehearsedRequest) => MockAnswer | null;
  readonly note: (request: Noted, begunAt: number) => void;
};

export function rehearsalFetch({ ticket, clock, known, next, note }: Network): RunnerContext["fetch"] {
  return async (url, init) => {
    const asked = askedOf(url, init);
    const begunAt = clock.now();
    const mock = next(asked);
    const hidden = [...known, ...carriedSecrets(asked)];
    const shown = { ...shownRequest(asked, hidden), assumed: mock === null };
    const failed = (error: string): void => {
      note({ ...shown, response: null, error: shownText(error, hidden) }, begunAt);
    };
    const isOver = () => init.signal?.aborted === true;
    clock.pass(mock?.error === "timeout" ? FOREVER_MS : (mock?.delay ?? 0), isOver);
    if (isOver()) {
      failed("timeout");
      throw init.signal?.reason;
    }
    if (mock?.error !== undefined) {
      failed(mock.error);
      throw new TypeError(mock.error === "network_error" ? "the connection was lost" : mock.error);
    }
    const answer = answerOf(mock ?? {}, usualAnswer(ticket, asked));
    note({ ...shown, response: shownAnswer(answer, hidden), error: null }, begunAt);
    return responseOf(answer);
  };
}

function askedOf(url: string, { method = "GET", headers, body }: RequestInit): RehearsedRequest {
  const named = new Headers(headers);
  const isJson = /[/+]json\b/i.test(named.get("content-type") ?? "");
  // Runners send only texts and bytes. JSON with files is sent as bytes.
  const sent = typeof body === "string" || body instanceof Uint8Array ? body : null;
  const read = isJson && sent instanceof Uint8Array ? new TextDecoder().decode(sent) : sent;
  return { method, url: new URL(url), headers: named, body: read };
}

/** Completes a mocked success with parts of the usual answer. A mocked refusal is returned unchanged. */
function answerOf({ status, headers, body }: MockAnswer, usual: Answer): Answer {
  const code = status ?? usual.status;
  const isGiven = body !== undefined || code < 200 || code >= 300;
  const base = isGiven ? typeOf(body) : usual.headers;
  const named = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  return { status: code, headers: { ...base, ...named }, body: isGiven ? (body ?? null) : usual.body };
}

function typeOf(body: Json | undefined): Answer["headers"] {
  if (body === undefined || body === null) return {};
  return { "content-type": typeof body === "string" ? "text/plain" : "application/json" };
}

/** Statuses without a body, whatever the mock contains. */
const BODILESS = new Set([204, 205, 304]);

function responseOf({ status, headers, body }: Answer): Response {
  const text = body === null || BODILESS.has(status) ? null : typeof body === "string" ? body : JSON.stringify(body);
  return new Response(text, { status, headers });
}
