// Runner interface: what every runner declares (config schema, permissions, idempotency support, timeout) and the ports
// that its `run` may use.
import type { z } from "zod";
import type { IdempotencySupport } from "#schema/idempotency-support.ts";
import type { SendEventRequest, ChildStartRequest } from "#schema/engine/child.ts";
import type { ConnectionAuth } from "#schema/connection.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { OwnTokenPort, TokenResult } from "#schema/provider/own-token.ts";
import type { Outcome, TouchedTask } from "#schema/engine/outcome.ts";
import type { RetryPreset } from "#schema/definition/retry.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { SignFor } from "#schema/outgoing/signing.ts";
import type { UnsubscribePort } from "#schema/outgoing/unsubscribe-port.ts";
import type { Signer } from "#schema/signer.ts";
import type { SuppressionLookup } from "#schema/outgoing/suppression-lookup.ts";
import type { RenderedTemplate } from "#schema/template.ts";
import type { NewTask, TaskChange } from "#schema/task.ts";
import type { Failure } from "./classify.ts";
import type { FileMemory } from "./file-memory.ts";
import type { RecipientsOf } from "./suppressed-recipients.ts";
import type { TokenMemory } from "./token-cache.ts";

/** A tenant's account at a provider, opened for one attempt. It contains secrets and is never stored. */
export type OpenConnection = {
  readonly name: string;
  readonly provider: string;
  /** The connection's own base URL; null: the provider's base URL. */
  readonly baseUrl: string | null;
  readonly credentials: { readonly [name: string]: string };
  /** How plain HTTP calls authenticate; absent: without authentication. */
  readonly auth?: ConnectionAuth | undefined;
  /** Settings of the provider's runner, such as a default sender. */
  readonly settings?: JsonObject | undefined;
  /** True: use the provider's test mode, such as SendGrid's mail_settings.sandbox_mode. */
  readonly sandbox: boolean;
  /**
   * Returns an OAuth2 access token. `refused` is a token that the provider has just refused, so that it is renewed;
   * null: any valid token will do.
   */
  readonly token: (refused: string | null) => Promise<TokenResult>;
  /**
   * Returns the access token of a grant that the runner builds itself. If absent, each isolate requests its own token.
   */
  readonly ownToken?: OwnTokenPort | undefined;
};

/** A message for the platform's e-mail binding. */
export type EmailMessage = {
  readonly from: EmailMailbox;
  readonly to: readonly EmailMailbox[];
  readonly cc?: readonly EmailMailbox[];
  readonly bcc?: readonly EmailMailbox[];
  readonly replyTo?: EmailMailbox;
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly attachments?: readonly EmailFile[];
};
type EmailFile = {
  readonly filename: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /**
   * The id by which the message's HTML references the file; null: the HTML does not reference the file, which is an
   * attachment only.
   */
  readonly contentId: string | null;
};
export type EmailMailbox = { readonly email: string; readonly name: string | null };

/** Reads a stored file. `read` returns null if no file has this key. */
export type FilesPort = { readonly read: (key: string) => Promise<StoredFile | null> };
export type StoredFile = {
  readonly body: ReadableStream<Uint8Array>;
  readonly bytes: number;
  readonly type: string | null;
  /** The stored Content-Disposition header. It may contain the name of the file. */
  readonly disposition: string | null;
};

/** A database that definitions may use. It throws the database's own errors. */
export type DatabasePort = {
  readonly query: (
    sql: string,
    params: readonly (string | number | null)[],
  ) => Promise<{ readonly rows: readonly unknown[]; readonly rowsRead: number; readonly rowsWritten: number }>;
};

/** What a method of a bound Worker receives besides its input. */
export type WorkerCall = {
  /** The same for every attempt and every retry of a run. */
  readonly idempotencyKey: string;
  readonly attempt: number;
  /** When the engine stops waiting for the method, in epoch ms. */
  readonly deadline: number;
  readonly execution: string;
  readonly run: string;
  readonly tenant: string;
  readonly signal: AbortSignal;
};
/** A bound Worker whose methods definitions may call. It throws the method's and the platform's errors. */
export type ServicePort = { readonly call: (method: string, input: Json, call: WorkerCall) => Promise<unknown> };

/** Tasks for people. Each run has at most one task, so a repeated `create` returns the same one. */
export type TasksPort = {
  readonly create: (
    task: NewTask,
  ) => Promise<
    | {
        readonly ok: true;
        readonly task: { readonly id: string; readonly dueAt: number | null; readonly touched: TouchedTask };
      }
    | { readonly ok: false; readonly failure: Failure }
  >;
  /** Changes or cancels the open tasks that another action of the same execution has created. */
  readonly change: (
    change: TaskChange,
  ) => Promise<
    { readonly ok: true; readonly tasks: readonly TouchedTask[] } | { readonly ok: false; readonly failure: Failure }
  >;
};

type EngineCallResult =
  | { readonly ok: true; readonly execution: string; readonly repeated: boolean }
  | { readonly ok: false; readonly failure: Failure };
