// Sends one API request: builds the URL, the headers and the body. A refused request is thrown as a ProblemError.
import type { Problem } from "#wire/problem.ts";
import type { OpenSocket } from "./live.ts";
import { ProblemError } from "./problem-error.ts";

export type ClientOptions = {
  readonly baseUrl: string;
  readonly key: string;
  /** The tenant that the request acts for. Only for the root key, which belongs to no tenant. */
  readonly tenant?: string;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Opens a WebSocket for `executions.live`. Default: the runtime's WebSocket. Node 20 has none. */
  readonly webSocket?: OpenSocket;
};

/** Options that every client method accepts. */
export type CallOptions = {
  readonly idempotencyKey?: string;
  readonly dryRun?: boolean;
  readonly requestId?: string;
  readonly signal?: AbortSignal;
  /**
   * For commands to an execution: the expected state. If the execution is in another state, the command is refused with
   * `state_changed`.
   */
  readonly ifState?: string;
};

type Query = { readonly [name: string]: string | number | boolean | undefined };
export type Request = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The segments of the URL path. Each segment is encoded, so that an id with a slash cannot change the URL. */
  readonly path: readonly string[];
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
};
export type Send = <Answer>(request: Request, options?: CallOptions) => Promise<Answer>;

export function sender(client: ClientOptions): Send {
  const doFetch = client.fetch ?? ((url, init) => fetch(url, init));
  return async <Answer>(request: Request, options: CallOptions = {}) => {
    const response = await doFetch(urlOf(client, request, options), {
      method: request.method,
      headers: headersOf(client, request, options),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body, unchanged) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    if (!response.ok) throw new ProblemError(await problemOf(response));
    if (response.status === 204) return null as Answer; // A 204 response has no content. Its operations have the answer type null.
    return (await response.json()) as Answer; // The server validates its answers with the schemas from which these types are inferred.
  };
}

/** Throws for a number that JSON.stringify would replace by null, such as NaN. */
function unchanged(name: string, value: unknown): unknown {
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  throw new TypeError(`${name} is ${value}, which JSON cannot represent`);
}

function urlOf(client: ClientOptions, { path, query }: Request, { dryRun }: CallOptions): string {
  const url = new URL(`${client.baseUrl.replace(/\/+$/, "")}/${path.map(encodeURIComponent).join("/")}`);
  for (const [name, value] of Object.entries({ ...query, ...(dryRun ? { dryRun } : {}) })) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

function headersOf(client: ClientOptions, request: Request, options: CallOptions): Record<string, string> {
  return {
    Authorization: `Bearer ${client.key}`,
    Accept: "application/json",
    ...(request.body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(client.tenant === undefined ? {} : { "X-Tenant": client.tenant }),
    ...(options.idempotencyKey === undefined ? {} : { "Idempotency-Key": options.idempotencyKey }),
    ...request.headers,
    ...(options.ifState === undefined ? {} : { "If-State": options.ifState }),
    ...(options.requestId === undefined ? {} : { "X-Request-Id": options.requestId }),
  };
}

/**
 * Reads the problem from the response to a refused request. If a proxy answered without a problem, a problem is made
 * from the status.
 */
async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text();
  if (/^application\/problem\+json\b/i.test(response.headers.get("Content-Type") ?? "")) {
    return JSON.parse(text) as Problem; // Only the API sends this media type, and it sends only problems with it.
  }
  const isPassing = response.status === 429 || response.status >= 500;
  const error = `The server answered ${response.status} and gave no reason: ${text.slice(0, 200)}`;
  return {
    type: "about:blank",
    title: response.statusText || "Refused",
    status: response.status,
    detail: error,
    code: isPassing ? "unavailable" : "invalid_input",
    errors: [],
    requestId: response.headers.get("X-Request-Id") ?? "",
    retryable: isPassing,
    error,
  };
}
