// Tracks the sent transactions of a signer until they are final. A reorganisation of the chain can remove a mined
// transaction, and its nonce is then open again. Later transactions cannot be mined before it. Removed transactions are
// therefore sent again, and a missing nonce is found and filled.
import type {
  TxConfirmation,
  MinedVerdict,
  MinedFindings,
  OwnTx,
  SignerOverview,
  ChainCounts,
  MaintenancePlan,
  TxReceipt,
} from "#schema/signer.ts";
import {
  MINED_CHECKS_MAX,
  MINED_CHECK_IDLE_MS,
  MINED_RESENDS_MAX,
  TX_KEPT_CHARS_MAX,
  TX_KEPT_MAX,
  TX_KEPT_MS_MAX,
  TX_LAG_MS,
  TX_RECEIPT_KEPT_MS,
  TX_UNSENT_MS,
} from "#schema/limits/outgoing/blockchain.ts";
import {
  withFreeNonce,
  GAP,
  nonceOf,
  withoutTx,
  withTx,
  type MinedTx,
  type SignerState,
  type SignerTurn,
  type Tx,
} from "./nonce.ts";

/**
 * The key prefix of an undone transaction. The transaction keeps its nonce, but its run may start again with another
 * one. It is therefore not stored under the run's key.
 */
const SPENT = "spent:";

/**
 * Records the receipt of a transaction. All lower nonces are then mined too, even those of transactions that only
 * closed gaps.
 */
export function confirmTransaction(
  before: SignerState,
  key: string,
  receipt: TxReceipt,
  now: number,
): SignerTurn<TxConfirmation> {
  const tx = before.txs[key];
  const nonce = nonceOf(tx);
  const kept = tx?.status === "signed" ? minedTx(tx, now) : tx?.status === "confirmed" ? tx.kept : undefined;
  const closedGaps = Object.entries(before.txs).filter(([other, gap]) => isGap(other, gap) && nonceOf(gap) < nonce);
  const withoutGaps = closedGaps.reduce((state, [other]) => markSpent(state, other, false, now), before);
  const confirmed = withTx(withoutGaps, key, { status: "confirmed", receipt, ...(kept === undefined ? {} : { kept }) });
  const state = limitKept(confirmed, now);
  const hasUnchecked = keptTxs(state).some((each) => now - each.kept.minedAt >= MINED_CHECK_IDLE_MS);
  const isCheckDue = hasUnchecked && now - (state.tendedAt ?? 0) >= MINED_CHECK_IDLE_MS;
  return { state: isCheckDue ? { ...state, tendedAt: now } : state, answer: { tend: isCheckDue } };
}

/**
 * Records that a transaction was undone: it has used its nonce, but had no effect. A transaction that is already
 * confirmed stays confirmed.
 */
export function failTransaction(state: SignerState, key: string, now: number): SignerState {
  return state.txs[key]?.status === "confirmed" ? state : limitKept(markSpent(state, key, true, now), now);
}

/**
 * Decides from the chain's counts which transactions to send again, which nonce to free and which receipts to look up.
 */
export function maintainSigner(before: SignerState, ask: ChainCounts, now: number): SignerTurn<MaintenancePlan> {
  const { latest, pending, final, byPerson } = ask;
  const updated = { ...before, seen: { latest, pending, final, at: now } };
  const notFinal = limitKept(withoutFinalSpent(updated, final ?? 0), now);
  const { state, released } = releaseStuckNonce(notFinal, ask, now);
  const signed = signedTxs(state);
  const resend = signed.filter((each) => each.tx.nonce >= latest && mayResend(each, byPerson, now));
  const check = signed.filter((each) => each.tx.nonce < (final ?? 0) && needsCheck(each, byPerson));
  const gapNonce = state.free.find((free) => signed.some(({ tx }) => tx.nonce > free));
  return {
    state,
    answer: {
      resend: resend.slice(0, MINED_RESENDS_MAX).map((each) => ({ ...txSummary(each), raw: each.tx.raw })),
      released,
      gap: gapNonce === undefined ? null : { key: `${GAP}${gapNonce}`, nonce: gapNonce },
      check: check.slice(0, MINED_CHECKS_MAX).map(txSummary),
    },
  };
}

/**
 * Applies the receipts that were looked up. A transaction that is final is no longer stored. A transaction without a
 * receipt was lost.
 */
