// Tracks sent transactions of a signer until they are final. A reorganisation may remove them, and with them nonces
// that later transactions depend on. Transactions that the chain lost are sent again, and a nonce that the chain waits
// for is found and filled.
import type { Confirmed, Judged, JudgeAsk, OwnTx, SignerOverview, TendAsk, Tended, TxReceipt } from "#schema/signer.ts";
import {
  TEND_CHECKS_MAX,
  TEND_QUIET_MS,
  TEND_RESENDS_MAX,
  TX_KEPT_CHARS_MAX,
  TX_KEPT_MAX,
  TX_KEPT_MS_MAX,
  TX_LAG_MS,
  TX_REMEMBERED_MS,
  TX_UNSENT_MS,
} from "#schema/limits/outgoing-calls.ts";
import {
  withFreeNonce,
  GAP,
  nonceOf,
  withoutTx,
  withTx,
  type MinedTx,
  type SignerState,
  type Turn,
  type Tx,
} from "./nonce.ts";

/**
 * Key prefix of an undone transaction. It has used its nonce, but its run may start again, so it is not stored under
 * the run's key.
 */
const SPENT = "spent:";

/** Records a receipt. All lower nonces are mined too, including the transactions that closed gaps. */
export function confirm(before: SignerState, key: string, receipt: TxReceipt, now: number): Turn<Confirmed> {
  const tx = before.txs[key];
  const nonce = nonceOf(tx);
  const kept = tx?.status === "signed" ? keptOf(tx, now) : tx?.status === "confirmed" ? tx.kept : undefined;
  const gaps = Object.entries(before.txs).filter(([other, gap]) => isGap(other, gap) && nonceOf(gap) < nonce);
  const closed = gaps.reduce((state, [other]) => spend(state, other, false, now), before);
  const confirmed = withTx(closed, key, { status: "confirmed", receipt, ...(kept === undefined ? {} : { kept }) });
  const state = bounded(confirmed, now);
  const isDue = now - (state.tendedAt ?? 0) >= TEND_QUIET_MS && keptIn(state).some((each) => isQuiet(each, now));
  return isDue ? { state: { ...state, tendedAt: now }, answer: { tend: true } } : { state, answer: { tend: false } };
}

export function fail(state: SignerState, key: string, now: number): SignerState {
  return state.txs[key]?.status === "confirmed" ? state : bounded(spend(state, key, true, now), now);
}

/** Decides what to send again, which nonces to free and which receipts to check, from the chain's state. */
export function maintain(before: SignerState, ask: TendAsk, now: number): Turn<Tended> {
  const { latest, pending, final, byPerson } = ask;
  const seen = { ...before, seen: { latest, pending, final, at: now } };
  const settled = bounded(withoutFinalSpent(seen, final ?? 0), now);
  const { state, released } = withoutStuck(settled, ask, now);
  const own = ownIn(state);
  const resend = own.filter((each) => each.tx.nonce >= latest && mayGoOut(each, byPerson, now)).map(withRaw);
  const check = own.filter((each) => each.tx.nonce < (final ?? 0) && isOpen(each, byPerson)).map(outward);
  const nonce = state.free.find((each) => own.some(({ tx }) => tx.nonce > each));
  const gap = nonce === undefined ? null : { key: `${GAP}${nonce}`, nonce };
  const answer = { resend: resend.slice(0, TEND_RESENDS_MAX), released, gap, check: check.slice(0, TEND_CHECKS_MAX) };
  return { state, answer };
}

/**
 * Applies the receipts that were looked up. A final transaction is no longer kept; a transaction without a receipt is
 * lost.
 */
export function judge(before: SignerState, { found, byPerson }: JudgeAsk, now: number): Turn<Judged> {
  let state = before;
  const mined: OwnTx[] = [];
  const lost: OwnTx[] = [];
  for (const { key, nonce, isMined } of found) {
    const own = ownIn(state).find((each) => each.key === key && each.tx.nonce === nonce);
    if (own === undefined) continue;
    (isMined ? mined : lost).push(outward(own));
    state = judged(state, own, { isMined, byPerson }, now);
  }
  return { state, answer: { mined, lost } };
}

