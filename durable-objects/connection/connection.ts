// Connection object: tracks a provider's remaining allowance and caches its access token, in memory. It stores breaker
// changes and new tokens at once, the rest at intervals. The Worker requests tokens; the object ensures one request.
import { AUTO_RETRY_START_AGAIN_MS } from "#schema/limits/outgoing/automatic-retries.ts";
import { GATE_WRITE_AFTER_MS } from "#schema/limits/outgoing/connection-limits.ts";
import {
  REFRESH_TOKEN_KEPT_MS,
  REJECTED_ACCOUNT_REPORT_RETRY_MS,
  TOKEN_CACHE_IDLE_MS,
} from "#schema/limits/outgoing/tokens.ts";
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import {
  attentionOf,
  isRejected,
  holdAttempt,
  afterRefusal,
  type CredentialRejection,
} from "#policy/gates/rejected-credentials.ts";
import {
  chooseToken,
  tokenToStore,
  setbackOf,
  type HeldToken,
  type Setback,
  type TokenChoice,
} from "#policy/gates/token.ts";
import { acquire, openGate, release, viewGate, stateToStore, type GateState } from "#policy/gates/connection.ts";
import type {
  Acquired,
  AcquireItem,
  AttentionNews,
  Gate,
  GateView,
  HealAnswer,
  HealAsk,
  OwnTokenAsk,
  ReleaseItem,
  RenewAsk,
  Renewed,
  Terms,
  TokenAnswer,
  TokenAsk,
} from "#schema/gate.ts";
import { isIdOf } from "#schema/ids.ts";
import { openHealing } from "./healing.ts";
import { gateStorage, type KeptAttention } from "./storage.ts";

/** The Worker's own stateless entrypoint, as the object sees it. */
type Loopback = {
  readonly TokenRenewal: {
    renew(ask: RenewAsk): Promise<Renewed>;
    attention(news: AttentionNews): Promise<void>;
    heal(ask: HealAsk): Promise<HealAnswer>;
  };
};
/** `grant` is set if the caller sends its own encrypted token request. */
type Ask = TokenAsk & Partial<OwnTokenAsk>;

