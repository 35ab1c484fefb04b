// The shape of every runner, line by line the same: what it takes, what it needs, how it repeats, and `run`.
import type { z } from "zod";
import type { Outcome } from "#schema/outcome.ts";
import type { RetryPreset } from "#schema/retry.ts";
import type { Ticket } from "#schema/run.ts";

/** provider: the provider drops repeats of a key. none: a repeat after a crash is possible, and the run says so. */
export type Idempotency = { readonly mode: "provider"; readonly windowMs: number | null } | { readonly mode: "none" };

export type RunnerContext = {
  readonly ticket: Ticket;
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** True only for local work: http and loopback addresses may be called. */
  readonly allowLoopback: boolean;
  /** Signs outbound webhooks (Standard Webhooks); null where the tenant has no signing secret. */
  readonly signingSecret: string | null;
};

export type Runner<Config> = {
  readonly type: string;
  readonly config: z.ZodType<Config>;
  readonly permissions: readonly string[];
  readonly idempotency: Idempotency;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPreset;
  readonly run: (config: Config, context: RunnerContext) => Promise<Outcome>;
};
