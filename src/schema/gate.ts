// Gate calls: the RPC interface of a connection's object. It admits calls to the provider as the limits and the breaker
// allow, and stores the access token. Each call has a list of items. Changes are additive only.
import type { ActionError, Hold } from "./engine/outcome.ts";

/** The connection's limits. Each call contains them, so that the object always has the current ones. */
export type ConnectionLimits = {
  readonly rate: RateTerms | null;
  readonly concurrency: number | null;
  readonly breaker: BreakerLimits | null;
  /**
   * How long the breaker must be closed before automatic retries begin, in ms. Absent if the connection does not set
   * it.
   */
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
   * Identifies the caller, which is one delivery of one attempt. If a call with the same key is repeated, the lease is
   * extended.
   */
  readonly key: string;
  /** When the caller's lease ends, in epoch ms. */
  readonly expiresAt: number;
  /**
   * When the object asked the caller to call again, in epoch ms, because the caller has already waited for a slot. Null
   * for a new caller.
   */
  readonly promisedAt: number | null;
  /** The reason of the hold that made the caller wait. Default: concurrency. */
  readonly promisedFor?: Hold["reason"];
};
/** The answer to a caller. `lease` is null if the caller occupies no slot, so it releases none after the call. */
export type AcquireAnswer =
  | { readonly ok: true; readonly lease: string | null }
  | { readonly ok: false; readonly hold: Omit<Hold, "connection"> };

export type ReleaseItem = {
  readonly lease: string;
  /** The result of a call, which the breaker counts. ignored: the result says nothing about the provider's health. */
  readonly outcome: "ok" | "failed" | "ignored";
  /**
   * True: the provider has answered, so it can be reached. A failed call with an answer does not count as an outage.
   */
  readonly answered?: boolean;
  /** How long the provider asked all callers to pause, in ms. Null if it did not. */
  readonly retryAfterMs: number | null;
};

export type AccessTokenRequest = {
  /**
   * A digest of the connection's authentication. If the authentication changes, the digest changes, and another token
   * is used.
   */
  readonly key: string;
  /** The serial number of the token that the provider has just refused. Null if the caller has not used a token yet. */
  readonly refused: number | null;
  /**
   * When the newest of the connection's secrets was set (epoch ms), as far as the caller knows. Absent if it does not
   * know.
   */
  readonly asOf?: number;
  /** A digest of the first refresh token of a chain. Absent: `key` identifies the chain. */
  readonly chain?: string;
  /**
   * True: an operator checks the connection. The object then requests a token even if the provider has just refused a
   * request.
   */
  readonly check?: boolean;
};
/** A token request with a grant of its own. `grant` is encrypted. The object forwards it and does not store it. */
export type OwnTokenRequest = AccessTokenRequest & { readonly grant: string };
/** The answer to a token request. The token is encrypted, so the object cannot read it. */
export type AccessTokenAnswer =
  | { readonly ok: true; readonly serial: number; readonly token: string; readonly expiresAt: number }
  | {
      readonly ok: false;
      readonly error: ActionError;
      readonly retryAfterMs?: number;
      /** Set if an operator must fix the account. Until this time (epoch ms) runs may wait for that. */
      readonly heldUntil?: number;
    };

/** The provider rejects the connection's credentials. No calls are made until an operator has fixed them. */
export type Attention = {
  readonly since: number;
  readonly code: string;
  readonly reason: string;
  /** What the operator should do. */
  readonly nextStep: string;
};
/**
 * What the object reports to the catalog and to the tenant's alert channels. `attention` null: the credentials work
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
  /** When the rate allows the next new call, in epoch ms. */
  readonly nextAt: number;
  readonly token: { readonly obtainedAt: number; readonly expiresAt: number } | null;
  /** Why the provider rejects the account. Absent or null if it accepts the account. */
  readonly attention?: Attention | null;
};

export type Gate = {
  acquire(terms: ConnectionLimits, items: readonly AcquireItem[]): Promise<readonly AcquireAnswer[]>;
  release(terms: ConnectionLimits, items: readonly ReleaseItem[]): Promise<void>;
  token(asks: readonly AccessTokenRequest[]): Promise<readonly AccessTokenAnswer[]>;
  /** Requests tokens with the callers' own grants: for an account, or for a config without a connection. */
  ownToken(asks: readonly OwnTokenRequest[]): Promise<readonly AccessTokenAnswer[]>;
  read(terms: ConnectionLimits): Promise<GateView>;
  /**
   * Reports that the account's credentials were changed, or that a check has succeeded. The object then admits calls
   * again.
   */
  clearAttention(): Promise<void>;
  /** Deletes all data of the object, because the connection was deleted. */
  forget(): Promise<void>;
};

/**
 * After an outage, the object asks the Worker to retry the outage's dead letters. The Worker does so only if automatic
 * retry is configured.
 */
export type AutoRetryRequest = {
  readonly tenant: string;
  readonly connection: string;
  /** Dead letters that failed at or after this instant (epoch ms) belong to the outage. */
  readonly since: number;
  /**
   * The last operation of automatic retries. Null if there was none. If it is still running, no other operation begins.
   */
  readonly last: { readonly operation: string; readonly since: number } | null;
};
export type AutoRetryAnswer =
  /** `since`: no dead letter of the operation failed before this instant (epoch ms). */
  | { readonly kind: "begun"; readonly operation: string; readonly since: number }
  /** No operation was started, because automatic retry is not configured or there are no dead letters. */
  | { readonly kind: "nothing" }
  /** No operation can begin at this time. The object asks again later. */
  | { readonly kind: "busy" };

/** The object's request for a new token. Only the Worker has the secrets and makes outgoing calls. */
export type TokenRenewalRequest = {
  readonly tenant: string;
  readonly connection: string;
  /** The encrypted refresh token that the provider returned with the last token. Null before the first token. */
  readonly refresh: string | null;
  /** The grant of the caller's `OwnTokenRequest`. Absent: the connection's own grant is used. */
  readonly grant?: string;
};
export type TokenRenewalAnswer =
  | {
      readonly ok: true;
      readonly token: string;
      readonly refresh: string | null;
      readonly expiresAt: number;
      /**
       * When the newest of the secrets was set that the Worker used (epoch ms). Absent: the time that the caller
       * reported applies.
       */
      readonly asOf?: number;
    }
  | { readonly ok: false; readonly error: ActionError; readonly retryAfterMs?: number };
