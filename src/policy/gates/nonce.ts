// Assigns the nonces of one address on one chain to runs. All functions are pure. The signer's object stores the state
// and reads the clock. A nonce is reserved, then the signed transaction is stored, and then it is sent. After any
// failure the same bytes are sent again, so there is no second effect.
import type {
  TxQuery,
  TxLookup,
  RenewNonceRequest,
  RenewNonceAnswer,
  NonceRequest,
  NonceAnswer,
  SignedTx,
  StoreTxAnswer,
  StoreTxRequest,
  ChainCounts,
  TxReceipt,
  TxWaitRequest,
  TxWaitAnswer,
} from "#schema/signer.ts";
import {
  MINED_CHECK_EVERY_MS,
  MINED_RESENDS_MAX,
  NONCE_RESERVED_MS,
  TX_CHECK_MS_MAX,
  TX_LAG_MS,
  TX_RECEIPT_KEPT_MS,
  TX_STUCK_BLOCKS,
  TX_STUCK_MS_MIN,
  TX_UNSENT_MS,
} from "#schema/limits/outgoing/blockchain.ts";

export type Tx =
  | { readonly status: "reserved"; readonly nonce: number; readonly since: number }
  | (SignedTx & {
      readonly status: "signed";
      /** How often the transaction was checked so far. */
      readonly looks: number;
      /** True if a run has found the signed transaction and does not know whether it was sent. */
      readonly isDoubtful: boolean;
      /**
       * When a check first found the nonce used but no transaction with any of the hashes, in epoch ms; null if never.
       */
      readonly missedAt: number | null;
      /**
       * When the node became unreachable, and when it was first reachable again (epoch ms). Absent if it was always
       * reachable.
       */
      readonly darkSince?: number | null;
      readonly sightSince?: number | null;
    })
  | { readonly status: "confirmed"; readonly receipt: TxReceipt; readonly kept?: MinedTx }
  /** A mined transaction that is not the result of a run. Either its run was undone, or it only closed a gap. */
  | { readonly status: "spent"; readonly isUndone: boolean; readonly kept: MinedTx };

/** A mined transaction. It is stored as long as a reorganisation can remove it from the chain. */
export type MinedTx = Pick<SignedTx, "nonce" | "raw" | "hashes"> & {
  readonly minedAt: number;
  /**
   * When it was found that another transaction has used the nonce permanently, in epoch ms; absent if it was not found.
   */
  readonly lostAt?: number;
};

export type SignerState = {
  readonly v: 1;
  /** The next nonce to assign; null if it must first be read from the chain. */
  readonly next: number | null;
  /** Nonces that were reserved but not used. The lowest one is assigned first. */
  readonly free: readonly number[];
  readonly txs: { readonly [key: string]: Tx };
  /** When mined transactions were last checked, in epoch ms; absent if never. */
  readonly tendedAt?: number;
  /** The nonces of the chain at the last check. */
  readonly seen?: Pick<ChainCounts, "latest" | "pending" | "final"> & { readonly at: number };
  /**
   * The nonce that the chain waits for and for which the signer has no transaction, and since when; null if there is
   * none.
   */
  readonly stuck?: { readonly nonce: number; readonly since: number } | null;
};

/** The state of an address for which no transaction was signed yet. */
export const newSigner: SignerState = { v: 1, next: null, free: [], txs: {} };

/** The key prefix of transactions that only close a gap in the nonces, and that belong to no run. */
export const GAP = "gap:";

/** The new state, and the answer to the caller. */
export type SignerTurn<Answer> = { readonly state: SignerState; readonly answer: Answer };

/**
 * Finds the run's transaction. If it is signed, it is marked as doubtful, because the run does not know whether it was
 * sent.
 */
export function findTransaction(state: SignerState, { key, blockMs }: TxQuery, now: number): SignerTurn<TxLookup> {
  const tx = state.txs[key];
  switch (tx?.status) {
    case "confirmed":
      return { state, answer: { kind: "confirmed", receipt: tx.receipt } };
    case "signed": {
      const doubted = tx.isDoubtful ? state : withTx(state, key, { ...tx, isDoubtful: true });
      return { state: doubted, answer: { kind: "signed", tx: signedOf(tx), isStuck: isStuck(tx, blockMs, now) } };
    }
    case "reserved":
    case "spent":
    case undefined:
      return { state, answer: { kind: "none" } };
  }
}

