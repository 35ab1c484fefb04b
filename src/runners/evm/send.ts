// Transaction sending: sends one transaction, over as many attempts as needed. The signer's object assigns the nonce
// and stores the signed transaction. Every attempt first reads what an earlier attempt stored.
import type { SignedTx } from "#schema/signer.ts";
import { TX_MINED_WITHIN_MS, TX_REPLACEMENTS_MAX, TX_ROUNDS_MAX } from "#schema/limits/outgoing/blockchain.ts";
import { bumpFees, feesFor, tooLowOfferFailure } from "./fees.ts";
import { prepareTransaction } from "./prepare.ts";
import { readReceipt } from "./receipt.ts";
import { lostNonceFailure, mayHaveArrived, unseenResult, pendingResult } from "./pending-transaction.ts";
import { parseQuantity } from "./rpc.ts";
import { failedWith, type TransactionResult, type WantedTransaction } from "./wanted-transaction.ts";

/** The result if another transaction has used the nonce. The attempt then starts again with a new nonce. */
type StartAgain = { readonly kind: "start_again" };

export async function sendTransaction(wanted: WantedTransaction): Promise<TransactionResult> {
  for (let round = 0; round < TX_ROUNDS_MAX; round++) {
    const result = await tryOnce(wanted);
    if (result.kind !== "start_again") return result;
  }
  const message = "another sender uses the same address, and has repeatedly used the next nonces";
  return failedWith({ error: { type: "network_congestion", message, retryable: true, code: "nonce_contended" } });
}

async function tryOnce(wanted: WantedTransaction): Promise<TransactionResult | StartAgain> {
  const { key, signer, chain } = wanted;
  const found = await signer.find({ key, blockMs: chain.blockMs });
  if (found.kind === "confirmed") return { kind: "mined", receipt: found.receipt };
  if (found.kind === "signed") return resume(wanted, found.tx, found.isStuck);
  const prepared = await prepareTransaction(wanted);
  if (!prepared.ok) return failedWith(prepared);
  const reserved = await reserveNonce(wanted);
  switch (reserved.kind) {
    case "failed":
      return reserved;
    case "confirmed":
      return { kind: "mined", receipt: reserved.receipt };
    case "signed":
      return resume(wanted, reserved.tx, reserved.isStuck);
    case "reserved": {
      const tx = await signAndStore(wanted, { nonce: reserved.nonce, ...prepared, replaces: null });
      return tx === null ? { kind: "start_again" } : sendSigned(wanted, tx, true);
    }
    case "chain_unknown":
    case "no_gap":
      return { kind: "start_again" };
  }
}

async function reserveNonce(wanted: WantedTransaction) {
  const { key, signer, chain } = wanted;
  const ask = { key, blockMs: chain.blockMs, chainNonce: null, gap: null };
  const reserved = await signer.reserve(ask);
  if (reserved.kind !== "chain_unknown") return reserved;
  const count = await countTransactions(wanted, "pending");
  return typeof count === "number" ? signer.reserve({ ...ask, chainNonce: count }) : count;
}

type ToSign = Pick<SignedTx, "nonce" | "fees" | "gas"> & { readonly replaces: string | null };

/**
 * Signs a transaction, and stores it in the signer before it is sent. Returns null if the reservation of the nonce has
 * expired.
 */
async function signAndStore(
  wanted: WantedTransaction,
  { nonce, fees, gas, replaces }: ToSign,
): Promise<SignedTx | null> {
  const { key, signer, wallet, chain, config, data } = wanted;
  const unsigned = { chainId: chain.id, nonce, to: config.contractAddress, data, value: config.value, gas, fees };
  const { raw, hash } = await wallet.sign(unsigned);
  const stored = await signer.store({ key, nonce, raw, hash, fees, gas, replaces });
  return stored.kind === "lost" ? null : stored.tx;
}

async function resume(
  wanted: WantedTransaction,
  tx: SignedTx,
  isStuck: boolean,
): Promise<TransactionResult | StartAgain> {
  const result = await readReceipt(wanted, tx);
  if (result?.kind === "dark") return unseenResult(wanted, tx, result.failure);
  if (result !== null) return result;
  const replacement = isStuck ? await signReplacement(wanted, tx) : null;
  return sendSigned(wanted, replacement ?? tx, false);
}

/**
 * Signs the same call with the same nonce at a higher fee, so that only one of the two transactions can be mined.
 * Returns null if the fee cap is reached.
 */