export class ConnectionObject extends DurableObject<Env> implements Gate {
  readonly #storage: ReturnType<typeof gateStorage>;
  #state: GateState;
  #token: HeldToken | null;
  #setback: Setback | null = null;
  /** By the request: concurrent callers wait for the same answer. */
  #flights = new Map<string, Promise<TokenAnswer>>();
  #attention: KeptAttention;
  #isTelling = false;
  #willKeep = false;
  #healing: ReturnType<typeof openHealing>;
  /** How often it was reset: answers to requests from before a reset are discarded. */
  #forgotten = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = gateStorage(ctx.storage);
    this.#state = this.#storage.readGate() ?? openGate;
    this.#token = this.#storage.readToken();
    this.#attention = this.#storage.readAttention();
    this.#healing = this.#openHealing();
  }

  #openHealing(): ReturnType<typeof openHealing> {
    return openHealing({
      storage: this.#storage,
      now: () => Date.now(),
      name: () => this.#name(),
      ask: (ask) => this.#worker().TokenRenewal.heal(ask),
      wakeAt: (at) => this.ctx.waitUntil(this.#wakeAt(at)),
    });
  }

  async acquire(terms: Terms, items: readonly AcquireItem[]): Promise<readonly Acquired[]> {
    const { state, answers } = acquire(this.#state, terms, items, Date.now());
    this.#become(state, terms);
    return answers;
  }

  async release(terms: Terms, items: readonly ReleaseItem[]): Promise<void> {
    this.#become(release(this.#state, terms, items, Date.now()), terms);
  }

  async token(asks: readonly TokenAsk[]): Promise<readonly TokenAnswer[]> {
    return Promise.all(asks.map((ask) => this.#tokenFor(ask)));
  }

  async ownToken(asks: readonly OwnTokenAsk[]): Promise<readonly TokenAnswer[]> {
    return this.token(asks);
  }

  /** A connection may have unsent reports; a token object without a connection is deleted when idle. */
  override async alarm(): Promise<void> {
    try {
      if (!isIdOf("tok", this.#name().connection)) return await this.#look();
      const at = this.#token && idleAt(this.#token);
      if (at !== null && at > Date.now()) await this.ctx.storage.setAlarm(at);
      else await this.forget();
    } catch (fault) {
      console.error(JSON.stringify({ level: "error", event: "token_holder_not_cleared", message: String(fault) }));
    }
  }

  /** If one of the two fails, the other is still done, and the object wakes again for the failed one. */
  async #look(): Promise<void> {
    await this.#tell();
    const { breaker } = this.#state;
    await this.#healing.wake(breaker).catch((fault: unknown) => {
      console.error(JSON.stringify({ level: "error", event: "healing_not_begun", message: String(fault) }));
      return this.#wakeAt(Date.now() + AUTO_RETRY_START_AGAIN_MS);
    });
    const at = this.#healing.dueAt(breaker);
    if (at !== null) await this.#wakeAt(Math.max(at, Date.now() + 1));
  }

  /** One alarm for both: it never moves later. */
  async #wakeAt(at: number): Promise<void> {
    const armed = await this.ctx.storage.getAlarm();
    if (armed === null || armed > at || armed <= Date.now()) await this.ctx.storage.setAlarm(at);
  }

  async read(terms: Terms): Promise<GateView> {
    const token = this.#token && { obtainedAt: this.#token.obtainedAt, expiresAt: this.#token.expiresAt };
    return { ...viewGate(this.#state, terms, Date.now()), token, attention: attentionOf(this.#attention.trouble) };
  }

  async mended(): Promise<void> {
    this.#setback = null;
    await this.#attend(null);
  }

  async forget(): Promise<void> {
    this.#state = openGate;
    this.#token = null;
    this.#setback = null;
    this.#attention = { trouble: null, told: null };
    this.#flights.clear();
    this.#forgotten += 1;
    await this.#storage.reset();
    this.#healing = this.#openHealing();
  }

  #become(state: GateState, terms: Terms): void {
    const before = this.#state.breaker;
    const hasSwitched = state.breaker.kind !== before.kind;
    this.#state = state;
    if (hasSwitched) this.#healing.turned(before, state.breaker, terms);
    if (hasSwitched) this.#keep();
    else if (!this.#willKeep) {
      this.#willKeep = true;
      setTimeout(() => this.#keep(), GATE_WRITE_AFTER_MS);
    }
  }

  #keep(): void {
    this.#willKeep = false;
    this.#storage.keepGate(stateToStore(this.#state, Date.now()));
  }

  async #tokenFor(ask: Ask): Promise<TokenAnswer> {
    const { trouble } = this.#attention;
    const choice = chooseToken(this.#token, ask.check ? null : this.#setback, ask, Date.now());
    if (choice.kind === "use") return answerOf(choice.held);
    if (isRejected(trouble, ask, Date.now())) return this.#heldBy(trouble);
    if (choice.kind === "fail") {
      const { error, retryAfterMs } = choice;
      return { ok: false, error, ...(retryAfterMs > 0 ? { retryAfterMs } : {}) };
    }
    const name = `${ask.asOf ?? 0} ${ask.key}`;
    const flight = this.#flights.get(name) ?? this.#renew(ask, choice).finally(() => this.#land(name, flight));
    this.#flights.set(name, flight);
    const answer = await flight;
    // Each held run gets its own instant.
    const begun = this.#attention.trouble;
    return !answer.ok && begun?.error === answer.error ? this.#heldBy(begun) : answer;
  }

  #heldBy(trouble: CredentialRejection): TokenAnswer {
    const told = holdAttempt(trouble, Date.now());
    this.#attention = { ...this.#attention, trouble: told.trouble };
    return told.answer;
  }

  #land(name: string, flight: Promise<TokenAnswer>): void {
    if (this.#flights.get(name) === flight) this.#flights.delete(name);
  }

  async #renew(ask: Ask, choice: Extract<TokenChoice, { kind: "renew" }>): Promise<TokenAnswer> {
    const { tenant, connection } = this.#name();
    const forgotten = this.#forgotten;
    const { refresh } = choice;
    const grant = ask.grant === undefined ? {} : { grant: ask.grant };
    const renewed = await this.#worker()
      .TokenRenewal.renew({ tenant, connection, refresh, ...grant })
      .catch(lost);
    if (this.#forgotten !== forgotten) return gone;
    if (!renewed.ok) {
      this.#setback = setbackOf(ask, renewed, Date.now());
      // A config's own client has no entry in lists: its runs report the failure themselves.
      if (!isIdOf("tok", connection)) {
        const attended = this.#attend(afterRefusal(this.#attention.trouble, ask, renewed, Date.now()));
        this.ctx.waitUntil(attended);
      }
      return renewed;
    }
    this.#token = tokenToStore(this.#token, ask, choice, renewed, Date.now());
    this.#storage.keepToken(this.#token);
    if (isIdOf("tok", connection)) await this.ctx.storage.setAlarm(idleAt(this.#token));
    else this.ctx.waitUntil(this.#attend(null));
    return answerOf(this.#token);
  }

  /** Stored at once; the catalog is updated when it answers. */
  async #attend(trouble: CredentialRejection | null): Promise<void> {
    const before = this.#attention;
    if (before.trouble === trouble) return;
    this.#attention = { ...before, trouble };
    this.#storage.keepAttention(this.#attention);
    if (this.#owesNews()) await this.#wakeAt(Date.now() + REJECTED_ACCOUNT_REPORT_RETRY_MS);
    await this.#tell();
  }

  #owesNews(): boolean {
    const { trouble, told } = this.#attention;
    return (trouble?.since ?? null) !== told;
  }

  /** One after the other, so that the last report wins. If the catalog does not answer, the alarm repeats it. */
  async #tell(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    const forgotten = this.#forgotten;
    try {
      while (this.#owesNews()) {
        const attention = attentionOf(this.#attention.trouble);
        await this.#worker().TokenRenewal.attention({ ...this.#name(), attention });
        if (this.#forgotten !== forgotten) return;
        this.#attention = { ...this.#attention, told: attention?.since ?? null };
        this.#storage.keepAttention(this.#attention);
      }
    } catch (fault) {
      console.error(JSON.stringify({ level: "error", event: "attention_not_told", message: String(fault) }));
      await this.#wakeAt(Date.now() + REJECTED_ACCOUNT_REPORT_RETRY_MS);
    } finally {
      this.#isTelling = false;
    }
  }

  #name(): { readonly tenant: string; readonly connection: string } {
    const [tenant = "", connection = ""] = (this.ctx.id.name ?? "").split("/");
    return { tenant, connection };
  }

  #worker(): Loopback {
    return this.ctx.exports as unknown as Loopback; // typed by the Worker's main module, which this room may not import
  }
}

/** A rotated refresh token is the only remaining consent of the account, so it is kept for long. */
function idleAt({ expiresAt, refresh }: HeldToken): number {
  return refresh === null ? expiresAt + TOKEN_CACHE_IDLE_MS : expiresAt + REFRESH_TOKEN_KEPT_MS;
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
