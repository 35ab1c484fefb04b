// Durable Object of one connection: admits calls to a provider within its limits, caches the access token, and reports
// when the provider rejects the account. It works in memory. It writes changes of the breaker and new tokens at once,
// and other changes at intervals.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import { attentionOf } from "#policy/gates/rejected-credentials.ts";
import { acquire, openGate, release, viewGate, stateToStore, type GateState } from "#policy/gates/connection.ts";
import type {
  AcquireAnswer,
  AcquireItem,
  AttentionReport,
  Gate,
  GateView,
  AutoRetryAnswer,
  AutoRetryRequest,
  OwnTokenRequest,
  ReleaseItem,
  TokenRenewalRequest,
  TokenRenewalAnswer,
  ConnectionLimits,
  AccessTokenAnswer,
  AccessTokenRequest,
} from "#schema/gate.ts";
import { isIdOf } from "#schema/ids.ts";
import { GATE_WRITE_AFTER_MS } from "#schema/limits/outgoing/connection-limits.ts";
import { AUTO_RETRY_START_AGAIN_MS } from "#schema/limits/run-attempts.ts";
import { AccessToken, idleAt } from "./access-token.ts";
import { openAttention, type ConnectionAttention } from "./attention.ts";
import { openAutoRetry, type AutoRetries } from "./auto-retry.ts";
import { gateStorage, type GateStorage } from "./storage.ts";

/** The Worker's stateless entrypoint, as the object calls it. */
type Loopback = {
  readonly TokenRenewal: {
    renew(ask: TokenRenewalRequest): Promise<TokenRenewalAnswer>;
    reportAttention(news: AttentionReport): Promise<void>;
    autoRetry(ask: AutoRetryRequest): Promise<AutoRetryAnswer>;
  };
};

export class ConnectionObject extends DurableObject<Env> implements Gate {
  readonly #storage: GateStorage;
  readonly #attention: ConnectionAttention;
  readonly #token: AccessToken;
  #autoRetry: AutoRetries;
  #state: GateState;
  /** True while a write of the state is scheduled. */
  #isWriteScheduled = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = gateStorage(ctx.storage);
    this.#state = this.#storage.readGate() ?? openGate;
    this.#attention = openAttention({
      storage: this.#storage,
      now: () => Date.now(),
      name: () => this.#name(),
      send: (news) => this.#worker().TokenRenewal.reportAttention(news),
      wakeAt: (at) => this.#wakeAt(at),
    });
    this.#token = new AccessToken({
      storage: this.#storage,
      now: () => Date.now(),
      name: () => this.#name(),
      isTokenOnly: () => this.#isTokenOnly(),
      attention: this.#attention,
      renew: (ask) => this.#worker().TokenRenewal.renew(ask),
      setIdleAlarm: (at) => ctx.storage.setAlarm(at),
      inBackground: (work) => ctx.waitUntil(work),
    });
    this.#autoRetry = this.#openAutoRetry();
  }

  async acquire(terms: ConnectionLimits, items: readonly AcquireItem[]): Promise<readonly AcquireAnswer[]> {
    const { state, answers } = acquire(this.#state, terms, items, Date.now());
    this.#setState(state, terms);
    return answers;
  }

  async release(terms: ConnectionLimits, items: readonly ReleaseItem[]): Promise<void> {
    this.#setState(release(this.#state, terms, items, Date.now()), terms);
  }

  async token(asks: readonly AccessTokenRequest[]): Promise<readonly AccessTokenAnswer[]> {
    return Promise.all(asks.map((ask) => this.#token.get(ask)));
  }

  async ownToken(asks: readonly OwnTokenRequest[]): Promise<readonly AccessTokenAnswer[]> {
    return this.token(asks);
  }

  async read(terms: ConnectionLimits): Promise<GateView> {
    const held = this.#token.current();
    const token = held && { obtainedAt: held.obtainedAt, expiresAt: held.expiresAt };
    return { ...viewGate(this.#state, terms, Date.now()), token, attention: attentionOf(this.#attention.trouble()) };
  }

  async clearAttention(): Promise<void> {
    this.#token.clearSetback();
    await this.#attention.set(null);
  }

  async forget(): Promise<void> {
    this.#state = openGate;
    this.#token.reset();
    this.#attention.reset();
    await this.#storage.reset();
    this.#autoRetry = this.#openAutoRetry();
  }

  /** A token-only object deletes itself when it is idle. A connection sends its reports and its auto-retry. */
  override async alarm(): Promise<void> {
    try {
      if (!this.#isTokenOnly()) return await this.#runDueWork();
      const held = this.#token.current();
      const at = held && idleAt(held);
      if (at !== null && at > Date.now()) await this.ctx.storage.setAlarm(at);
      else await this.forget();
    } catch (fault) {
      console.error(JSON.stringify({ level: "error", event: "token_cache_not_cleared", message: String(fault) }));
    }
  }

  /** A failed report does not prevent the auto-retry, and each of them schedules its own next try. */
  async #runDueWork(): Promise<void> {
    await this.#attention.report();
    const { breaker } = this.#state;
    await this.#autoRetry.retryIfDue(breaker).catch((fault: unknown) => {
      console.error(JSON.stringify({ level: "error", event: "auto_retry_not_begun", message: String(fault) }));
      return this.#wakeAt(Date.now() + AUTO_RETRY_START_AGAIN_MS);
    });
    const at = this.#autoRetry.dueAt(breaker);
    if (at !== null) await this.#wakeAt(Math.max(at, Date.now() + 1));
  }

  /** Sets the alarm, unless it is set for an earlier time: reports and auto-retry share the object's one alarm. */
  async #wakeAt(at: number): Promise<void> {
    const armedAt = await this.ctx.storage.getAlarm();
    if (armedAt === null || armedAt > at || armedAt <= Date.now()) await this.ctx.storage.setAlarm(at);
  }

  #setState(state: GateState, terms: ConnectionLimits): void {
    const before = this.#state.breaker;
    const hasBreakerChanged = state.breaker.kind !== before.kind;
    this.#state = state;
    if (hasBreakerChanged) {
      this.#autoRetry.breakerChanged(before, state.breaker, terms);
      this.#writeState();
    } else if (!this.#isWriteScheduled) {
      this.#isWriteScheduled = true;
      setTimeout(() => this.#writeState(), GATE_WRITE_AFTER_MS);
    }
  }

  #writeState(): void {
    this.#isWriteScheduled = false;
    this.#storage.writeGate(stateToStore(this.#state, Date.now()));
  }

  #openAutoRetry(): AutoRetries {
    return openAutoRetry({
      storage: this.#storage,
      now: () => Date.now(),
      name: () => this.#name(),
      ask: (ask) => this.#worker().TokenRenewal.autoRetry(ask),
      wakeAt: (at) => this.ctx.waitUntil(this.#wakeAt(at)),
    });
  }

  /** True for an object that caches the token of a config without a connection. */
  #isTokenOnly(): boolean {
    return isIdOf("tok", this.#name().connection);
  }

  #name(): { readonly tenant: string; readonly connection: string } {
    const [tenant = "", connection = ""] = (this.ctx.id.name ?? "").split("/");
    return { tenant, connection };
  }

  #worker(): Loopback {
    return this.ctx.exports as unknown as Loopback; // the main module has this type, and this room may not import it
  }
}
