// Rehearsals: mocked answers of providers, and the calls that a tested action would make.
import { z } from "zod";
import { anyJson } from "./values.ts";
import type { ChildStartRequest } from "./engine/child.ts";
import type { ConnectionAuth } from "./connection.ts";
import type { Json, JsonObject } from "./json.ts";
import type { SuppressionLookup } from "./outgoing/suppression-lookup.ts";
import type { BoundSecret } from "./outgoing/bound-secret.ts";
import { PAYLOAD_BYTES_MAX } from "./limits/executions.ts";
import { REHEARSAL_REQUESTS_MAX } from "./limits/planning/rehearsal-attempts.ts";
import { TIMEOUT_MS_MAX } from "./limits/run-attempts.ts";
import type { ActionError, Outcome } from "./engine/outcome.ts";
import type { Ticket } from "./engine/run.ts";
import type { RenderedTemplate } from "./template.ts";

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, { message: "must be the name of an HTTP header" });
const headerValue = z
  .string()
  .max(4_000)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, {
    message: "must be one line, without control characters and characters beyond Latin-1",
  });

/**
 * The mocked answer to one request. If it is a success, parts that are absent here are taken from the provider's usual
 * answer.
 */
export const mockAnswer = z
  .strictObject({
    status: z.number().int().min(200).max(599).optional(),
    headers: z.record(headerName, headerValue).optional(),
    /** The body. A text is sent unchanged; any other value is sent as JSON. */
    body: anyJson
      .refine((body) => JSON.stringify(body).length <= PAYLOAD_BYTES_MAX, {
        message: `must have at most ${PAYLOAD_BYTES_MAX} characters as JSON (PAYLOAD_BYTES_MAX)`,
      })
      .optional(),
    /** How long the answer takes on the virtual clock, in ms. */
    delay: z.number().int().min(0).max(TIMEOUT_MS_MAX).optional(),
    /** "timeout", "network_error", or another text as the message of a failed connection. */
    error: z.string().min(1).max(500).optional(),
  })
  .refine(({ error, status, headers, body }) => error === undefined || (status ?? headers ?? body) === undefined, {
    path: ["error"],
    message: "give an answer or an error, not both",
  });
export type MockAnswer = z.infer<typeof mockAnswer>;

/**
 * The mocked answers to one attempt. One answer applies to every request. A list has the answers in the order of the
 * requests; null: this request is not mocked.
 */
export const attemptMocks = z.union([mockAnswer, z.array(mockAnswer.nullable()).max(REHEARSAL_REQUESTS_MAX)]);
export type AttemptMocks = z.infer<typeof attemptMocks>;

type Happened = {
  readonly attempt: number;
  /** The time since the start of the rehearsal in ms, on the virtual clock. */
  readonly atMs: number;
  readonly durationMs: number;
  readonly error: string | null;
  readonly mocked: true;
  /** True: the request was not mocked. It got the provider's usual successful answer. */
  readonly assumed: boolean;
};
export type HttpInteraction = Happened & {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  /** The body as JSON. It is a text if it is not JSON, and the size if it is binary data. */
  readonly body: Json;
  readonly bodyBytes: number;
  readonly response: {
    readonly status: number;
    readonly headers: { readonly [name: string]: string };
    readonly body: Json;
  } | null;
};
/** A call to the engine or the platform that does not use HTTP. */
export type PortInteraction = Happened & {
  readonly port: "database" | "email" | "files" | "signer" | "task" | "start_execution" | "send_event" | "worker";
  readonly call: string;
  readonly arguments: Json;
  readonly answer: Json;
};
export type Interaction = HttpInteraction | PortInteraction;

type Failure = { readonly error: ActionError; readonly retryAfterMs?: number };

/** A connection without secret values. Its credentials are the names of secrets. */
export type ClosedAccount = {
  readonly name: string;
  readonly provider: string;
  readonly baseUrl: string | null;
  readonly credentials: { readonly [field: string]: string };
  readonly auth: ConnectionAuth;
  readonly settings: JsonObject;
  readonly sandbox: boolean;
};

/** Lookups of real data during a rehearsal. They return no secrets and change nothing. */
export type Lookups = {
  readonly account: (
    name: string | null,
    provider: string,
  ) => Promise<
    { readonly ok: true; readonly account: ClosedAccount } | { readonly ok: false; readonly failure: Failure }
  >;
  readonly template: (
    reference: string,
    variables: { readonly [name: string]: unknown },
  ) => Promise<
    { readonly ok: true; readonly rendered: RenderedTemplate } | { readonly ok: false; readonly failure: Failure }
  >;
  /** Returns the execution that the action would start. Returns the refusal if the start would be refused. */
  readonly start: (
    ticket: Ticket,
    asked: ChildStartRequest,
  ) => Promise<
    | { readonly ok: true; readonly execution: string; readonly repeated: boolean }
    | { readonly ok: false; readonly failure: Failure }
  >;
  /** Returns the due date in epoch ms. Returns undefined if the date is invalid. */
  readonly dueAt: (dueDate: string, timezone: string, now: number) => number | undefined;
  /** Returns those of the secrets that may be sent only to certain hosts, with these hosts. */
  readonly bounds: (secrets: readonly string[]) => Promise<readonly BoundSecret[]>;
  /** Returns the recipients that are on the tenant's suppression list at present. */
  readonly suppressed: SuppressionLookup;
  /** True: the tenant's webhooks are signed. */
  readonly signs: boolean;
  /** The installation's own address, to which providers send callbacks; null if none is configured. */
  readonly publicUrl: string | null;
};

export type RehearsedAttempt = { readonly outcome: Outcome; readonly interactions: readonly Interaction[] };

/**
 * Executes one attempt, which begins at the instant `at` of the virtual clock. All attempts of one rehearsal share its
 * caches.
 */
export type Rehearsal = (ticket: Ticket, mocks: AttemptMocks | null, at: number) => Promise<RehearsedAttempt>;

export type Recommendation = { readonly code: string; readonly message: string; readonly hint: string };
