// Access token of a connection: caches the token, and requests a new one from the Worker when needed. Concurrent
// callers share one request. Only the Worker has the secrets and the network, so the object cannot request a token
// itself.
import { REFRESH_TOKEN_KEPT_MS, TOKEN_CACHE_IDLE_MS } from "#schema/limits/outgoing/tokens.ts";
import { isRejected, afterRefusal } from "#policy/gates/rejected-credentials.ts";
import {
  chooseToken,
  tokenToStore,
  setbackOf,
  type HeldToken,
  type Setback,
  type TokenChoice,
} from "#policy/gates/token.ts";
import type {
  OwnTokenRequest,
  TokenRenewalRequest,
  TokenRenewalAnswer,
  AccessTokenAnswer,
  AccessTokenRequest,
} from "#schema/gate.ts";
import type { ConnectionAttention } from "./attention.ts";
import type { GateStorage } from "./storage.ts";

/** `grant` is set if the caller brings its own encrypted token request. */
export type TokenRequest = AccessTokenRequest & Partial<OwnTokenRequest>;

export type AccessTokenPorts = {
  readonly storage: Pick<GateStorage, "readToken" | "writeToken">;
  readonly now: () => number;
  readonly name: () => Pick<TokenRenewalRequest, "tenant" | "connection">;
  /** True for an object that only caches the token of a config without a connection. */
  readonly isTokenOnly: () => boolean;
  readonly attention: ConnectionAttention;
  /** Requests a token from the Worker. */
  readonly renew: (ask: TokenRenewalRequest) => Promise<TokenRenewalAnswer>;
  /** Sets the alarm with which an idle token-only object deletes itself. */
  readonly setIdleAlarm: (at: number) => Promise<void>;
  /** Keeps the object in memory until the work is done. */
  readonly inBackground: (work: Promise<void>) => void;
};

export class AccessToken {
  readonly #ports: AccessTokenPorts;
  #token: HeldToken | null;
  /** The last failure of a token request, which delays the next request; null after a successful request. */
  #setback: Setback | null = null;
  /** The token requests in progress. Callers whose request has the same `asOf` and `key` share one of them. */
  readonly #renewals = new Map<string, Promise<AccessTokenAnswer>>();
  /** The number of resets. A token that was requested before the latest reset is discarded. */
  #resets = 0;

  constructor(ports: AccessTokenPorts) {
    this.#ports = ports;
    this.#token = ports.storage.readToken();
  }

  current(): HeldToken | null {
    return this.#token;
  }

  /** Returns a valid token, or the error of the request for one. */
  async get(request: TokenRequest): Promise<AccessTokenAnswer> {
    const { attention, now } = this.#ports;
    const trouble = attention.trouble();
    const choice = chooseToken(this.#token, request.check ? null : this.#setback, request, now());
    if (choice.kind === "use") return answerOf(choice.held);
    if (isRejected(trouble, request, now())) return attention.hold(trouble);
    if (choice.kind === "fail") {
      const { error, retryAfterMs } = choice;
      return { ok: false, error, ...(retryAfterMs > 0 ? { retryAfterMs } : {}) };
    }
    const answer = await this.#sharedRenewal(request, choice);
    // The renewal may have found that the provider rejects the account. The run is then held, like every later run.
    const found = attention.trouble();
    return !answer.ok && found?.error === answer.error ? attention.hold(found) : answer;
  }

  /** Removes the delay after a failed request, so that the next caller requests a token immediately. */
  clearSetback(): void {
    this.#setback = null;
  }

  /** Clears the token, the last failure and the requests in progress. The caller deletes the connection's rows. */
  reset(): void {
    this.#token = null;
    this.#setback = null;
    this.#renewals.clear();
    this.#resets += 1;
  }

  #sharedRenewal(request: TokenRequest, choice: RenewChoice): Promise<AccessTokenAnswer> {
    const name = `${request.asOf ?? 0} ${request.key}`;
    const current = this.#renewals.get(name);
    if (current !== undefined) return current;
    const renewal: Promise<AccessTokenAnswer> = this.#renew(request, choice).finally(() => {
      if (this.#renewals.get(name) === renewal) this.#renewals.delete(name);
    });
    this.#renewals.set(name, renewal);
    return renewal;
  }

  async #renew(request: TokenRequest, choice: RenewChoice): Promise<AccessTokenAnswer> {
    const { storage, attention, now, name, isTokenOnly, renew, setIdleAlarm, inBackground } = this.#ports;
    const resetsBefore = this.#resets;
    const grant = request.grant === undefined ? {} : { grant: request.grant };
    const renewed = await renew({ ...name(), refresh: choice.refresh, ...grant }).catch(callLost);
    if (this.#resets !== resetsBefore) return connectionChanged;
    if (!renewed.ok) {
      this.#setback = setbackOf(request, renewed, now());
      // A config without a connection has no row in the catalog to report to. Its runs show the failure themselves.
      if (!isTokenOnly()) {
        const trouble = afterRefusal(attention.trouble(), request, renewed, now());
        inBackground(attention.set(trouble));
      }
      return renewed;
    }
    this.#token = tokenToStore(this.#token, request, choice, renewed, now());
    storage.writeToken(this.#token);
    if (isTokenOnly()) await setIdleAlarm(idleAt(this.#token));
    else inBackground(attention.set(null));
    return answerOf(this.#token);
  }
}

type RenewChoice = Extract<TokenChoice, { kind: "renew" }>;

/**
 * Returns when a token-only object may be deleted, epoch ms. An object with a refresh token is kept longer, because
 * without that token the user must give consent again.
 */
export function idleAt({ expiresAt, refresh }: HeldToken): number {
  return expiresAt + (refresh === null ? TOKEN_CACHE_IDLE_MS : REFRESH_TOKEN_KEPT_MS);
}

function answerOf({ serial, token, expiresAt }: HeldToken): AccessTokenAnswer {
  return { ok: true, serial, token, expiresAt };
}

const connectionChanged: AccessTokenAnswer = {
  ok: false,
  error: {
    type: "service_unavailable",
    code: "connection_changed",
    message: "the connection was deleted or created again while its access token was being renewed",
    retryable: true,
  },
};

function callLost(fault: unknown): Extract<TokenRenewalAnswer, { ok: false }> {
  console.error(JSON.stringify({ level: "error", event: "token_not_renewed", message: String(fault) }));
  const message = "the access token could not be renewed, because the engine lost the call to the provider";
  return { ok: false, error: { type: "service_unavailable", code: "token_lost", message, retryable: true } };
}