/** Starts executions of the same tenant and sends events to them. A repeated call of one run takes effect once. */
export type EnginePort = {
  readonly start: (asked: ChildStartRequest) => Promise<EngineCallResult>;
  readonly send: (asked: SendEventRequest) => Promise<EngineCallResult>;
};

export type RunnerContext = {
  readonly ticket: Ticket;
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** True only in local development: calls to http: URLs and to loopback addresses are then allowed. */
  readonly allowLoopback: boolean;
  /**
   * Returns the webhook signing keys (Standard Webhooks), the newest first. The list is empty if the installation does
   * not sign.
   */
  readonly signing: (
    by: SignFor,
  ) => Promise<
    { readonly ok: true; readonly secrets: readonly string[] } | { readonly ok: false; readonly failure: Failure }
  >;
  /** Finds the connection that `connection` would open, without opening it. */
  readonly findAccount: (
    name: string | null,
    provider: string,
  ) => Promise<
    | { readonly ok: true; readonly account: Pick<OpenConnection, "name" | "provider"> }
    | { readonly ok: false; readonly failure: Failure }
  >;
  /** Opens a connection by name. Without a name, opens the tenant's only connection for the provider. */
  readonly connection: (
    name: string | null,
    provider: string,
  ) => Promise<
    { readonly ok: true; readonly connection: OpenConnection } | { readonly ok: false; readonly failure: Failure }
  >;
  /** Renders a stored template ("name" or "name@version") with the variables. */
  readonly template: (
    ref: string,
    variables: { readonly [name: string]: unknown },
  ) => Promise<
    { readonly ok: true; readonly rendered: RenderedTemplate } | { readonly ok: false; readonly failure: Failure }
  >;
  /** The platform's e-mail binding; absent if the installation has none. `send` throws errors with a `code`. */
  readonly email?: { readonly send: (message: EmailMessage) => Promise<{ readonly messageId: string }> } | undefined;
  /**
   * The tenant's files in the installation's bucket; absent if the installation has none. `read` throws the bucket's
   * errors.
   */
  readonly files?: FilesPort | undefined;
  /** The databases that definitions may use, by name. */
  readonly databases?: { readonly [name: string]: DatabasePort } | undefined;
  /** The bound Workers whose methods definitions may call, by name. */
  readonly services?: { readonly [name: string]: ServicePort } | undefined;
  /** Returns the signer that assigns the nonces of one address (lower-case) on one chain. */
  readonly signer?: ((chainId: number, address: string) => Signer) | undefined;
  readonly tasks?: TasksPort | undefined;
  /** Returns the recipients that are on the tenant's suppression list. If absent, no recipient is suppressed. */
  readonly suppressed?: SuppressionLookup | undefined;
  readonly engine?: EnginePort | undefined;
  /** The engine's own address, to which providers send callbacks; null or absent if it is not configured. */
  readonly publicUrl?: string | null | undefined;
  /** The unsubscribe link of an e-mail. If absent, configs and templates contain no link. */
  readonly unsubscribe?: UnsubscribePort | undefined;
  /** Returns the address to which a device reports about this run's push message; null if none can be made. */
  readonly receiptUrl?: (() => Promise<string | null>) | undefined;
  /** The limit of the memory for files. If absent, all runs of the isolate share one limit. */
  readonly fileMemory?: FileMemory | undefined;
  /**
   * Returns the access tokens of a grant in a config; all runs with the same grant share them. If absent, each isolate
   * requests its own token.
   */
  readonly ownToken?: OwnTokenPort | undefined;
  /** The cache of the tokens that this isolate requests. If absent, all runs of the isolate share one cache. */
  readonly tokens?: TokenMemory | undefined;
};

export type Runner<Config> = {
  readonly type: string;
  readonly config: z.ZodType<Config>;
  /**
   * Returns the parsed config if it has the most common form. Returns null for any other form, and the schema then
   * parses the config. Both give the same result, so this function only saves time.
   */
  readonly plain?: (config: JsonObject) => Config | null;
  /** Additional checks of a draft. Definitions that are already stored do not go through these checks. */
  readonly draft?: z.ZodType;
  /**
   * JSON pointers to the URLs in a config that the runner calls. `*` matches every item of a list. Checks of drafts
   * refuse forbidden URLs at these pointers.
   */
  readonly calls?: readonly string[];
  readonly permissions: readonly string[];
  readonly repeats: IdempotencySupport;
  /**
   * Returns the idempotency support for one config. It is set only if the support depends on the config, such as on its
   * provider.
   */
  readonly repeatsOf?: (config: Config) => IdempotencySupport;
  /** The recipients that the suppression list applies to. Absent if messages of this type have no such list. */
  readonly recipients?: RecipientsOf<Config>;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPreset;
  /**
   * "queue" if the runner calls an execution's object. Such a run must use the queue, because a run in the direct lane
   * is called by an object, and two objects' calls would nest.
   */
  readonly lane?: "queue";
  readonly run: (config: Config, context: RunnerContext) => Promise<Outcome>;
};
