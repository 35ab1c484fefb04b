// The calls a connection's object answers. It stands before the provider as a gate: it lets calls through as limits
// and breaker allow, and keeps the access token. Lists throughout, additive only.
import type { ActionError, Hold } from "./engine/outcome.ts";

/** What the connection's settings come to. They travel with each call, so the object never has to be told of changes. */
export type Terms = {
  readonly rate: RateTerms | null;
  readonly concurrency: number | null;
  readonly breaker: BreakerTerms | null;
  /** How long the breaker has to stay closed before what has failed goes out again by itself. Absent where nobody says. */
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
  /** Who asks: one carrying out of one attempt. Asking again under the same key gives the same lease, for longer. */
  readonly key: string;
  /** From then on the asker is taken for lost. */
  readonly expiresAt: number;
  /** When it was told to come back: it has been in line already. */
  readonly promisedAt: number | null;
  /** The reason of that hold. Default: concurrency. */
  readonly promisedFor?: Hold["reason"];
};
/** `lease` is null where nothing has to be given back. */
export type Acquired =
  | { readonly ok: true; readonly lease: string | null }
  | { readonly ok: false; readonly hold: Omit<Hold, "connection"> };

export type ReleaseItem = {
  readonly lease: string;
  /** ignored: it says nothing about the provider's health. */
  readonly outcome: "ok" | "failed" | "ignored";
  /** The provider answered, whatever it said: it is there. */
  readonly answered?: boolean;
  /** The provider asked all its callers to stay away for so long. */
  readonly retryAfterMs: number | null;
};

export type TokenAsk = {
  /** A digest of how the connection authenticates: another one is another token. */
  readonly key: string;
  /** The serial of a token that the provider has just refused. */
  readonly refused: number | null;
  /** When the newest of its secrets was set, as far as the asker knows; absent where nobody looked. */
  readonly asOf?: number;
  /** A digest of what its refresh tokens descend from, one from the other; absent: of all that `key` says. */
  readonly chain?: string;
  /** Somebody wants to know now whether the provider gives one: it is asked even if it refused just now. */
  readonly check?: boolean;
};
/** The request that gets the token, sealed: it is passed on, and not kept. */
export type OwnTokenAsk = TokenAsk & { readonly grant: string };
/** The token is sealed: the object keeps it and cannot read it. */
export type TokenAnswer =
  | { readonly ok: true; readonly serial: number; readonly token: string; readonly expiresAt: number }
  | {
      readonly ok: false;
      readonly error: ActionError;
      readonly retryAfterMs?: number;
      /** Set: a person has to mend the account; work may wait for that, and come back then. */
      readonly heldUntil?: number;
    };

/** The provider refuses the connection's account: until somebody mends it, nothing goes. */
export type Attention = {
  readonly since: number;
  readonly code: string;
  readonly reason: string;
  /** What to do about it. */
  readonly nextStep: string;
};
/** What the object asks the Worker to tell the lists and the tenant's alert channels; null: it is over. */
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
  /** How many callers are to come back for a slot. */
  readonly waiting?: number;
  /** When the next newcomer would be let through, as far as the rate is concerned. */
  readonly nextAt: number;
  readonly token: { readonly obtainedAt: number; readonly expiresAt: number } | null;
  /** Why the provider rejects the account; absent or null if it does not. */
  readonly attention?: Attention | null;
};

export type Gate = {
  acquire(terms: Terms, items: readonly AcquireItem[]): Promise<readonly Acquired[]>;
  release(terms: Terms, items: readonly ReleaseItem[]): Promise<void>;
  token(asks: readonly TokenAsk[]): Promise<readonly TokenAnswer[]>;
  /** With a grant of the asker's own, of an account or of a config that no connection stands for. */
  ownToken(asks: readonly OwnTokenAsk[]): Promise<readonly TokenAnswer[]>;
  read(terms: Terms): Promise<GateView>;
  /** What stood in the provider's way has been changed, or a check has succeeded. */
  mended(): Promise<void>;
  /** The connection is gone: so is all that is known here. */
  forget(): Promise<void>;
};

/** What the object asks of the Worker once an outage is over: to send again what has failed with it, where somebody wants that. */
export type HealAsk = {
  readonly tenant: string;
  readonly connection: string;
  /** What has failed from then on is of this outage. */
  readonly since: number;
  /** The operation that was begun last: if it is still under way nothing is begun, and what it left over comes along. */
  readonly last: { readonly operation: string; readonly since: number } | null;
};
export type HealAnswer =
  /** `since`: of what it is about the oldest may have failed then. */
  | { readonly kind: "begun"; readonly operation: string; readonly since: number }
  /** Nobody wants it, or there is nothing to be sent. */
  | { readonly kind: "nothing" }
  /** Not now. */
  | { readonly kind: "busy" };

/** What the object asks of the Worker: to get a token, where and how only the Worker knows. */
export type RenewAsk = {
  readonly tenant: string;
  readonly connection: string;
  /** The refresh token that came with the last one, sealed; null at first. */
  readonly refresh: string | null;
  /** As in OwnTokenAsk; absent: as the connection says. */
  readonly grant?: string;
};
export type Renewed =
  | {
      readonly ok: true;
      readonly token: string;
      readonly refresh: string | null;
      readonly expiresAt: number;
      /** When the newest of the secrets was set that it was got with; absent: as the asker said. */
      readonly asOf?: number;
    }
  | { readonly ok: false; readonly error: ActionError; readonly retryAfterMs?: number };