/** Reserves a nonce for the run. If the run already has a transaction, returns that transaction. */
export function reserveNonce(before: SignerState, ask: NonceRequest, now: number): SignerTurn<NonceAnswer> {
  const existing = findTransaction(before, ask, now);
  if (existing.answer.kind !== "none") return { state: existing.state, answer: existing.answer };
  const state = withChainNonce(withoutExpired(before, ask.key, now), ask.chainNonce);
  const tx = state.txs[ask.key];
  return tx?.status === "reserved" ? reserved(state, ask.key, tx.nonce, now) : reserveNew(state, ask, now);
}

function reserveNew(state: SignerState, { key, gap }: NonceRequest, now: number): SignerTurn<NonceAnswer> {
  const free = gap === null ? state.free[0] : state.free.find((nonce) => nonce === gap);
  if (free !== undefined) {
    return reserved({ ...state, free: state.free.filter((nonce) => nonce !== free) }, key, free, now);
  }
  if (gap !== null) return { state, answer: { kind: "no_gap" } };
  if (state.next === null) return { state, answer: { kind: "chain_unknown" } };
  return reserved({ ...state, next: state.next + 1 }, key, state.next, now);
}

function reserved(state: SignerState, key: string, nonce: number, now: number): SignerTurn<NonceAnswer> {
  return { state: withTx(state, key, { status: "reserved", nonce, since: now }), answer: { kind: "reserved", nonce } };
}

/** Stores a signed transaction. If two attempts of one run sign, both get the transaction that was stored first. */
export function storeTransaction(state: SignerState, ask: StoreTxRequest, now: number): SignerTurn<StoreTxAnswer> {
  const { key, nonce, raw, hash, fees, gas, replaces } = ask;
  const tx = state.txs[key];
  if (tx?.status === "signed") {
    if (tx.hashes[0] !== replaces) return { state, answer: { kind: "signed", tx: signedOf(tx) } };
    const bumped = { ...tx, raw, fees, gas, hashes: [hash, ...tx.hashes], signedAt: now };
    return { state: withTx(state, key, bumped), answer: { kind: "signed", tx: signedOf(bumped) } };
  }
  if (tx?.status !== "reserved" || tx.nonce !== nonce) return { state, answer: { kind: "lost" } };
  const signed = { nonce, raw, hashes: [hash], fees, gas, signedAt: now, sentAt: null };
  const first: Tx = { status: "signed", ...signed, looks: 0, isDoubtful: false, missedAt: null };
  return { state: withTx(state, key, first), answer: { kind: "signed", tx: signed } };
}

/** Returns when the run checks its transaction again, and which transactions the runner must send until then. */
export function waitForTransaction(
  before: SignerState,
  { key, blockMs, dark = false }: TxWaitRequest,
  now: number,
): SignerTurn<TxWaitAnswer> {
  const state = withoutExpired(before, key, now);
  const tx = state.txs[key];
  if (tx?.status !== "signed") {
    return { state, answer: { until: now + blockMs, since: now, resend: [], gap: null } };
  }
  const sentAt = tx.sentAt ?? now;
  const until = now + Math.round(Math.min(blockMs * 1.5 ** tx.looks, Math.max(TX_CHECK_MS_MAX, blockMs)));
  const checked = { ...tx, sentAt, looks: tx.looks + 1 };
  if (dark) {
    const darkSince = tx.darkSince ?? now;
    const waiting = withTx(state, key, { ...checked, darkSince });
    return { state: waiting, answer: { until, since: darkSince, resend: [], gap: null } };
  }
  const sightSince = typeof tx.darkSince === "number" ? now : (tx.sightSince ?? sentAt);
  const found = { ...checked, missedAt: null };
  const waiting = withTx(state, key, tx.darkSince === undefined ? found : { ...found, darkSince: null, sightSince });
  const gapNonce = state.free.find((free) => free < tx.nonce);
  const gap = gapNonce === undefined ? null : { key: `${GAP}${gapNonce}`, nonce: gapNonce };
  const answer = { until, since: sightSince, resend: unsentBelow(state, tx.nonce, now), gap };
  // Most transactions are mined during the first wait, which lasts one block. The check of mined transactions therefore
  // starts only after it.
  if (tx.looks === 0 || now - (state.tendedAt ?? 0) < MINED_CHECK_EVERY_MS) return { state: waiting, answer };
  return { state: { ...waiting, tendedAt: now }, answer: { ...answer, tend: true } };
}

/**
 * Returns transactions with lower nonces that were not sent. Nonces that the chain has passed are left out, because
 * their runs may never return.
 */
