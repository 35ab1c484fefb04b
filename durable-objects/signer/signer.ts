// Signer object: assigns the nonces of one address on one chain, one after the other. It stores signed transactions,
// never a key. It makes no calls: the Worker signs, sends and checks.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import {
  confirmTransaction,
  failTransaction,
  applyReceipts,
  signerOverview,
  maintainSigner,
} from "#policy/gates/mined-transactions.ts";
import {
  findTransaction,
  releaseNonce,
  newSigner,
  renewNonce,
  reserveNonce,
  storeTransaction,
  waitForTransaction,
  type SignerState,
} from "#policy/gates/nonce.ts";
import type {
  TxConfirmation,
  TxQuery,
  TxLookup,
  MinedVerdict,
  MinedFindings,
  RenewNonceRequest,
  RenewNonceAnswer,
  NonceRequest,
  NonceAnswer,
  Signer,
  SignerOverview,
  StoreTxAnswer,
  StoreTxRequest,
  ChainCounts,
  MaintenancePlan,
  TxReceipt,
  TxWaitRequest,
  TxWaitAnswer,
} from "#schema/signer.ts";
import { signerStorage } from "./storage.ts";

/** The new state, and the answer to the call. */
type Decision<Answer> = { readonly state: SignerState; readonly answer: Answer };

export class SignerObject extends DurableObject<Env> implements Signer {
  readonly #storage: ReturnType<typeof signerStorage>;
  #state: SignerState;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = signerStorage(ctx.storage);
    this.#state = this.#storage.read() ?? newSigner;
  }

  async find(ask: TxQuery): Promise<TxLookup> {
    return this.#decide(ask.key, (state) => findTransaction(state, ask, Date.now()));
  }

  async reserve(ask: NonceRequest): Promise<NonceAnswer> {
    return this.#decide(ask.key, (state) => reserveNonce(state, ask, Date.now()));
  }

  async store(ask: StoreTxRequest): Promise<StoreTxAnswer> {
    return this.#decide(ask.key, (state) => storeTransaction(state, ask, Date.now()));
  }

  async wait(ask: TxWaitRequest): Promise<TxWaitAnswer> {
    return this.#decide(ask.key, (state) => waitForTransaction(state, ask, Date.now()));
  }

  async renew(ask: RenewNonceRequest): Promise<RenewNonceAnswer> {
    return this.#decide(ask.key, (state) => renewNonce(state, ask, Date.now()));
  }

  async releaseNonce(key: string): Promise<void> {
    this.#decide(key, (state) => ({ state: releaseNonce(state, key), answer: null }));
  }

  async confirm(key: string, receipt: TxReceipt): Promise<TxConfirmation> {
    return this.#decide(key, (state) => confirmTransaction(state, key, receipt, Date.now()));
  }

  async fail(key: string): Promise<void> {
    this.#decide(key, (state) => ({ state: failTransaction(state, key, Date.now()), answer: null }));
  }

  async planMaintenance(ask: ChainCounts): Promise<MaintenancePlan> {
    if (ask.dryRun) return maintainSigner(this.#state, ask, Date.now()).answer;
    return this.#decide("", (state) => maintainSigner(state, ask, Date.now()));
  }

  async recordMined(ask: MinedFindings): Promise<MinedVerdict> {
    if (ask.dryRun) return applyReceipts(this.#state, ask, Date.now()).answer;
    return this.#decide("", (state) => applyReceipts(state, ask, Date.now()));
  }

  async overview(): Promise<SignerOverview> {
    return signerOverview(this.#state);
  }

  /** The platform sends the answer only after the rows are written. */
  #decide<Answer>(key: string, decide: (state: SignerState) => Decision<Answer>): Answer {
    const before = this.#withConfirmed(key);
    const { state, answer } = decide(before);
    this.#storage.keep(before, state);
    this.#state = withoutConfirmed(state);
    return answer;
  }

  /**
   * Adds the stored transaction of this key to the state. A confirmed transaction is not in memory, so it is read here.
   */
  #withConfirmed(key: string): SignerState {
    if (Object.hasOwn(this.#state.txs, key)) return this.#state;
    const tx = this.#storage.readConfirmed(key);
    return tx === null ? this.#state : { ...this.#state, txs: { ...this.#state.txs, [key]: tx } };
  }
}

/** Confirmed transactions are not kept in memory, because there are many and they are rarely read again. */
function withoutConfirmed(state: SignerState): SignerState {
  const live = Object.entries(state.txs).filter(([, tx]) => tx.status !== "confirmed" || tx.kept !== undefined);
  return live.length === Object.keys(state.txs).length ? state : { ...state, txs: Object.fromEntries(live) };
}
