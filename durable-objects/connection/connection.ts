// Durable Object of one connection: binds its parts to the platform, and shares the object's one alarm among them. The
// parts are the limits with the breaker, the access token, the reports of a rejected account, and the auto-retry.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import { attentionOf } from "#policy/gates/rejected-credentials.ts";
import { viewGate } from "#policy/gates/connection.ts";
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
import { AUTO_RETRY_START_AGAIN_MS } from "#schema/limits/run-attempts.ts";
import { AccessToken, idleAt } from "./access-token.ts";
import { openAttention, type ConnectionAttention } from "./attention.ts";
import { openAutoRetry, type AutoRetries } from "./auto-retry.ts";
import { gateStorage, type GateStorage } from "./storage.ts";
import { StoredGate } from "./stored-gate.ts";

/** The Worker's entrypoint for connections, as this object calls it. */
type Loopback = {
  readonly ConnectionWork: {
    renew(ask: TokenRenewalRequest): Promise<TokenRenewalAnswer>;
    reportAttention(news: AttentionReport): Promise<void>;
    autoRetry(ask: AutoRetryRequest): Promise<AutoRetryAnswer>;
  };
};

export class ConnectionObject extends DurableObject<Env> implements Gate {
  readonly #storage: GateStorage;
  readonly #gate: StoredGate;
  readonly #attention: ConnectionAttention;
  readonly #token: AccessToken;
  #autoRetry: AutoRetries;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = gateStorage(ctx.storage);
    this.#gate = new StoredGate({
      storage: this.#storage,
      now: () => Date.now(),
      breakerChanged: (before, after, terms) => this.#autoRetry.breakerChanged(before, after, terms),
    });
    this.#attention = openAttention({
      storage: this.#storage,
      now: () => Date.now(),
      name: () => this.#name(),
      send: (news) => this.#worker().ConnectionWork.reportAttention(news),
      wakeAt: (at) => this.#wakeAt(at),
    });
    this.#token = new AccessToken({
      storage: this.#storage,
      now: () => Date.now(),
      name: () => this.#name(),
      isTokenOnly: () => this.#isTokenOnly(),
      attention: this.#attention,
      renew: (ask) => this.#worker().ConnectionWork.renew(ask),
      setIdleAlarm: (at) => ctx.storage.setAlarm(at),
      inBackground: (work) => ctx.waitUntil(work),
    });
    this.#autoRetry = this.#openAutoRetry();
  }

  async acquire(terms: ConnectionLimits, items: readonly AcquireItem[]): Promise<readonly AcquireAnswer[]> {
    return this.#gate.acquire(terms, items);
  }

  async release(terms: ConnectionLimits, items: readonly ReleaseItem[]): Promise<void> {
    this.#gate.release(terms, items);
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
    return {
      ...viewGate(this.#gate.current(), terms, Date.now()),
      token,
      attention: attentionOf(this.#attention.trouble()),
    };
  }

  async clearAttention(): Promise<void> {
    this.#token.clearSetback();
    await this.#attention.set(null);
  }

  async forget(): Promise<void> {
    this.#gate.reset();
    this.#token.reset();
    this.#attention.reset();
    await this.#storage.reset();
    this.#autoRetry = this.#openAutoRetry();
  }

  override async alarm(): Promise<void> {
    if (this.#isTokenOnly()) await this.#deleteIfIdle();
    else await this.#runDueWork().catch(logFault({ level: "error", event: "alarm_not_set" }));
  }

  /** Deletes a token-only object after its idle time. An earlier alarm sets the alarm again, for the end of that time. */
  async #deleteIfIdle(): Promise<void> {
    const held = this.#token.current();
    const at = held && idleAt(held);
    if (at !== null && at > Date.now())
      await this.ctx.storage.setAlarm(at).catch(logFault({ level: "error", event: "alarm_not_set" }));
    else await this.forget().catch(logFault({ level: "error", event: "token_cache_not_cleared" }));
  }

  /**
   * Sends the unsent reports and starts a due auto-retry. A failed report does not prevent the auto-retry. Each of them
   * logs its own failure, so this method rejects only if the alarm of the next try cannot be set.
   */
  async #runDueWork(): Promise<void> {
    await this.#attention.report();
    const { breaker } = this.#gate.current();
    await this.#autoRetry.retryIfDue(breaker).catch((fault: unknown) => {
      logFault({ level: "error", event: "auto_retry_not_started" })(fault);
      return this.#wakeAt(Date.now() + AUTO_RETRY_START_AGAIN_MS);
    });
    const at = this.#autoRetry.dueAt(breaker);
    if (at !== null) await this.#wakeAt(Math.max(at, Date.now() + 1));
  }

  /** Sets the object's one alarm, unless it is set for an earlier time. The reports and the auto-retry share the alarm. */
  async #wakeAt(at: number): Promise<void> {
    const armedAt = await this.ctx.storage.getAlarm();
    if (armedAt === null || armedAt > at || armedAt <= Date.now()) await this.ctx.storage.setAlarm(at);
  }

  #openAutoRetry(): AutoRetries {
    return openAutoRetry({
      storage: this.#storage,
      now: () => Date.now(),
      name: () => this.#name(),
      ask: (ask) => this.#worker().ConnectionWork.autoRetry(ask),
      wakeAt: (at) => this.ctx.waitUntil(this.#wakeAt(at)),
    });
  }

  /** Returns true if the object only caches the token of a config without a connection. */
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

/** Returns a function that logs a fault as the message of this line. */
function logFault(line: { readonly level: "error"; readonly event: string }): (fault: unknown) => void {
  return (fault) => console.error(JSON.stringify({ ...line, message: String(fault) }));
}