export function applyReceipts(
  before: SignerState,
  { found, byPerson }: MinedFindings,
  now: number,
): SignerTurn<MinedVerdict> {
  let state = before;
  const mined: OwnTx[] = [];
  const lost: OwnTx[] = [];
  for (const { key, nonce, isMined } of found) {
    const signed = signedTxs(state).find((each) => each.key === key && each.tx.nonce === nonce);
    if (signed === undefined) continue;
    (isMined ? mined : lost).push(txSummary(signed));
    state = afterCheck(state, signed, { isMined, byPerson }, now);
  }
  return { state, answer: { mined, lost } };
}

/** Returns the signer's transactions by status, for API responses. */
export function signerOverview({ next, free, txs, seen, stuck }: SignerState): SignerOverview {
  const entries = Object.entries(txs);
  const reserved = entries.flatMap(([key, tx]) =>
    tx.status === "reserved" ? [{ key, nonce: tx.nonce, since: tx.since }] : [],
  );
  const inFlight = entries.flatMap(([key, tx]) => {
    if (tx.status !== "signed") return [];
    const { nonce, hashes, signedAt, sentAt, darkSince = null } = tx;
    return [{ key, nonce, hashes, signedAt, sentAt, darkSince }];
  });
  const kept = entries.flatMap(([key, tx]) => {
    const mined = keptTx(tx);
    if (mined === null) return [];
    const { nonce, hashes, minedAt, lostAt = null } = mined;
    return [{ key, nonce, hashes, minedAt, lostAt }];
  });
  return {
    next,
    free,
    reserved: reserved.toSorted(byNonce),
    inFlight: inFlight.toSorted(byNonce),
    kept: kept.toSorted(byNonce),
    seen: seen ?? null,
    stuck: stuck ?? null,
  };
}

/** A transaction whose signed bytes the signer has. `stored`: its entry in the signer's state. */
type SignedEntry = {
  readonly key: string;
  readonly tx: MinedTx;
  readonly stored: Exclude<Tx, { readonly status: "reserved" }>;
};

/** Returns all transactions whose signed bytes the signer has, in the order of their nonces. */
function signedTxs({ txs }: SignerState): SignedEntry[] {
  const signed = Object.entries(txs).flatMap(([key, stored]): SignedEntry[] => {
    if (stored.status === "reserved") return [];
    const tx = stored.status === "signed" ? minedTx(stored, stored.signedAt) : keptTx(stored);
    return tx === null ? [] : [{ key, tx, stored }];
  });
  return signed.toSorted((a, b) => a.tx.nonce - b.tx.nonce);
}

/**
 * Returns whether the transaction may be sent again. An undone transaction may not, because it could succeed after its
 * run was restarted.
 */
function mayResend({ stored }: SignedEntry, byPerson: boolean, now: number): boolean {
  switch (stored.status) {
    case "signed":
      // After signing or sending, the run checks the transaction itself. It is therefore sent again from here only
      // after a delay, or if an operator requests it.
      return byPerson || now - (stored.sentAt ?? stored.signedAt) >= TX_UNSENT_MS;
    case "spent":
      return !stored.isUndone;
    case "confirmed":
      return true;
  }
}

/**
 * Returns whether the receipt of a transaction must be looked up because it is final. If an operator requests it, all
 * receipts are looked up.
 */
function needsCheck({ tx, stored }: SignedEntry, byPerson: boolean): boolean {
  return byPerson || (stored.status === "confirmed" && tx.lostAt === undefined);
}

/** Returns the state after the receipt of a final transaction was looked up. */
function afterCheck(
  state: SignerState,
  { key, tx, stored }: SignedEntry,
  { isMined, byPerson }: { readonly isMined: boolean; readonly byPerson: boolean },
  now: number,
): SignerState {
  // The run itself looks up the receipt of its signed transaction. If an operator's request finds no receipt, the
  // transaction is removed, so that a redrive can start another one.
  if (stored.status === "signed") return isMined || !byPerson ? state : withoutTx(state, key);
  // After this time a node may have deleted the receipt. A missing receipt then does not show that the transaction was
  // lost.
  const isTooOld = now - tx.minedAt >= TX_RECEIPT_KEPT_MS;
  if (stored.status !== "confirmed" || isMined || byPerson || isTooOld) return withoutKept(state, key);
  return withTx(state, key, { ...stored, kept: { ...tx, lostAt: now } });
}

/**
 * Frees the nonce that the chain waits for, if the signer has no transaction with it. It first waits some time. Nodes
 * differ by some blocks, and a transaction can return after a reorganisation has removed it.
 */
