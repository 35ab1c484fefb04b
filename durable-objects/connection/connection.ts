// The connection object: the one place that knows how much of a provider's allowance is left, and the one holder of its
// access token. It lives in memory and writes little: changes of the breaker at once, the rest now and then, and a
// token when it is new. Getting a token is the Worker's work; the object only sees to it that it is done once.
import { GATE_WRITE_AFTER_MS } from "#schema/limits/outgoing-calls.ts";
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import {
  chooseToken,
  keepToken,
  setbackOf,
  type HeldToken,
  type Setback,
  type TokenChoice,
} from "#policy/gates/token.ts";
import { acquire, gateFrom, openGate, release, view, worthKeeping, type GateState } from "#policy/gates/connection.ts";
import type {
  Acquired,
  AcquireItem,
  Gate,
  GateView,
  ReleaseItem,
  RenewAsk,
  Renewed,
  Terms,
  TokenAnswer,
  TokenAsk,
} from "#schema/gate.ts";
import { gateStorage } from "./storage.ts";

/** The Worker's own stateless entrypoint, as the object sees it. */
type Loopback = { readonly TokenRenewal: { renew(ask: RenewAsk): Promise<Renewed> } };
type Flight = { readonly key: string; readonly answer: Promise<TokenAnswer> };

export class ConnectionObject extends DurableObject<Env> implements Gate {
  readonly #storage: ReturnType<typeof gateStorage>;
  #state: GateState;
  #token: HeldToken | null;
  #setback: Setback | null = null;
  #flight: Flight | null = null;
  #willKeep = false;
  /** How often it was told to forget: what was asked for before belongs to nobody afterwards. */
  #forgotten = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = gateStorage(ctx.storage);
    this.#state = gateFrom(this.#storage.readGate());
    this.#token = this.#storage.readToken();
  }

  async acquire(terms: Terms, items: readonly AcquireItem[]): Promise<readonly Acquired[]> {
    const { state, answers } = acquire(this.#state, terms, items, Date.now());
    this.#become(state);
    return answers;
  }

  async release(terms: Terms, items: readonly ReleaseItem[]): Promise<void> {
    this.#become(release(this.#state, terms, items, Date.now()));
  }

  async token(asks: readonly TokenAsk[]): Promise<readonly TokenAnswer[]> {
    return Promise.all(asks.map((ask) => this.#tokenFor(ask)));
  }

  async read(terms: Terms): Promise<GateView> {
    const token = this.#token && { obtainedAt: this.#token.obtainedAt, expiresAt: this.#token.expiresAt };
    return { ...view(this.#state, terms, Date.now()), token };
  }

  async forget(): Promise<void> {
    this.#state = openGate;
    this.#token = null;
    this.#setback = null;
    this.#flight = null;
    this.#forgotten += 1;
    await this.#storage.reset();
  }

  #become(state: GateState): void {
    const hasSwitched = state.breaker.kind !== this.#state.breaker.kind;
    this.#state = state;
    if (hasSwitched) this.#keep();
    else if (!this.#willKeep) {
      this.#willKeep = true;
      setTimeout(() => this.#keep(), GATE_WRITE_AFTER_MS);
    }
  }

  #keep(): void {
    this.#willKeep = false;
    this.#storage.keepGate(worthKeeping(this.#state, Date.now()));
  }

  async #tokenFor(ask: TokenAsk): Promise<TokenAnswer> {
    const choice = chooseToken(this.#token, this.#setback, ask, Date.now());
    switch (choice.kind) {
      case "use":
        return answerOf(choice.held);
      case "fail":
        return {
          ok: false,
          error: choice.error,
          ...(choice.retryAfterMs > 0 ? { retryAfterMs: choice.retryAfterMs } : {}),
        };
      case "renew":
        if (this.#flight?.key !== ask.key) this.#flight = { key: ask.key, answer: this.#renew(ask.key, choice) };
        return this.#flight.answer;
    }
  }

  /** Whoever asks meanwhile waits for the same answer. */
  async #renew(key: string, choice: Extract<TokenChoice, { kind: "renew" }>): Promise<TokenAnswer> {
    const [tenant = "", connection = ""] = (this.ctx.id.name ?? "").split("/");
    const loopback = this.ctx.exports as unknown as Loopback; // typed by the Worker's main module, which this room may not import
    const forgotten = this.#forgotten;
    const renewed = await loopback.TokenRenewal.renew({ tenant, connection, refresh: choice.refresh }).catch(lost);
    if (this.#forgotten !== forgotten) return gone;
    if (this.#flight?.key === key) this.#flight = null;
    if (!renewed.ok) {
      this.#setback = setbackOf(key, renewed, Date.now());
      return renewed;
    }
    this.#token = keepToken(this.#token, key, choice, renewed, Date.now());
    this.#storage.keepToken(this.#token);
    return answerOf(this.#token);
  }
}

function answerOf({ serial, token, expiresAt }: HeldToken): TokenAnswer {
  return { ok: true, serial, token, expiresAt };
}

const gone: TokenAnswer = {
  ok: false,
  error: {
    type: "service_unavailable",
    code: "connection_changed",
    message: "the connection was deleted, or made anew, while its access token was being renewed",
    retryable: true,
  },
};

function lost(fault: unknown): Extract<Renewed, { ok: false }> {
  console.error(JSON.stringify({ level: "error", event: "token_not_renewed", message: String(fault) }));
  const message = "the access token could not be renewed: the engine lost the call";
  return { ok: false, error: { type: "service_unavailable", code: "token_lost", message, retryable: true } };
}
