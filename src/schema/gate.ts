// Gate calls: what a connection's object answers. It controls the calls to a provider: it admits them within the limits
// and the breaker's state, and stores the access token. Lists throughout, additive only.
import type { ActionError, Hold } from "./engine/outcome.ts";

/** The connection's settings. They are sent with each call, so the object is never notified of changes. */
export type Terms = {
  readonly rate: RateTerms | null;
  readonly concurrency: number | null;
  readonly breaker: BreakerTerms | null;
  /** How long the breaker must stay closed before automatic retries. Absent without a setting. */
  readonly quietMs?: number;
};
export type RateTerms = { readonly calls: number; readonly perMs: number; readonly burst: number };
export type BreakerTerms = {
  readonly failureRatio: number;
  readonly windowMs: number;
  readonly minimumCalls: number;
  readonly openMs: number;
  readonly halfOpenProbes: number;
};

export type AcquireItem = {
  /** The caller: one execution of one attempt. A repeat under the same key gets the same lease, extended. */
  readonly key: string;
  /** From this instant on the caller counts as lost. */
  readonly expiresAt: number;
  /** The return time it was given: it has waited in the queue already. */
  readonly promisedAt: number | null;
  /** The reason of that hold. Default: concurrency. */
  readonly promisedFor?: Hold["reason"];
};
/** `lease` is null if nothing must be released. */
export type Acquired =
  | { readonly ok: true; readonly lease: string | null }
  | { readonly ok: false; readonly hold: Omit<Hold, "connection"> };

export type ReleaseItem = {
  readonly lease: string;
  /** ignored: it does not count for the provider's health. */
  readonly outcome: "ok" | "failed" | "ignored";
  /** The provider answered in any way: it is up. */
  readonly answered?: boolean;
  /** The pause that the provider requested of all its callers. */
  readonly retryAfterMs: number | null;
};

export type TokenAsk = {
  /** A digest of the connection's authentication: another digest is another token. */
  readonly key: string;
  /** The serial of a token that the provider has just refused. */
  readonly refused: number | null;
  /** When the newest of its secrets was set, as far as known; absent if not checked. */
  readonly asOf?: number;
  /** A digest of the origin of a chain of refresh tokens; absent: everything in `key`. */
  readonly chain?: string;
  /** A client needs to know now whether the provider issues one: it is called even if it has just refused. */
  readonly check?: boolean;
};
/** The request for the token, encrypted: it is passed on, and not stored. */
export type OwnTokenAsk = TokenAsk & { readonly grant: string };
/** The token is encrypted: the object stores it and cannot read it. */
export type TokenAnswer =
  | { readonly ok: true; readonly serial: number; readonly token: string; readonly expiresAt: number }
  | {
      readonly ok: false;
      readonly error: ActionError;
      readonly retryAfterMs?: number;
      /** Set: an operator must fix the account; runs may be held until then. */
      readonly heldUntil?: number;
    };

/** The provider rejects the connection's credentials: no call is made until they are fixed. */
export type Attention = {
  readonly since: number;
  readonly code: string;
  readonly reason: string;
  /** What to do about it. */
  readonly nextStep: string;
};
/** The object's report for the catalog and the tenant's alert channels; null: resolved. */
export type AttentionNews = {
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
  /** How many callers wait for a slot. */
  readonly waiting?: number;
  /** When the rate would admit the next new caller. */
  readonly nextAt: number;
  readonly token: { readonly obtainedAt: number; readonly expiresAt: number } | null;
  /** Why the provider rejects the account; absent or null if it does not. */
  readonly attention?: Attention | null;
};

export type Gate = {
  acquire(terms: Terms, items: readonly AcquireItem[]): Promise<readonly Acquired[]>;
  release(terms: Terms, items: readonly ReleaseItem[]): Promise<void>;
  token(asks: readonly TokenAsk[]): Promise<readonly TokenAnswer[]>;
  /** Requests a token with the caller's own grant, of an account or of a config without a connection. */
  ownToken(asks: readonly OwnTokenAsk[]): Promise<readonly TokenAnswer[]>;
  read(terms: Terms): Promise<GateView>;
  /** The provider's obstacle was changed, or a check has succeeded. */
  clearAttention(): Promise<void>;
  /** The connection was deleted: deletes everything. */
  forget(): Promise<void>;
};

/** The object's request to the Worker after an outage: retry what failed with it, if configured. */
export type HealAsk = {
  readonly tenant: string;
  readonly connection: string;
  /** Failures from then on belong to this outage. */
  readonly since: number;
  /** The last operation: if it is still running, no other is begun, and what it left is included. */
  readonly last: { readonly operation: string; readonly since: number } | null;
};
export type HealAnswer =
  /** `since`: the earliest possible failure among its dead letters. */
  | { readonly kind: "begun"; readonly operation: string; readonly since: number }
  /** Not configured, or there is nothing to retry. */
  | { readonly kind: "nothing" }
  /** Not now. */
  | { readonly kind: "busy" };

/** The object's request to the Worker for a token, because only the Worker has the secrets and the network. */
export type RenewAsk = {
  readonly tenant: string;
  readonly connection: string;
  /** The refresh token returned with the last one, encrypted; null at first. */
  readonly refresh: string | null;
  /** The grant of OwnTokenAsk; absent: the connection's own. */
  readonly grant?: string;
};
export type Renewed =
  | {
      readonly ok: true;
      readonly token: string;
      readonly refresh: string | null;
      readonly expiresAt: number;
      /** When the newest of the secrets used was set; absent: as the caller reported. */
      readonly asOf?: number;
    }
  | { readonly ok: false; readonly error: ActionError; readonly retryAfterMs?: number };