export function overview({ next, free, txs, seen, stuck }: SignerState): SignerOverview {
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
    const mined = keptBy(tx);
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

type Signed = Exclude<Tx, { readonly status: "reserved" }>;
type Own = { readonly key: string; readonly tx: MinedTx; readonly as: Signed };

/** Returns all transactions whose bytes the signer has, by nonce. */
function ownIn({ txs }: SignerState): Own[] {
  const own = Object.entries(txs).flatMap(([key, as]): Own[] => {
    if (as.status === "reserved") return [];
    const tx = as.status === "signed" ? keptOf(as, as.signedAt) : keptBy(as);
    return tx === null ? [] : [{ key, tx, as }];
  });
  return own.toSorted((a, b) => a.tx.nonce - b.tx.nonce);
}

/**
 * Returns whether the transaction may be sent again. An undone one may not: it could succeed although its run was
 * restarted.
 */
function mayGoOut({ as }: Own, byPerson: boolean, now: number): boolean {
  switch (as.status) {
    case "signed":
      // A run that has just signed or sent the transaction checks it, so it is sent again only after a delay.
      return byPerson || now - (as.sentAt ?? as.signedAt) >= TX_UNSENT_MS;
    case "spent":
      return !as.isUndone;
    case "confirmed":
      return true;
  }
}

function isOpen({ tx, as }: Own, byPerson: boolean): boolean {
  return byPerson || (as.status === "confirmed" && tx.lostAt === undefined);
}

function judged(
  state: SignerState,
  { key, tx, as }: Own,
  { isMined, byPerson }: { readonly isMined: boolean; readonly byPerson: boolean },
  now: number,
): SignerState {
  // The run or a redrive looks up the receipt. A redrive may restart a transaction that is lost permanently.
  if (as.status === "signed") return isMined || !byPerson ? state : withoutTx(state, key);
  // After this time a node may have deleted the receipt, so a missing receipt proves nothing.
  const isForgotten = now - tx.minedAt >= TX_REMEMBERED_MS;
  if (as.status !== "confirmed" || isMined || byPerson || isForgotten) return forgotten(state, key);
  return withTx(state, key, { ...as, kept: { ...tx, lostAt: now } });
}

/**
 * Frees the nonce that the chain waits for, if the signer has no transaction for it. It waits some time first, because
 * nodes differ by some blocks and a transaction may return after it left a block.
 */
function withoutStuck(
  state: SignerState,
  { latest, pending, byPerson }: TendAsk,
  now: number,
): { readonly state: SignerState; readonly released: readonly number[] } {
  const free = state.free.some((nonce) => nonce < latest) ? state.free.filter((nonce) => nonce >= latest) : state.free;
  const here = free === state.free ? state : { ...state, free };
  if (!isStuckAt(here, latest)) {
    return { state: here.stuck ? { ...here, stuck: null } : here, released: [] };
  }
  const since = here.stuck?.nonce === latest ? here.stuck.since : now;
  if ((!byPerson && now - since < TX_LAG_MS) || pending > latest) {
    return { state: { ...here, stuck: { nonce: latest, since } }, released: [] };
  }
  const undone = Object.keys(here.txs).filter((key) => nonceOf(here.txs[key]) === latest);
  const without = undone.reduce(withoutTx, { ...here, stuck: null });
  return { state: withFreeNonce(without, latest), released: [latest] };
}

/** Returns whether the chain waits for a nonce that the signer has assigned but has no transaction for. */
function isStuckAt({ next, free, txs }: SignerState, nonce: number): boolean {
  if (next === null || nonce >= next || free.includes(nonce)) return false;
  return !Object.values(txs).some((tx) => nonceOf(tx) === nonce && !(tx.status === "spent" && tx.isUndone));
}

function spend(state: SignerState, key: string, isUndone: boolean, now: number): SignerState {
  const tx = state.txs[key];
  const rest = withoutTx(state, key);
  if (tx?.status !== "signed") return rest;
  return withTx(rest, isUndone ? `${SPENT}${tx.nonce}` : key, { status: "spent", isUndone, kept: keptOf(tx, now) });
}

function withoutFinalSpent(state: SignerState, final: number): SignerState {
  const done = Object.entries(state.txs).filter(([, tx]) => tx.status === "spent" && tx.kept.nonce < final);
  return done.reduce((rest, [key]) => forgotten(rest, key), state);
}

/** Limits the stored transactions. The lowest nonces are dropped first, because they are closest to being final. */
function bounded(state: SignerState, now: number): SignerState {
  let chars = 0;
  const over = keptIn(state).filter(({ kept }, n) => {
    chars += kept.raw.length;
    return n >= TX_KEPT_MAX || chars > TX_KEPT_CHARS_MAX || now - kept.minedAt >= TX_KEPT_MS_MAX;
  });
  return over.reduce((rest, { key }) => forgotten(rest, key), state);
}

/** Returns the mined transactions that are still kept, the highest nonce first. */
function keptIn({ txs }: SignerState): { readonly key: string; readonly kept: MinedTx }[] {
  const kept = Object.entries(txs).flatMap(([key, tx]) => {
    const mined = keptBy(tx);
    return mined === null ? [] : [{ key, kept: mined }];
  });
  return kept.toSorted((a, b) => b.kept.nonce - a.kept.nonce);
}

/** Drops the transaction. The receipt of a confirmed run is kept. */
function forgotten(state: SignerState, key: string): SignerState {
  const tx = state.txs[key];
  if (tx?.status !== "confirmed") return withoutTx(state, key);
  return withTx(state, key, { status: "confirmed", receipt: tx.receipt });
}

function keptBy(tx: Tx): MinedTx | null {
  return tx.status === "confirmed" || tx.status === "spent" ? (tx.kept ?? null) : null;
}

function keptOf({ nonce, raw, hashes }: Pick<MinedTx, "nonce" | "raw" | "hashes">, minedAt: number): MinedTx {
  return { nonce, raw, hashes, minedAt };
}

function isGap(key: string, tx: Tx): boolean {
  return key.startsWith(GAP) && tx.status !== "spent";
}

function isQuiet({ kept }: { readonly kept: MinedTx }, now: number): boolean {
  return now - kept.minedAt >= TEND_QUIET_MS;
}

function withRaw(own: Own) {
  return { ...outward(own), raw: own.tx.raw };
}

function outward({ key, tx: { nonce, hashes } }: Own): OwnTx {
  return { key, nonce, hashes };
}

function byNonce(a: { readonly nonce: number }, b: { readonly nonce: number }): number {
  return a.nonce - b.nonce;
}