async function signReplacement(wanted: WantedTransaction, tx: SignedTx): Promise<SignedTx | null> {
  const offer = await feesFor(wanted.config, wanted.rpc);
  const fees = offer.ok ? bumpFees(tx.fees, offer.fees, wanted.config) : null;
  return fees === null ? null : signAndStore(wanted, { ...tx, fees, replaces: tx.hashes[0] ?? null });
}

/**
 * Sends the transaction, and replaces it if its fee is too low. `isNew`: no earlier attempt sent it, so another
 * transaction with its nonce comes from another sender.
 */
async function sendSigned(
  wanted: WantedTransaction,
  signed: SignedTx,
  isNew: boolean,
): Promise<TransactionResult | StartAgain> {
  let tx = signed;
  for (let replacements = 0; ; replacements++) {
    const [hash = ""] = tx.hashes;
    const sent = await wanted.rpc("eth_sendRawTransaction", tx.raw);
    if (sent.ok) return receiptOrPending(wanted, tx, [hash]); // Some chains mine a transaction immediately.
    switch (sent.meaning) {
      case "already_known":
      case "nonce_too_high":
        return pendingResult(wanted, tx);
      case "nonce_too_low":
        return resolveUsedNonce(wanted, tx, "latest");
      case "insufficient_funds":
      case "reverted":
      case "refused":
        if (!isNew) return unseenResult(wanted, tx, sent.failure, TX_MINED_WITHIN_MS);
        await wanted.signer.releaseNonce(wanted.key);
        return failedWith(sent.failure, hash);
      case "congested":
        return unseenResult(wanted, tx, sent.failure);
      case "lost":
        if (!isNew || mayHaveArrived(sent.failure)) return unseenResult(wanted, tx, sent.failure);
        await wanted.signer.releaseNonce(wanted.key);
        return failedWith(sent.failure, hash);
      case "replacement_underpriced":
      case "underpriced": {
        if (sent.meaning === "replacement_underpriced" && isNew) return resolveUsedNonce(wanted, tx, "pending");
        const replacement = replacements < TX_REPLACEMENTS_MAX ? await signReplacement(wanted, tx) : null;
        if (replacement !== null) tx = replacement;
        else return tx.sentAt === null ? refuseOffer(wanted, tx) : pendingResult(wanted, tx);
      }
    }
  }
}

async function receiptOrPending(
  wanted: WantedTransaction,
  tx: SignedTx,
  hashes: readonly string[],
): Promise<TransactionResult> {
  const result = await readReceipt(wanted, tx, hashes);
  return result?.kind === "dark" ? unseenResult(wanted, tx, result.failure) : (result ?? pendingResult(wanted, tx));
}

/**
 * The failure if the node refuses an offer at the fee cap. The nonce of a transaction that was never sent is released.
 */
async function refuseOffer(wanted: WantedTransaction, tx: SignedTx): Promise<TransactionResult> {
  await wanted.signer.releaseNonce(wanted.key);
  const failure = await tooLowOfferFailure(tx.fees, wanted.rpc, {
    by: "the node does not accept a transaction",
    code: "underpriced",
  });
  return failedWith(failure, tx.hashes[0]);
}

/** Decides the result if the nonce is already used. This transaction may have used it, and its receipt may be late. */
async function resolveUsedNonce(
  wanted: WantedTransaction,
  tx: SignedTx,
  block: "latest" | "pending",
): Promise<TransactionResult | StartAgain> {
  const result = await readReceipt(wanted, tx);
  if (result?.kind === "dark") return unseenResult(wanted, tx, result.failure);
  if (result !== null) return result;
  const count = await countTransactions(wanted, block);
  if (typeof count !== "number") return unseenResult(wanted, tx, count.failure);
  if (count <= tx.nonce) return pendingResult(wanted, tx);
  const renewed = await wanted.signer.renew({ key: wanted.key, chainNonce: count });
  const [hash = ""] = tx.hashes;
  switch (renewed.kind) {
    case "renewed":
      return { kind: "start_again" };
    case "wait":
      return { kind: "held", until: renewed.until, hash, nonce: tx.nonce, why: null };
    case "unknown":
      return failedWith(lostNonceFailure(wanted, tx), hash);
  }
}

async function countTransactions({ rpc, from }: WantedTransaction, block: "latest" | "pending") {
  const count = await rpc("eth_getTransactionCount", from, block);
  return count.ok
    ? Number(parseQuantity(count.result))
    : (failedWith(count.failure) as Extract<TransactionResult, { kind: "failed" }>); // failedWith returns this kind
}
