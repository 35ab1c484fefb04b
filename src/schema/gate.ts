// Gate calls: the RPC interface of a connection's object. It admits calls to the provider within the limits and the
// breaker's state, and stores the access token. Each call has a list of items. Changes are additive only.
import type { ActionError, Hold } from "./engine/outcome.ts";

/** The connection's limits. The caller sends them with each call, so that the object always has the current ones. */
export type ConnectionLimits = {
  readonly rate: RateTerms | null;
  readonly concurrency: number | null;
  readonly breaker: BreakerLimits | null;
  /** How long the breaker must be closed before automatic retries, in ms. Absent without the setting. */
  readonly quietMs?: number;
};
export type RateTerms = { readonly calls: number; readonly perMs: number; readonly burst: number };
export type BreakerLimits = {
  readonly failureRatio: number;
  readonly windowMs: number;
  readonly minimumCalls: number;
  readonly openMs: number;
  readonly halfOpenProbes: number;
};

export type AcquireItem = {
  /**
   * Identifies the caller: one execution of one attempt. A repeated call with the same key extends the caller's lease.
   */
  readonly key: string;
  /** After this instant (epoch ms) the lease of the caller ends. */
  readonly expiresAt: number;
  /**
   * When the object asked the caller to return (epoch ms), because the caller has waited in the queue already. null for
   * a new caller.
   */
  readonly promisedAt: number | null;
  /** The reason of the hold that made the caller wait. Default: concurrency. */
  readonly promisedFor?: Hold["reason"];
};
/** The answer to a caller. `lease` is null if the caller holds no slot, and so releases none after the call. */
export type AcquireAnswer =
  | { readonly ok: true; readonly lease: string | null }
  | { readonly ok: false; readonly hold: Omit<Hold, "connection"> };

export type ReleaseItem = {
  readonly lease: string;
  /** The result of a call, which the breaker counts. ignored: the result says nothing about the provider's health. */
  readonly outcome: "ok" | "failed" | "ignored";
  /** True: the provider gave an answer, so it can be reached. A failed call with an answer is no outage. */
  readonly answered?: boolean;
  /** The pause that the provider requested of all callers, in ms; null if it requested none. */
  readonly retryAfterMs: number | null;
};

export type AccessTokenRequest = {
  /**
   * A digest of the connection's authentication. After a change of the authentication the digest differs, so another
   * token is used.
   */
  readonly key: string;
  /** The serial number of the token that the provider has just refused; null if the caller has not used a token yet. */
  readonly refused: number | null;
  /**
   * When the newest of the connection's secrets was set (epoch ms), as the caller knows; absent if it did not check.
   */
  readonly asOf?: number;
  /** A digest of the first refresh token of a chain of refresh tokens. Absent: `key` identifies the chain. */
  readonly chain?: string;
  /**
   * True: an operator checks the connection. The object then requests a token even if the provider has just refused
   * one.
   */
  readonly check?: boolean;
};
/** A token request with its own grant. `grant` is encrypted; the object passes it on and does not store it. */
export type OwnTokenRequest = AccessTokenRequest & { readonly grant: string };
/** The answer to a token request. The token is encrypted, so the object cannot read it. */
export type AccessTokenAnswer =
  | { readonly ok: true; readonly serial: number; readonly token: string; readonly expiresAt: number }
  | {
      readonly ok: false;
      readonly error: ActionError;
      readonly retryAfterMs?: number;
      /** Set if an operator must fix the account. Runs may be held until this time (epoch ms). */
      readonly heldUntil?: number;
    };

/** The provider rejects the connection's credentials. No call is made until they are fixed. */
export type Attention = {
  readonly since: number;
  readonly code: string;
  readonly reason: string;
  /** The instruction for the operator. */
  readonly nextStep: string;
};
/**
 * The object's report to the catalog and to the tenant's alert channels. `attention` null: the credentials work
 * again.
 */
export type AttentionReport = {
  readonly tenant: string;
  readonly connection: string;
  readonly attention: Attention | null;
};

export type GateView = {
  readonly breaker: {
    readonly status: "closed" | "open" | "half_open";
    readonly until: number | null;
    readonly calls: number;
    readonly failed: number;
  };
  readonly inUse: number;
  /** The number of callers that wait for a slot. */
  readonly waiting?: number;
  /** When the rate would admit the next new caller, in epoch ms. */
  readonly nextAt: number;
  readonly token: { readonly obtainedAt: number; readonly expiresAt: number } | null;
  /** Why the provider rejects the account; absent or null if it does not reject it. */
  readonly attention?: Attention | null;
};

export type Gate = {
  acquire(terms: ConnectionLimits, items: readonly AcquireItem[]): Promise<readonly AcquireAnswer[]>;
  release(terms: ConnectionLimits, items: readonly ReleaseItem[]): Promise<void>;
  token(asks: readonly AccessTokenRequest[]): Promise<readonly AccessTokenAnswer[]>;
  /** Requests tokens with grants of the callers: those of an account, or of a config without a connection. */
  ownToken(asks: readonly OwnTokenRequest[]): Promise<readonly AccessTokenAnswer[]>;
  read(terms: ConnectionLimits): Promise<GateView>;
  /** Reports that the account's credentials were changed or that a check has succeeded, so that calls resume. */
  clearAttention(): Promise<void>;
  /** Deletes all data of the object, because the connection was deleted. */
  forget(): Promise<void>;
};

/**
 * After an outage the object asks the Worker to retry the outage's dead letters. The Worker does it if the tenant has
 * configured automatic retry.
 */
export type AutoRetryRequest = {
  readonly tenant: string;
  readonly connection: string;
  /** Dead letters since this instant (epoch ms) belong to the outage. */
  readonly since: number;
  /**
   * The last operation of automatic retries; null if there was none. If it is still running, no other operation begins,
   * and its remaining dead letters are included.
   */
  readonly last: { readonly operation: string; readonly since: number } | null;
};
export type AutoRetryAnswer =
  /** `since`: the earliest possible failure among the operation's dead letters, in epoch ms. */
  | { readonly kind: "begun"; readonly operation: string; readonly since: number }
  /** No operation was started, because automatic retry is not configured or there are no dead letters. */
  | { readonly kind: "nothing" }
  /** No operation can begin now. The object asks again later. */
  | { readonly kind: "busy" };

/** The object's request to the Worker for a new token, because only the Worker has the secrets and the network. */
export type TokenRenewalRequest = {
  readonly tenant: string;
  readonly connection: string;
  /** The refresh token that the provider returned with the last token, encrypted; null before the first token. */
  readonly refresh: string | null;
  /** The grant of the caller's `OwnTokenRequest`; absent: the connection's own grant. */
  readonly grant?: string;
};
export type TokenRenewalAnswer =
  | {
      readonly ok: true;
      readonly token: string;
      readonly refresh: string | null;
      readonly expiresAt: number;
      /**
       * When the newest of the secrets that the Worker used was set (epoch ms). Absent: the time that the caller
       * reported.
       */
      readonly asOf?: number;
    }
  | { readonly ok: false; readonly error: ActionError; readonly retryAfterMs?: number };