function releaseStuckNonce(
  state: SignerState,
  { latest, pending, byPerson }: ChainCounts,
  now: number,
): { readonly state: SignerState; readonly released: readonly number[] } {
  const free = state.free.some((nonce) => nonce < latest) ? state.free.filter((nonce) => nonce >= latest) : state.free;
  const current = free === state.free ? state : { ...state, free };
  if (!isStuckAt(current, latest)) {
    return { state: current.stuck ? { ...current, stuck: null } : current, released: [] };
  }
  const since = current.stuck?.nonce === latest ? current.stuck.since : now;
  if ((!byPerson && now - since < TX_LAG_MS) || pending > latest) {
    return { state: { ...current, stuck: { nonce: latest, since } }, released: [] };
  }
  const undoneKeys = Object.keys(current.txs).filter((key) => nonceOf(current.txs[key]) === latest);
  const withoutUndone = undoneKeys.reduce(withoutTx, { ...current, stuck: null });
  return { state: withFreeNonce(withoutUndone, latest), released: [latest] };
}

/**
 * Returns whether the chain waits for a nonce that the signer has assigned, although the signer has no transaction with
 * it.
 */
function isStuckAt({ next, free, txs }: SignerState, nonce: number): boolean {
  if (next === null || nonce >= next || free.includes(nonce)) return false;
  return !Object.values(txs).some((tx) => nonceOf(tx) === nonce && !(tx.status === "spent" && tx.isUndone));
}

/** Keeps a signed transaction that is not the result of a run. If the transaction was never signed, it is removed. */
function markSpent(state: SignerState, key: string, isUndone: boolean, now: number): SignerState {
  const tx = state.txs[key];
  const rest = withoutTx(state, key);
  if (tx?.status !== "signed") return rest;
  return withTx(rest, isUndone ? `${SPENT}${tx.nonce}` : key, { status: "spent", isUndone, kept: minedTx(tx, now) });
}

function withoutFinalSpent(state: SignerState, final: number): SignerState {
  const finalTxs = Object.entries(state.txs).filter(([, tx]) => tx.status === "spent" && tx.kept.nonce < final);
  return finalTxs.reduce((rest, [key]) => withoutKept(rest, key), state);
}

/**
 * Limits the number of stored transactions. Those with the lowest nonces are removed first, because they will be final
 * first.
 */
function limitKept(state: SignerState, now: number): SignerState {
  let chars = 0;
  const surplus = keptTxs(state).filter(({ kept }, n) => {
    chars += kept.raw.length;
    return n >= TX_KEPT_MAX || chars > TX_KEPT_CHARS_MAX || now - kept.minedAt >= TX_KEPT_MS_MAX;
  });
  return surplus.reduce((rest, { key }) => withoutKept(rest, key), state);
}

/** Returns the mined transactions that are still stored, the highest nonce first. */
function keptTxs({ txs }: SignerState): { readonly key: string; readonly kept: MinedTx }[] {
  const kept = Object.entries(txs).flatMap(([key, tx]) => {
    const mined = keptTx(tx);
    return mined === null ? [] : [{ key, kept: mined }];
  });
  return kept.toSorted((a, b) => b.kept.nonce - a.kept.nonce);
}

/** Stops storing the bytes of the transaction. If the run of the transaction is confirmed, its receipt stays stored. */
function withoutKept(state: SignerState, key: string): SignerState {
  const tx = state.txs[key];
  if (tx?.status !== "confirmed") return withoutTx(state, key);
  return withTx(state, key, { status: "confirmed", receipt: tx.receipt });
}

/** Returns the mined transaction that is still stored; null if there is none. */
function keptTx(tx: Tx): MinedTx | null {
  return tx.status === "confirmed" || tx.status === "spent" ? (tx.kept ?? null) : null;
}

function minedTx({ nonce, raw, hashes }: Pick<MinedTx, "nonce" | "raw" | "hashes">, minedAt: number): MinedTx {
  return { nonce, raw, hashes, minedAt };
}

function isGap(key: string, tx: Tx): boolean {
  return key.startsWith(GAP) && tx.status !== "spent";
}

function txSummary({ key, tx: { nonce, hashes } }: SignedEntry): OwnTx {
  return { key, nonce, hashes };
}

function byNonce(a: { readonly nonce: number }, b: { readonly nonce: number }): number {
  return a.nonce - b.nonce;
}