function unsentBelow({ txs, seen }: SignerState, nonce: number, now: number): readonly string[] {
  const from = seen?.latest ?? 0;
  const unsent = Object.values(txs).flatMap((each) => {
    const isUnsent = each.status === "signed" && each.sentAt === null && now - each.signedAt >= TX_UNSENT_MS;
    return isUnsent && each.nonce >= from && each.nonce < nonce ? [each] : [];
  });
  return unsent
    .toSorted((a, b) => a.nonce - b.nonce)
    .slice(0, MINED_RESENDS_MAX)
    .map(({ raw }) => raw);
}

/**
 * Removes a transaction whose nonce was used by another transaction, so that its run can sign again. If it may have
 * been sent, it is removed only after some time.
 */
export function renewNonce(
  state: SignerState,
  { key, chainNonce }: RenewNonceRequest,
  now: number,
): SignerTurn<RenewNonceAnswer> {
  const tx = state.txs[key];
  if (tx?.status === "signed" && mayBeSent(tx)) {
    const missedAt = tx.missedAt ?? now;
    const until = missedAt + TX_LAG_MS;
    if (now - (tx.sentAt ?? tx.signedAt) >= TX_RECEIPT_KEPT_MS) return { state, answer: { kind: "unknown" } };
    if (now < until) return { state: withTx(state, key, { ...tx, missedAt }), answer: { kind: "wait", until } };
  }
  const remaining = isMined(tx) ? state : withoutTx(state, key);
  return { state: withChainNonce(remaining, chainNonce), answer: { kind: "renewed" } };
}

/**
 * Frees the nonce of a run that will not send its transaction. If the transaction may have been sent, it keeps the
 * nonce.
 */
export function releaseNonce(state: SignerState, key: string): SignerState {
  const tx = state.txs[key];
  if (tx === undefined || isMined(tx) || (tx.status === "signed" && mayBeSent(tx))) return state;
  return withFreeNonce(withoutTx(state, key), tx.nonce);
}

function isMined(tx: Tx | undefined): tx is Extract<Tx, { status: "confirmed" | "spent" }> {
  return tx?.status === "confirmed" || tx?.status === "spent";
}

/** Returns the transaction's nonce; -1 if there is no transaction, or if its nonce is no longer stored. */
export function nonceOf(tx: Tx | undefined): number {
  if (tx === undefined) return -1;
  return tx.status === "reserved" || tx.status === "signed" ? tx.nonce : (tx.kept?.nonce ?? -1);
}

function mayBeSent({ sentAt, isDoubtful }: Extract<Tx, { status: "signed" }>): boolean {
  return sentAt !== null || isDoubtful;
}

function isStuck({ signedAt }: SignedTx, blockMs: number, now: number): boolean {
  return now - signedAt >= Math.max(TX_STUCK_BLOCKS * blockMs, TX_STUCK_MS_MIN);
}

function signedOf({ nonce, raw, hashes, fees, gas, signedAt, sentAt }: SignedTx): SignedTx {
  return { nonce, raw, hashes, fees, gas, signedAt, sentAt };
}

/**
 * Raises `next` above the nonce of the chain. Other software may use the same address, so a nonce that the chain has
 * seen is never assigned.
 */
function withChainNonce(state: SignerState, chainNonce: number | null): SignerState {
  if (chainNonce === null) return state;
  const used = Object.values(state.txs).map((tx) => nonceOf(tx) + 1);
  const next = Math.max(chainNonce, state.next ?? 0, ...used);
  return { ...state, next, free: state.free.filter((nonce) => nonce >= chainNonce) };
}

/** Removes expired reservations, because their runs have ended. The reservation of the calling run is not removed. */
function withoutExpired(state: SignerState, key: string, now: number): SignerState {
  const expired = Object.entries(state.txs).filter(
    ([other, tx]) => other !== key && tx.status === "reserved" && now - tx.since >= NONCE_RESERVED_MS,
  );
  return expired.reduce((remaining, [other, tx]) => withFreeNonce(withoutTx(remaining, other), nonceOf(tx)), state);
}

/** Adds a nonce to the free ones. If it is the highest assigned nonce, lowers `next` instead. */
export function withFreeNonce(state: SignerState, nonce: number): SignerState {
  const free = [...state.free, nonce].sort((a, b) => a - b);
  let next = state.next;
  while (next !== null && free.at(-1) === next - 1) {
    free.pop();
    next -= 1;
  }
  return { ...state, next, free };
}

export function withTx(state: SignerState, key: string, tx: Tx): SignerState {
  return { ...state, txs: { ...state.txs, [key]: tx } };
}

export function withoutTx(state: SignerState, key: string): SignerState {
  const { [key]: _gone, ...txs } = state.txs;
  return { ...state, txs };
}
