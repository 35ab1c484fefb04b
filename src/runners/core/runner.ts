// Runner interface: every runner has the same fields: its config schema, its needs, its idempotency support, and `run`.
import type { z } from "zod";
import type { Repeats } from "#schema/repeats.ts";
import type { SendAsk, StartAsk } from "#schema/engine/child.ts";
import type { ConnectionAuth } from "#schema/connection.ts";
import type { JsonObject } from "#schema/json.ts";
import type { OwnTokenPort, TokenResult } from "#schema/provider/own-token.ts";
import type { Outcome, TouchedTask } from "#schema/engine/outcome.ts";
import type { RetryPreset } from "#schema/definition/retry.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { SignFor } from "#schema/outgoing/signing.ts";
import type { Signer } from "#schema/signer.ts";
import type { RenderedTemplate } from "#schema/template.ts";
import type { NewTask, TaskChange } from "#schema/task.ts";
import type { Failure } from "./classify.ts";
import type { FileMemory } from "./file-memory.ts";
import type { TokenMemory } from "./token-cache.ts";

/** A tenant's account at a provider, opened for one attempt: it contains secrets, so it is never stored. */
export type OpenConnection = {
  readonly name: string;
  readonly provider: string;
  /** null: the provider's own address. */
  readonly baseUrl: string | null;
  readonly credentials: { readonly [name: string]: string };
  /** How it authenticates over plain HTTP; absent: not at all. */
  readonly auth?: ConnectionAuth | undefined;
  /** Further settings for the runner, such as a default sender. */
  readonly settings?: JsonObject | undefined;
  /** The provider's sandbox mode, where it has one (SendGrid's mail_settings.sandbox_mode, Twilio's test credentials). */
  readonly sandbox: boolean;
  /** An OAuth2 access token; `refused` names one that the provider has just refused, which is then renewed once. */
  readonly token: (refused: string | null) => Promise<TokenResult>;
  /** The same with a grant that the provider's runner makes itself; absent: each isolate requests its own token. */
  readonly ownToken?: OwnTokenPort | undefined;
};

/** A message for the platform's own e-mail binding. */
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
  /** null: not referenced by the message's html. */
  readonly contentId: string | null;
};
export type EmailMailbox = { readonly email: string; readonly name: string | null };

/** Null if there is no such file. */
export type FilesPort = { readonly read: (key: string) => Promise<StoredFile | null> };
export type StoredFile = {
  readonly body: ReadableStream<Uint8Array>;
  readonly bytes: number;
  readonly type: string | null;
  /** As in a Content-Disposition header, with the file's name. */
  readonly disposition: string | null;
};

/** A database a definition may use; throws the database's own errors. */
export type DatabasePort = {
  readonly query: (
    sql: string,
    params: readonly (string | number | null)[],
  ) => Promise<{ readonly rows: readonly unknown[]; readonly rowsRead: number; readonly rowsWritten: number }>;
};

/** Tasks for people, one per run: a repeat returns the same task. */
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
  /** Open tasks of the same execution. */
  readonly change: (
    change: TaskChange,
  ) => Promise<
    { readonly ok: true; readonly tasks: readonly TouchedTask[] } | { readonly ok: false; readonly failure: Failure }
  >;
};

type Acted =
  | { readonly ok: true; readonly execution: string; readonly repeated: boolean }
  | { readonly ok: false; readonly failure: Failure };
/** Other executions of the same tenant; a repeated request of one run is applied once. */
export type EnginePort = {
  readonly start: (asked: StartAsk) => Promise<Acted>;
  readonly send: (asked: SendAsk) => Promise<Acted>;
};

export type RunnerContext = {
  readonly ticket: Ticket;
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** True only for local development: http and loopback addresses may be called. */
  readonly allowLoopback: boolean;
  /** Webhook signing keys (Standard Webhooks), the newest first; empty if the installation signs nothing. */
  readonly signing: (
    by: SignFor,
  ) => Promise<
    { readonly ok: true; readonly secrets: readonly string[] } | { readonly ok: false; readonly failure: Failure }
  >;
  /** Opens the connection an action names, or the tenant's only one for the provider. */
  readonly connection: (
    name: string | null,
    provider: string,
  ) => Promise<
    { readonly ok: true; readonly connection: OpenConnection } | { readonly ok: false; readonly failure: Failure }
  >;
  /** Renders a stored template ("name" or "name@version") with the variables given. */
  readonly template: (
    ref: string,
    variables: { readonly [name: string]: unknown },
  ) => Promise<
    { readonly ok: true; readonly rendered: RenderedTemplate } | { readonly ok: false; readonly failure: Failure }
  >;
  /** The platform's e-mail binding; absent if none is bound. Throws errors with a `code`. */
  readonly email?: { readonly send: (message: EmailMessage) => Promise<{ readonly messageId: string }> } | undefined;
  /** The tenant's own files, in the bound bucket; absent if none is bound. Throws the bucket's errors. */
  readonly files?: FilesPort | undefined;
  /** The databases available to actions, by their names in definitions. */
  readonly databases?: { readonly [name: string]: DatabasePort } | undefined;
  /** Assigns the nonces of one of the tenant's addresses (lower-case) on one chain. */
  readonly signer?: ((chainId: number, address: string) => Signer) | undefined;
  readonly tasks?: TasksPort | undefined;
  readonly engine?: EnginePort | undefined;
  /** The memory limit of files in transit; absent: the isolate's own, for all its runs. */
  readonly fileRoom?: FileMemory | undefined;
  /** Requests the tokens of a config, shared by all runs; absent: each isolate requests its own. */
  readonly ownToken?: OwnTokenPort | undefined;
  /** The cache of tokens that the isolate requests itself; absent: the isolate's, for all its runs. */
  readonly tokens?: TokenMemory | undefined;
};

export type Runner<Config> = {
  readonly type: string;
  readonly config: z.ZodType<Config>;
  /** The schema's result for the most common form of config; null: parse with the schema. Only for speed. */
  readonly plain?: (config: JsonObject) => Config | null;
  /** Further checks while a config is a draft; stored definitions are not checked again. */
  readonly draft?: z.ZodType;
  /**
   * Pointers to the URLs of a config that the runner calls; `*` is every item of a list. Also checked while it is a
   * draft.
   */
  readonly calls?: readonly string[];
  readonly permissions: readonly string[];
  readonly repeats: Repeats;
  /** If it depends on the config which provider is called. */
  readonly repeatsOf?: (config: Config) => Repeats;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPreset;
  /** Set if the runner calls an execution's object: it must not be called by one in its turn. */
  readonly lane?: "queue";
  readonly run: (config: Config, context: RunnerContext) => Promise<Outcome>;
};
